"""Holds in a cluster: the topic ledger.events is the one truth about them.

Every replica of the ledger and of rules reads all of it. A hold is written once for a finding and is in the topic for good
before the record that led to it counts as handled, so that a crash in between finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from google.protobuf.message import DecodeError

from services.common.clock import Clock
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail
from services.common.kafka.topics import LEDGER_EVENTS
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.domain.journal import Entry
from services.ledger.ports import BookStore, Hold, StoredBook

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class RebuildAsked:
    """An operator wants every replica to make its book of a game again from the log. Later wishes have later times."""

    game_id: str
    time_ms: int


class TopicHolds:
    """All holds as ledger.events tells them, and the way to change them. Safe to use from many threads."""

    def __init__(
        self, kafka: KafkaSettings, clock: Clock, rebuild_asked: Callable[[RebuildAsked], None]
    ) -> None:
        """`rebuild_asked` is told of every wish in the topic, old ones too, in the thread that reads it."""
        self._clock = clock
        self._rebuild_asked = rebuild_asked
        self._holds: dict[str, Hold] = {}
        self._wished_ms: dict[str, int] = {}
        self._lock = Lock()
        self._tail = TopicTail(kafka, LEDGER_EVENTS, self._note)
        self._log = get_logger("ledger")

    def start(self) -> None:
        """Read the topic to its end, then go on. Raises `KafkaUnreachable`."""
        self._tail.start()
        self._tail.wait_current()

    def hold_of(self, game_id: str) -> Hold | None:
        """The hold of a game, if there is one."""
        with self._lock:
            return self._holds.get(game_id)

    def holds(self) -> tuple[Hold, ...]:
        """All holds by game id."""
        with self._lock:
            return tuple(self._holds[game_id] for game_id in sorted(self._holds))

    def put(self, hold: Hold) -> None:
        """Hold a game unless some replica holds it already. Raises `KafkaUnreachable`: it may be asked again."""
        self._tail.wait_current()
        if self.hold_of(hold.game_id) is None:
            self._write(hold, is_held=True)
            self._tail.wait_current()

    def remove(self, game_id: str) -> None:
        """Let a held game go on. Raises `KafkaUnreachable`: it may be asked again."""
        self._tail.wait_current()
        hold = self.hold_of(game_id)
        if hold is not None:
            self._write(hold, is_held=False)
            self._tail.wait_current()

    def ask_rebuild(self, game_id: str) -> None:
        """Every replica is to make its book of the game again. Raises `KafkaUnreachable`."""
        self._tail.wait_current()
        with self._lock:
            hold, last_ms = self._holds.get(game_id), self._wished_ms.get(game_id, 0)
        # Later than the wish before, whose clock may have been ahead of this one: who met that one must meet this one too.
        time_ms = max(self._clock.now_ms(), last_ms + 1)
        # Readers of an earlier version take the record for the hold as it is from now on.
        self._write(hold or Hold(game_id, "", "", 0), is_held=hold is not None, rebuild_ms=time_ms)

    def progress_reader(self) -> OwnReader:
        """How far the topic is read."""
        return self._tail.progress_reader()

    def close(self) -> None:
        """Let go of Kafka."""
        self._tail.close()

    def _write(self, hold: Hold, *, is_held: bool, rebuild_ms: int = 0) -> None:
        record = pb.HoldChanged(
            schema_version=SCHEMA_VERSION,
            game_id=hold.game_id,
            held=is_held,
            reason=hold.reason,
            detail=hold.detail,
            sequence=hold.sequence,
            recorded_time_ms=rebuild_ms or self._clock.now_ms(),
            rebuild_asked=bool(rebuild_ms),
        )
        self._tail.write(hold.game_id, record.SerializeToString())

    def _note(self, game_id: str, value: bytes | None) -> None:
        try:
            said = pb.HoldChanged.FromString(value or b"")
        except DecodeError as problem:
            self._log.error("unreadable hold", game_id=game_id, problem=str(problem))
            return
        if said.rebuild_asked:
            with self._lock:
                last_ms = self._wished_ms.get(said.game_id, 0)
                self._wished_ms[said.game_id] = max(last_ms, said.recorded_time_ms)
            # What it says of the hold is what one replica knew, perhaps before another one changed it.
            self._rebuild_asked(RebuildAsked(said.game_id, said.recorded_time_ms))
            return
        with self._lock:
            if said.held:
                self._holds[said.game_id] = Hold(said.game_id, said.reason, said.detail, said.sequence)
            else:
                self._holds.pop(said.game_id, None)


class RulesFollowHolds:
    """The ledger's `GameHold` in a cluster: nothing to be done, every rules replica reads the topic itself."""

    def hold(self, game_id: str, reason: str) -> None:
        """See `GameHold`."""

    def release(self, game_id: str) -> None:
        """See `GameHold`."""


class ReplicaStore:
    """A `BookStore` whose books are this replica's own and whose holds are everybody's."""

    def __init__(self, books: BookStore, holds: TopicHolds) -> None:
        self._books = books
        self._holds = holds

    def load(self, game_id: str) -> StoredBook | None:
        """See `BookStore`."""
        return self._books.load(game_id)

    def append(self, game_id: str, expected: int, sequence: int, entries: Sequence[Entry]) -> None:
        """See `BookStore`."""
        self._books.append(game_id, expected, sequence, entries)

    def note_agreed(self, game_id: str, sequence: int) -> None:
        """See `BookStore`."""
        self._books.note_agreed(game_id, sequence)

    def forget(self, game_id: str) -> None:
        """See `BookStore`."""
        self._books.forget(game_id)

    def put_hold(self, hold: Hold) -> None:
        """See `BookStore`."""
        self._holds.put(hold)

    def remove_hold(self, game_id: str) -> None:
        """See `BookStore`."""
        self._holds.remove(game_id)

    def hold_of(self, game_id: str) -> Hold | None:
        """See `BookStore`."""
        return self._holds.hold_of(game_id)

    def holds(self) -> tuple[Hold, ...]:
        """See `BookStore`."""
        return self._holds.holds()

    def close(self) -> None:
        """See `BookStore`."""
        self._books.close()
