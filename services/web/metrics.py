"""Prometheus metrics of the web process."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from services.common.telemetry.logs import SECONDS_BUCKETS


class WebMetrics:
    """The metrics of one web server, in the registry of its process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "signalbox_web_requests",
            "Requests answered, by rpc or page and HTTP status",
            ("path", "status"),
            registry=registry,
        )
        self.seconds = Histogram(
            "signalbox_web_seconds",
            "Time from the headers of a request to the headers of its answer",
            ("path",),
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.active = Gauge("signalbox_web_active", "Requests and streams being worked on", registry=registry)
