"""The holds of the ledger, for the clocks of tables: read from its topic, from the beginning at each start."""

from __future__ import annotations

import threading

from google.protobuf.message import DecodeError

from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import LEDGER_EVENTS
from services.common.telemetry.logs import get_logger
from services.gen.signalbox.log.v1.log_pb2 import HoldChanged
from services.lobby.domain.games import HoldChange
from services.lobby.handlers.clocks.holds import HoldChanges

WAIT_SECONDS = 0.5


class HoldsFollower:
    """Passes every hold and release on to the clocks, in a thread of its own between `start` and `close`."""

    def __init__(self, kafka: KafkaSettings, changes: HoldChanges) -> None:
        self._changes = changes
        self._held: set[str] = set()
        self._lock = threading.Lock()
        self._tail = TopicTail(kafka, LEDGER_EVENTS, one_by_one(self.take))

    def start(self) -> None:
        """Begin to follow. Raises `KafkaUnreachable`."""
        self._tail.start()

    def is_current(self) -> bool:
        """Waits a moment for all records of the topic at the call; False when it takes longer."""
        return self._tail.is_current_within(WAIT_SECONDS)

    def held(self) -> frozenset[str] | None:
        """All games that are held now, None where that is not known."""
        if not self.is_current():
            return None
        with self._lock:
            return frozenset(self._held)

    def take(self, key: str, value: bytes | None) -> None:
        """A record of the topic."""
        try:
            said = HoldChanged.FromString(value or b"")
        except DecodeError as problem:
            get_logger("lobby").error("unreadable hold", game_id=key, problem=str(problem))
            return
        if said.rebuild_asked:
            return
        with self._lock:
            (self._held.add if said.held else self._held.discard)(said.game_id)
        self._changes.add(HoldChange(said.game_id, said.held, said.recorded_time_ms))

    def progress_reader(self) -> OwnReader:
        """How far the topic is read."""
        return self._tail.progress_reader()

    def close(self) -> None:
        """Stop following. May be called without `start`."""
        self._tail.close()
