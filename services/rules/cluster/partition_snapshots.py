"""Snapshots of the partitions of rules, where a place for them is set: what a copy is filled from, and what writes them."""

from __future__ import annotations

from collections.abc import Callable, Collection

from prometheus_client import CollectorRegistry

from services.common.kafka.copy import LogCopy
from services.common.kafka.copyparts import PartitionOfCopy
from services.common.kafka.filling import PartitionSource
from services.common.kafka.offsets import identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, SNAPSHOTS
from services.common.objectstore.location import open_store
from services.common.partition_snapshots.format import Log
from services.common.partition_snapshots.restoring import SnapshotSource
from services.common.partition_snapshots.store import PartitionSnapshots
from services.common.partition_snapshots.writing import LOOK_SECONDS, PartitionSnapshotter
from services.common.settings.service import Settings

TOPICS = (EVENTS, SNAPSHOTS)


class ArchiveFirst:
    """A `PartitionSource` for replicas with an archive: before a partition is read from Kafka it is learned what the archive has,
    so that no game in it is written down. A snapshot says that itself."""

    def __init__(self, source: PartitionSource, learn: Callable[[], None]) -> None:
        """`learn` blocks until it is known, or for as long as one waits for that. It is called once."""
        self._source = source
        self._learn = learn
        self._has_learned = False

    def fill(self, part: PartitionOfCopy, is_wanted: Callable[[], bool]) -> bool:
        """See `PartitionSource.fill`."""
        if self._source.fill(part, is_wanted):
            return True
        if not self._has_learned:
            self._learn()
            self._has_learned = True
        return False


class RulesSnapshots:
    """Nothing at all where no place is set."""

    def __init__(self, settings: Settings, kafka: KafkaSettings, registry: CollectorRegistry) -> None:
        """Raises `StoreRefused` for a location that is none, and `KafkaUnreachable`."""
        self._settings = settings
        self._registry = registry
        self._snapshotter: PartitionSnapshotter | None = None
        self._snapshots: PartitionSnapshots | None = None
        self.source: SnapshotSource | None = None
        """What a copy is filled from."""
        if settings.partition_snapshots:
            log = Log(identity_of(kafka, TOPICS), EVENTS.partitions(kafka))
            self._snapshots = PartitionSnapshots(open_store(settings.partition_snapshots), log)
            self.source = SnapshotSource(kafka, TOPICS, self._snapshots, registry)

    def start(
        self, copy: LogCopy, owned: Callable[[], Collection[int]], look_seconds: float = LOOK_SECONDS
    ) -> None:
        """Begin to write snapshots of what is owned."""
        if self._snapshots is None:
            return
        self._snapshotter = PartitionSnapshotter(
            self._snapshots,
            copy.part,
            owned,
            self._registry,
            records=self._settings.partition_snapshot_records,
            hours=self._settings.partition_snapshot_hours,
            look_seconds=look_seconds,
        )
        self._snapshotter.start()

    def close(self) -> None:
        """End. May be called again."""
        if self._snapshotter is not None:
            self._snapshotter.close()
