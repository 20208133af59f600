"""Reports to operators: followers that failed, and runs that routing and rules value differently."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter

from services.common.telemetry.logs import get_logger


class TelemetryAlarm:
    """Logs and counts. Implements `RulesAlarm`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._log = get_logger("rules")
        self._failures = Counter(
            "signalbox_rules_follower_failures", "Followers that raised an error", registry=registry
        )
        self._disagreements = Counter(
            "signalbox_rules_run_disagreements",
            "Best runs of routing that the rules refuse or value otherwise",
            registry=registry,
        )

    def failed(self, game_id: str, sequence: int, problem: Exception) -> None:
        """See `RulesAlarm`."""
        self._failures.inc()
        self._log.error("follower failed", game_id=game_id, sequence=sequence, problem=repr(problem))

    def disagreed(self, game_id: str, sequence: int, difference: str) -> None:
        """See `RulesAlarm`."""
        self._disagreements.inc()
        self._log.error(
            "routing and rules disagree", game_id=game_id, sequence=sequence, difference=difference
        )
