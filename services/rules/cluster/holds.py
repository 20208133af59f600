"""The holds of the ledger, read from its topic: known to every possible owner before it owns a game."""

from __future__ import annotations

from collections.abc import Callable

from services.common.kafka.settings import KafkaSettings
from services.common.kafka.tail import TopicTail, one_by_one
from services.common.kafka.topics import LEDGER_EVENTS
from services.common.telemetry.logs import get_logger
from services.rules.cluster.records import Hold, UnreadableRecord, read_hold
from services.rules.cluster.tail_follower import TailFollower


class HoldsFollower(TailFollower):
    """Calls `held` for every record of the ledger, oldest first, in a thread of its own."""

    def __init__(self, kafka: KafkaSettings, held: Callable[[Hold], None]) -> None:
        self._held = held
        self._log = get_logger("holds")
        super().__init__(TopicTail(kafka, LEDGER_EVENTS, one_by_one(self._take)))

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
