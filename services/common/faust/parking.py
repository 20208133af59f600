"""Games that a follower cannot work with: put aside with their records until an operator lets them go on.

The parked topic is the only memory of it, so that it outlives a restart and moves with the partition: a `Parked` record
for every record put aside, one with `release_asked` when an operator wants the game to go on, and an empty value when all
its records were handled again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, Message, TopicPartition

from services.common.clock import Clock, SystemClock
from services.common.errors import SignalboxError
from services.common.faust.records import FollowedRecord
from services.common.kafka.clients import KafkaUnreachable, new_consumer, new_producer
from services.common.kafka.places import ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic
from services.common.telemetry import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb

POLL_SECONDS = 0.2
ANSWER_SECONDS = 10.0
READ_ONLY_GROUP = "parked.reader"


class NotParked(SignalboxError):
    """The record could not be put aside: Kafka did not take it."""


@dataclass(slots=True)
class ParkedGame:
    """What is put aside of one game, in the order of putting aside."""

    records: dict[tuple[str, int, int], pb.Parked] = field(default_factory=dict)
    release_asked: bool = False


class ParkedGames:
    """The parked games of one consumer as its parked topic tells them. Safe to use from many threads."""

    def __init__(self, kafka: KafkaSettings, topic: Topic, clock: Clock | None = None) -> None:
        self._kafka = kafka
        self._topic = topic
        self._name = topic.name_in(kafka)
        self._partitions = topic.partitions(kafka)
        self._clock = clock or SystemClock()
        self._games: dict[str, ParkedGame] = {}
        self._next = dict.fromkeys(range(self._partitions), 0)
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._read_on, name=f"parked {topic.name}", daemon=True)
        self._log = get_logger("follower")

    def start(self) -> None:
        """Begin to read the topic."""
        self._producer = new_producer(self._kafka, **{"message.timeout.ms": int(ANSWER_SECONDS * 1000)})
        self._thread.start()

    def wait_current(self, seconds: float = ANSWER_SECONDS) -> None:
        """Wait for everything that was in the topic at the call. Raises `KafkaUnreachable` when it takes longer."""
        wanted = {place[1]: end for place, end in ends(self._kafka, [self._topic]).items()}
        with self._changed:
            reached = self._changed.wait_for(
                lambda: self._is_closed or all(self._next[each] >= end for each, end in wanted.items()),
                seconds,
            )
        if not reached:
            raise KafkaUnreachable(f"topic {self._name} was not read to its end within {seconds:g} s")

    def is_parked(self, game_id: str) -> bool:
        """Whether records of the game are put aside."""
        with self._changed:
            return game_id in self._games

    def games(self) -> dict[str, str]:
        """Why each parked game was parked at first."""
        with self._changed:
            return {game_id: _reason(game) for game_id, game in sorted(self._games.items())}

    def park(self, game_id: str, record: FollowedRecord, reason: str) -> None:
        """Put a record aside for good before this returns. Raises `NotParked`."""
        parked = pb.Parked(
            schema_version=1,
            game_id=game_id,
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            reason=reason,
            value=record.value,
            recorded_time_ms=self._clock.now_ms(),
        )
        self._send(game_id, parked.SerializeToString())
        with self._changed:
            self._take(game_id, parked)

    def ask_release(self, game_id: str) -> None:
        """An operator wants the game to go on: whoever follows it handles its records again. Raises `NotParked`."""
        asked = pb.Parked(
            schema_version=1, game_id=game_id, release_asked=True, recorded_time_ms=self._clock.now_ms()
        )
        self._send(game_id, asked.SerializeToString())

    def to_release(self) -> list[str]:
        """Parked games that an operator wants to go on."""
        with self._changed:
            return [game_id for game_id, game in self._games.items() if game.release_asked]

    def records_of(self, game_id: str) -> list[pb.Parked]:
        """What is put aside of a game, in the order of putting aside."""
        with self._changed:
            game = self._games.get(game_id)
            return list(game.records.values()) if game else []

    def keep(self, game_id: str) -> None:
        """The release of a game failed: it stays parked until it is asked for again."""
        with self._changed:
            if game_id in self._games:
                self._games[game_id].release_asked = False

    def let_go(self, game_id: str, handled: int) -> bool:
        """The first `handled` records of the game were handled again: it goes on unless more were put aside meanwhile."""
        self.wait_current()
        with self._changed:
            game = self._games.get(game_id)
            if game is not None and len(game.records) > handled:
                return False
            self._games.pop(game_id, None)
            return True

    def note_released(self, game_id: str) -> None:
        """Write down that the game goes on. Raises `NotParked`: after a restart it is parked and released once more."""
        self._send(game_id, None)

    def close(self) -> None:
        """Let go of Kafka."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def _send(self, game_id: str, value: bytes | None) -> None:
        problems: list[str] = []

        def delivered(error: KafkaError | None, _message: Message) -> None:
            problems.append("" if error is None else error.str())

        self._producer.produce(
            self._name, key=game_id.encode(), value=value, partition=0, on_delivery=delivered
        )
        self._producer.flush(ANSWER_SECONDS + 1)
        if problems != [""]:
            raise NotParked(f"topic {self._name}: {problems[0] if problems else 'no answer'}")

    def _take(self, game_id: str, parked: pb.Parked) -> None:
        if parked.release_asked:
            if game_id in self._games:
                self._games[game_id].release_asked = True
            return
        place = (parked.topic, parked.partition, parked.offset)
        self._games.setdefault(game_id, ParkedGame()).records.setdefault(place, parked)

    def _read_on(self) -> None:
        consumer = new_consumer(self._kafka, READ_ONLY_GROUP, **{"enable.partition.eof": True})
        consumer.assign(
            [TopicPartition(self._name, each, OFFSET_BEGINNING) for each in range(self._partitions)]
        )
        while not self._is_closed:
            message = consumer.poll(POLL_SECONDS)
            if message is not None:
                self._note(consumer, message)
        consumer.close()

    def _note(self, consumer: Consumer, message: Message) -> None:
        error = message.error()
        partition = message.partition() or 0
        if error is not None and error.code() != KafkaError._PARTITION_EOF:
            self._log.warning("parked topic", topic=self._name, problem=error.str())
            return
        with self._changed:
            if error is None:
                self._note_record(message)
                self._next[partition] = (message.offset() or 0) + 1
            else:
                self._next[partition] = message.offset() or 0
            self._changed.notify_all()

    def _note_record(self, message: Message) -> None:
        game_id = (message.key() or b"").decode(errors="replace")
        value = message.value()
        if value is None:
            self._games.pop(game_id, None)
            return
        try:
            self._take(game_id, pb.Parked.FromString(value))
        except Exception as problem:
            self._log.error("parked topic", topic=self._name, offset=message.offset(), problem=str(problem))


def _reason(game: ParkedGame) -> str:
    return next((each.reason for each in game.records.values()), "")
