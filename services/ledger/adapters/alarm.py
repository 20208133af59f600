"""Alarms as structured log lines and Prometheus metrics."""

from __future__ import annotations

import structlog
from prometheus_client import REGISTRY, CollectorRegistry, Counter

from services.ledger.ports import Hold


class TelemetryAlarm:
    """Counts in `registry`; any `signalbox_ledger_alarms_total` above 0 needs an operator."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self._log = structlog.get_logger("ledger")
        self._events = Counter("signalbox_ledger_events_booked", "Events booked", registry=registry)
        self._alarms = Counter(
            "signalbox_ledger_alarms", "Findings that hold a game", ["reason"], registry=registry
        )
        self._rebuilds = Counter("signalbox_ledger_rebuilds", "Books rebuilt from the log", registry=registry)

    def booked(self, events: int) -> None:
        """Count the events."""
        self._events.inc(events)

    def raised(self, hold: Hold) -> None:
        """Log an error and count it by reason."""
        self._alarms.labels(hold.reason).inc()
        self._log.error(
            "game_held", game_id=hold.game_id, reason=hold.reason, detail=hold.detail, sequence=hold.sequence
        )

    def rebuilt(self, game_id: str, why: str) -> None:
        """Log a warning and count it."""
        self._rebuilds.inc()
        self._log.warning("book_rebuilt", game_id=game_id, why=why)
