"""Games that a follower cannot work with: put aside with their records until an operator lets them go on.

The parked topic is the only memory of it, so that it outlives a restart and moves with the partition: a `Parked` record
for every record put aside, one with `release_asked` when an operator wants the game to go on, and an empty value when all
its records were handled again.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeAlias

from google.protobuf.message import DecodeError

from services.common.clock import Clock, SystemClock
from services.common.faust.records import FollowedRecord
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail
from services.common.kafka.topics import Topic
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb

# Topic, partition and offset of a record.
Place: TypeAlias = tuple[str, int, int]


@dataclass(slots=True)
class ParkedGame:
    """What is put aside of one game, in the order of putting aside."""

    records: dict[Place, pb.Parked] = field(default_factory=dict)
    release_asked: bool = False

    @property
    def reason(self) -> str:
        """Why its first record was put aside."""
        return next((each.reason for each in self.records.values()), "")


class ParkedGames:
    """The parked games of one consumer as its parked topic tells them. Safe to use from many threads."""

    def __init__(self, kafka: KafkaSettings, topic: Topic, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._games: dict[str, ParkedGame] = {}
        self._lock = Lock()
        self._tail = TopicTail(kafka, topic, self._note)
        self._log = get_logger("follower").bind(topic=topic.name)

    def start(self) -> None:
        """Begin to read the topic."""
        self._tail.start()

    def progress_reader(self) -> OwnReader:
        """How far the topic is read."""
        return self._tail.progress_reader()

    def wait_current(self) -> None:
        """Wait for everything that was in the topic at the call. Raises `KafkaUnreachable` when it takes too long."""
        self._tail.wait_current()

    def is_parked(self, game_id: str) -> bool:
        """Whether records of the game are put aside."""
        with self._lock:
            return game_id in self._games

    def games(self) -> dict[str, str]:
        """Why each parked game was parked at first."""
        with self._lock:
            return {game_id: game.reason for game_id, game in sorted(self._games.items())}

    def park_behind(self, game_id: str, record: FollowedRecord, reason: str) -> bool:
        """`park`, unless the game goes on meanwhile; whether it was done. Never at the same time as `let_go`."""
        if not self.is_parked(game_id):
            return False
        self.park(game_id, record, reason)
        return True

    def park(self, game_id: str, record: FollowedRecord, reason: str) -> None:
        """Put a record aside for good before this returns. Raises `NotWritten`."""
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
        self._tail.write(game_id, parked.SerializeToString())
        with self._lock:
            self._take(game_id, parked)

    def ask_release(self, game_id: str) -> None:
        """An operator wants the game to go on: whoever follows it handles its records again. Raises `NotWritten`."""
        now = self._clock.now_ms()
        asked = pb.Parked(schema_version=1, game_id=game_id, release_asked=True, recorded_time_ms=now)
        self._tail.write(game_id, asked.SerializeToString())

    def to_release(self) -> list[str]:
        """Parked games that an operator wants to go on."""
        with self._lock:
            return [game_id for game_id, game in self._games.items() if game.release_asked]

    def records_of(self, game_id: str) -> list[pb.Parked]:
        """What is put aside of a game, in the order of putting aside."""
        with self._lock:
            game = self._games.get(game_id)
            return list(game.records.values()) if game else []

    def keep(self, game_id: str) -> None:
        """The release of a game failed: it stays parked until it is asked for again."""
        with self._lock:
            if game_id in self._games:
                self._games[game_id].release_asked = False

    def let_go(self, game_id: str, handled: Set[Place]) -> bool:
        """The records of these places were handled again: their game goes on, for good before this returns, unless others are
        put aside. Raises `NotWritten` and `KafkaUnreachable`: then its release is to be tried once more."""
        self.wait_current()
        kept = {place_of(each) for each in self.records_of(game_id)}
        if not kept:
            # Somebody else let it go, and may be putting aside new records of it just now.
            return True
        if not kept <= handled:
            return False
        self.note_released(game_id)
        # What is put aside of the game from now on must not meet this word of ours on its way back.
        self.wait_current()
        return True

    def note_released(self, game_id: str) -> None:
        """Write down that the game goes on. Raises `NotWritten`."""
        self._tail.write(game_id, None)

    def close(self) -> None:
        """Let go of Kafka."""
        self._tail.close()

    def _note(self, game_id: str, value: bytes | None) -> None:
        with self._lock:
            if value is None:
                self._games.pop(game_id, None)
                return
            try:
                self._take(game_id, pb.Parked.FromString(value))
            except DecodeError as problem:
                self._log.error("unreadable parked record", game_id=game_id, problem=str(problem))

    def _take(self, game_id: str, parked: pb.Parked) -> None:
        if parked.release_asked:
            if game_id in self._games:
                self._games[game_id].release_asked = True
            return
        self._games.setdefault(game_id, ParkedGame()).records.setdefault(place_of(parked), parked)


def place_of(parked: pb.Parked) -> Place:
    """Where the record stands that was put aside."""
    return parked.topic, parked.partition, parked.offset
