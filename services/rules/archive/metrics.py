"""What the archiver of a process reports."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge


class ArchiveMetrics:
    """Counters and gauges; made once for a process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.games = Counter(
            "signalbox_archive_games",
            "Games put into the archive, taken out of it, or that could not be",
            ("result",),
            registry=registry,
        )
        self.bytes = Counter("signalbox_archive_bytes", "Bytes of the objects written", registry=registry)
        self.known = Gauge(
            "signalbox_archive_known_games",
            "Games of which this process knows that they are archived",
            registry=registry,
        )
        self.passed = Gauge(
            "signalbox_archive_pass_timestamp_seconds",
            "When the archive was last looked through and everything due was put into it; at first the start of the process",
            registry=registry,
        )
        self.passed.set_to_current_time()
