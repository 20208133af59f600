"""Metrics of followers."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from prometheus_client import CollectorRegistry, Counter, Gauge


class FollowerMetrics:
    """Metrics of all followers of a process, each under its name."""

    def __init__(self, registry: CollectorRegistry) -> None:
        on_topic = ("follower", "topic")
        self.records = Counter("signalbox_follower_records", "Records handled", on_topic, registry=registry)
        self.retries = Counter(
            "signalbox_follower_retries",
            "Retries after a failure of the handler",
            on_topic,
            registry=registry,
        )
        self.dead_letters = Counter(
            "signalbox_follower_dead_letters",
            "Records written to the dead letters",
            on_topic,
            registry=registry,
        )
        self.blocked_games = Gauge(
            "signalbox_follower_blocked_games",
            "Blocked games, on all replicas",
            ("follower",),
            registry=registry,
        )
        self.waiting = Gauge(
            "signalbox_follower_waiting",
            "1 while a record waits for a dependency",
            on_topic,
            registry=registry,
        )
        self.lag = Gauge(
            "signalbox_follower_lag_records", "Offsets committed and not handled", on_topic, registry=registry
        )
        self.seconds_behind = Gauge(
            "signalbox_follower_seconds_behind",
            "Age of the record handled last while others wait, else 0",
            on_topic,
            registry=registry,
        )
        self.breakdowns = Counter(
            "signalbox_follower_breakdowns",
            "Restarts of the follower after a failure",
            ("follower",),
            registry=registry,
        )


_OF: WeakKeyDictionary[CollectorRegistry, FollowerMetrics] = WeakKeyDictionary()


def metrics_in(registry: CollectorRegistry) -> FollowerMetrics:
    """The metrics of a registry, made once."""
    found = _OF.get(registry)
    if found is None:
        found = _OF[registry] = FollowerMetrics(registry)
    return found
