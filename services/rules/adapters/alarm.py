"""Telling operators about followers that failed."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter

from services.common.telemetry import get_logger


class TelemetryAlarm:
    """Logs and counts. Implements `FollowerAlarm`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._log = get_logger("rules")
        self._failures = Counter(
            "signalbox_rules_follower_failures", "Followers that raised an error", registry=registry
        )

    def failed(self, game_id: str, sequence: int, problem: Exception) -> None:
        """See `FollowerAlarm`."""
        self._failures.inc()
        self._log.error("follower failed", game_id=game_id, sequence=sequence, problem=repr(problem))
