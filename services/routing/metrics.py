"""Prometheus metrics of the routing service."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from services.common.telemetry.logs import SECONDS_BUCKETS

OVERRUN_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)


class RoutingMetrics:
    """The service's metrics, in the registry of its process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.queue_length = Gauge(
            "signalbox_routing_queue_length", "Questions waiting for a worker", registry=registry
        )
        self.workers_alive = Gauge(
            "signalbox_routing_workers_alive",
            "Workers that are warmed up and take questions",
            registry=registry,
        )
        self.worker_restarts = Counter(
            "signalbox_routing_worker_restarts", "Workers that died and were replaced", registry=registry
        )
        self.waiting_seconds = Histogram(
            "signalbox_routing_waiting_seconds",
            "Time from a question's arrival until a worker has it",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.solving_seconds = Histogram(
            "signalbox_routing_solving_seconds",
            "Time that a worker takes for a question",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.solved = Counter(
            "signalbox_routing_solved",
            "Questions that workers solved, by proven or not",
            ("proven",),
            registry=registry,
        )
        self.refused = Counter(
            "signalbox_routing_refused",
            "Questions rejected on arrival or dropped from the queue, by reason",
            ("reason",),
            registry=registry,
        )
        self.cache = Counter(
            "signalbox_routing_cache",
            "Questions by cache result: hit, miss, or joined to an equal one in flight",
            ("result",),
            registry=registry,
        )
        self.failed_checks = Counter(
            "signalbox_routing_failed_checks",
            "Answers that failed verification and were withheld",
            registry=registry,
        )
        self.overrun_seconds = Histogram(
            "signalbox_routing_deadline_overrun_seconds",
            "How long after its deadline a search that was cut short ended",
            buckets=OVERRUN_BUCKETS,
            registry=registry,
        )
