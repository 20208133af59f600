"""Prometheus metrics of the HTTP server."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from services.common.telemetry.logs import SECONDS_BUCKETS


class HttpMetrics:
    """The metrics of one HTTP server, in the registry of its process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "signalbox_routing_http_requests",
            "Requests ended, by path and HTTP status; 499 where the client left",
            ("path", "status"),
            registry=registry,
        )
        self.seconds = Histogram(
            "signalbox_routing_http_seconds",
            "Time from the headers of a request to its answer",
            ("path",),
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.active = Gauge("signalbox_routing_http_active", "Requests being worked on", registry=registry)
        self.connections = Gauge("signalbox_routing_http_connections", "Open connections", registry=registry)
        self.refused_connections = Counter(
            "signalbox_routing_http_refused_connections",
            "Connections closed at once because there were too many",
            registry=registry,
        )
