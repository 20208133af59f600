"""Dead letters of a consumer: records it could not process, kept by game until an operator releases the game.

A game with dead letters is blocked: its later records become dead letters too, so that its order is kept. The dead letter
topic is the only store, so the state survives a restart and a change of the partition's owner. It holds one `DeadLetter` per
record, one with `release_asked` when an operator releases the game, and an empty value once all were processed.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from threading import Lock

from google.protobuf.message import DecodeError

from services.common.clock import Clock, SystemClock
from services.common.faust.records import FollowedRecord
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import RecordPosition, Topic
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb


@dataclass(slots=True)
class BlockedGame:
    """The dead letters of one game, oldest first."""

    records: dict[RecordPosition, pb.DeadLetter] = field(default_factory=dict)
    release_asked: bool = False

    @property
    def reason(self) -> str:
        """Why its first record could not be processed."""
        return next((each.reason for each in self.records.values()), "")


class DeadLetters:
    """The dead letters of one consumer, as its dead letter topic has them. Thread-safe."""

    def __init__(self, kafka: KafkaSettings, topic: Topic, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._games: dict[str, BlockedGame] = {}
        self._lock = Lock()
        self._tail = TopicTail(kafka, topic, one_by_one(self._note))
        self._log = get_logger("follower").bind(topic=topic.name)

    def start(self) -> None:
        """Begin to read the topic."""
        self._tail.start()

    def progress_reader(self) -> OwnReader:
        """How far the topic is read."""
        return self._tail.progress_reader()

    def wait_current(self) -> None:
        """Wait for everything that is in the topic at the call. Raises `KafkaUnreachable` on a timeout."""
        self._tail.wait_current()

    def is_blocked(self, game_id: str) -> bool:
        """Whether the game has dead letters."""
        with self._lock:
            return game_id in self._games

    def games(self) -> dict[str, str]:
        """The blocked games with the reason of each one's first dead letter."""
        with self._lock:
            return {game_id: game.reason for game_id, game in sorted(self._games.items())}

    def add_behind(self, game_id: str, record: FollowedRecord, reason: str) -> bool:
        """`add` if the game is still blocked; whether it was. Never called concurrently with `let_go`."""
        if not self.is_blocked(game_id):
            return False
        self.add(game_id, record, reason)
        return True

    def add(self, game_id: str, record: FollowedRecord, reason: str) -> None:
        """Write a record to the dead letters; durable when this returns. Raises `NotWritten`."""
        letter = pb.DeadLetter(
            schema_version=1,
            game_id=game_id,
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            reason=reason,
            value=record.value,
            recorded_time_ms=self._clock.now_ms(),
        )
        self._tail.write(game_id, letter.SerializeToString())
        with self._lock:
            self._take(game_id, letter)

    def ask_release(self, game_id: str) -> None:
        """Ask the consumer of the game to process its dead letters again. Raises `NotWritten`."""
        now = self._clock.now_ms()
        asked = pb.DeadLetter(schema_version=1, game_id=game_id, release_asked=True, recorded_time_ms=now)
        self._tail.write(game_id, asked.SerializeToString())

    def to_release(self) -> list[str]:
        """Blocked games whose release was asked for."""
        with self._lock:
            return [game_id for game_id, game in self._games.items() if game.release_asked]

    def records_of(self, game_id: str) -> list[pb.DeadLetter]:
        """The dead letters of a game, oldest first."""
        with self._lock:
            game = self._games.get(game_id)
            return list(game.records.values()) if game else []

    def keep(self, game_id: str) -> None:
        """Its release failed: the game stays blocked until the next request."""
        with self._lock:
            if game_id in self._games:
                self._games[game_id].release_asked = False

    def let_go(self, game_id: str, handled: Set[RecordPosition]) -> bool:
        """Unblock the game if its dead letters are all in `handled`; whether they are. Durable when this returns.

        Raises `NotWritten` and `KafkaUnreachable`: the release has to be repeated."""
        self.wait_current()
        kept = {position_of(each) for each in self.records_of(game_id)}
        if not kept:
            # Another process released it, and may be adding new dead letters of it now.
            return True
        if not kept <= handled:
            return False
        self.note_released(game_id)
        # A dead letter that is added from now on must not be removed by this release.
        self.wait_current()
        return True

    def note_released(self, game_id: str) -> None:
        """Write that the game is no longer blocked. Raises `NotWritten`."""
        self._tail.write(game_id, None)

    def close(self) -> None:
        """Close the connection to Kafka."""
        self._tail.close()

    def _note(self, game_id: str, value: bytes | None) -> None:
        with self._lock:
            if value is None:
                self._games.pop(game_id, None)
                return
            try:
                self._take(game_id, pb.DeadLetter.FromString(value))
            except DecodeError as problem:
                self._log.error("unreadable dead letter", game_id=game_id, problem=str(problem))

    def _take(self, game_id: str, letter: pb.DeadLetter) -> None:
        if letter.release_asked:
            if game_id in self._games:
                self._games[game_id].release_asked = True
            return
        self._games.setdefault(game_id, BlockedGame()).records.setdefault(position_of(letter), letter)


def position_of(letter: pb.DeadLetter) -> RecordPosition:
    """Position of the original record."""
    return letter.topic, letter.partition, letter.offset
