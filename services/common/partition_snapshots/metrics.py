"""What is reported about snapshots of partitions."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

SECONDS_BUCKETS = (0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1200.0)


class WritingMetrics:
    """Of who writes them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.snapshots = Counter(
            "signalbox_partition_snapshots",
            "Snapshots of partitions that were written, or could not be",
            ("result",),
            registry=registry,
        )
        self.bytes = Counter(
            "signalbox_partition_snapshot_bytes", "Bytes of the objects written", registry=registry
        )
        self.seconds = Histogram(
            "signalbox_partition_snapshot_seconds",
            "Time to write a snapshot of a partition, rests included",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.newest = Gauge(
            "signalbox_partition_snapshot_timestamp_seconds",
            "When the newest snapshot of a partition that is owned here was begun",
            ("partition",),
            registry=registry,
        )
        self.passed = Gauge(
            "signalbox_partition_snapshots_pass_timestamp_seconds",
            "When all owned partitions were last looked through, and what was due written; at first the start of the process",
            registry=registry,
        )
        self.passed.set_to_current_time()


class RestoringMetrics:
    """Of who begins with them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.restores = Counter(
            "signalbox_partition_restores",
            "Partitions that had to be read: restored from a snapshot, without one, or not to be restored",
            ("result",),
            registry=registry,
        )
        self.bytes = Counter(
            "signalbox_partition_restore_bytes",
            "Bytes of the objects read to restore partitions",
            registry=registry,
        )
        self.seconds = Histogram(
            "signalbox_partition_restore_seconds",
            "Time to restore a partition from its snapshot, without what follows in Kafka",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
