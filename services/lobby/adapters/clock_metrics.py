"""What the clocks of tables did, as metrics."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter


def clock_counter(registry: CollectorRegistry) -> Callable[[str, str], None]:
    """Counts a step about a turn by action and outcome."""
    steps = Counter(
        "signalbox_clock_steps",
        "Reminders, and steps about overdue turns, by action and outcome",
        ["action", "outcome"],
        registry=registry,
    )

    def count(action: str, outcome: str) -> None:
        steps.labels(action, outcome).inc()

    return count
