"""Holds in a cluster, stored in the topic ledger.events.

Every replica of the ledger, of rules and of the lobby reads the whole topic. A hold is written once per finding, and durably
before the offset of the record that led to it is committed, so that a crash in between repeats the finding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from google.protobuf.message import DecodeError

from services.common.clock import Clock
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import LEDGER_EVENTS
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.ledger.domain.journal import Entry
from services.ledger.ports import BookStore, Hold, StoredBook

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class RebuildRequested:
    """An operator asked every replica to rebuild its book of a game. Later requests have later times."""

    game_id: str
    time_ms: int


class TopicHolds:
    """Reads and writes the holds in ledger.events. Thread-safe."""

    def __init__(
        self, kafka: KafkaSettings, clock: Clock, on_rebuild_requested: Callable[[RebuildRequested], None]
    ) -> None:
        """`on_rebuild_requested` gets every request in the topic, old ones too, on the thread that reads it."""
        self._clock = clock
        self._on_rebuild_requested = on_rebuild_requested
        self._holds: dict[str, Hold] = {}
        self._requested_ms: dict[str, int] = {}
        self._lock = Lock()
        self._tail = TopicTail(kafka, LEDGER_EVENTS, one_by_one(self._note))
        self._log = get_logger("ledger")

    def start(self) -> None:
        """Read the topic to its end, then follow it. Raises `KafkaUnreachable`."""
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
        """Hold a game unless some replica holds it already. May be repeated after `KafkaUnreachable`."""
        self._tail.wait_current()
        if self.hold_of(hold.game_id) is None:
            self._write(hold, is_held=True)
            self._tail.wait_current()

    def remove(self, game_id: str) -> None:
        """Release a held game. May be repeated after `KafkaUnreachable`."""
        self._tail.wait_current()
        hold = self.hold_of(game_id)
        if hold is not None:
            self._write(hold, is_held=False)
            self._tail.wait_current()

    def request_rebuild(self, game_id: str) -> None:
        """Ask every replica to rebuild its book of the game. Raises `KafkaUnreachable`."""
        self._tail.wait_current()
        with self._lock:
            hold, last_ms = self._holds.get(game_id), self._requested_ms.get(game_id, 0)
        # Later than the previous request even if that one's clock was ahead: replicas skip requests that are not later.
        time_ms = max(self._clock.now_ms(), last_ms + 1)
        # Older versions ignore `rebuild_asked` and read the record as the current hold, so it repeats the hold.
        self._write(hold or Hold(game_id, "", "", 0), is_held=hold is not None, rebuild_ms=time_ms)

    def progress_reader(self) -> OwnReader:
        """The reader's progress in the topic."""
        return self._tail.progress_reader()

    def close(self) -> None:
        """Close the Kafka clients."""
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
                last_ms = self._requested_ms.get(said.game_id, 0)
                self._requested_ms[said.game_id] = max(last_ms, said.recorded_time_ms)
            # Its hold is one replica's view, which may be outdated: ignore it.
            self._on_rebuild_requested(RebuildRequested(said.game_id, said.recorded_time_ms))
            return
        with self._lock:
            if said.held:
                self._holds[said.game_id] = Hold(said.game_id, said.reason, said.detail, said.sequence)
            else:
                self._holds.pop(said.game_id, None)


class RulesFollowHolds:
    """The ledger's `GameHold` in a cluster: a no-op, since every rules replica reads the topic itself."""

    def hold(self, game_id: str, reason: str) -> None:
        """See `GameHold`."""

    def release(self, game_id: str) -> None:
        """See `GameHold`."""


class ReplicaStore:
    """A `BookStore` with this replica's own books and the holds shared by all replicas."""

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
