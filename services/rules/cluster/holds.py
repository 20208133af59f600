"""The holds of the ledger, read from its topic: known to every possible owner before it owns a game."""

from __future__ import annotations

from collections.abc import Callable

from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.progress import OwnReader
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import LEDGER_EVENTS
from services.common.telemetry.logs import get_logger
from services.rules.cluster.records import Hold, UnreadableRecord, read_hold


class HoldsFollower:
    """Calls `held` for every record of the ledger, oldest first, in a thread of its own."""

    def __init__(self, kafka: KafkaSettings, held: Callable[[Hold], None]) -> None:
        self._held = held
        self._log = get_logger("holds")
        self._tail = TopicTail(kafka, LEDGER_EVENTS, one_by_one(self._take))

    def start(self) -> None:
        """Begin to follow."""
        self._tail.start()

    def wait_current(self, seconds: float) -> bool:
        """Block until all records of the ledger at the call are read; False when it takes longer."""
        try:
            self._tail.wait_current(seconds)
        except KafkaUnreachable:
            return False
        return True

    def progress_reader(self) -> OwnReader:
        """How far the ledger's events are read."""
        return self._tail.progress_reader()

    def close(self) -> None:
        """Stop following. May be called again."""
        self._tail.close()

    def _take(self, key: str, value: bytes | None) -> None:
        try:
            hold = read_hold(value)
        except UnreadableRecord as problem:
            self._log.error("unreadable record", topic=LEDGER_EVENTS.name, key=key, problem=str(problem))
            return
        if hold is None:
            return
        self._held(hold)
        self._log.info("hold" if hold.held else "release", game_id=hold.game_id, reason=hold.reason)
