"""Fills a partition of a copy from its newest snapshot that fits the log; whatever is wrong, it is read from Kafka instead."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from prometheus_client import CollectorRegistry

from services.common.errors import SignalboxError
from services.common.eventlog.whole_streams import StoredStream
from services.common.kafka.copyparts import PartitionOfCopy
from services.common.kafka.landmarks import Landmark, lost_landmarks
from services.common.kafka.offsets import beginnings, ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic
from services.common.objectstore.port import ObjectMissing, StoreError
from services.common.partition_snapshots.format import Manifest, Piece, UnusableSnapshot
from services.common.partition_snapshots.metrics import RestoringMetrics
from services.common.partition_snapshots.store import PartitionSnapshots
from services.common.process.crashpoints import reach
from services.common.telemetry.logs import get_logger

# Reading Kafka is quicker than a store that takes longer for a piece, and that is not asked again for a while.
PIECE_SECONDS_MAX = 10.0
AWAY_SECONDS = 60.0


class StoreTooSlow(SignalboxError):
    """The store takes too long for a piece."""


class NotWantedAnyMore(SignalboxError):
    """The partition went to other replicas meanwhile."""


class SnapshotSource:
    """The `PartitionSource` port over a store of snapshots."""

    def __init__(
        self,
        kafka: KafkaSettings,
        topics: Sequence[Topic],
        snapshots: PartitionSnapshots,
        registry: CollectorRegistry,
        piece_seconds_max: float = PIECE_SECONDS_MAX,
    ) -> None:
        """`topics`: those of the copy."""
        self._kafka = kafka
        self._topics = topics
        self._snapshots = snapshots
        self._metrics = RestoringMetrics(registry)
        self._piece_seconds_max = piece_seconds_max
        self._away_until = float("-inf")
        self._log = get_logger("restore")

    def fill(self, part: PartitionOfCopy, is_wanted: Callable[[], bool]) -> bool:
        """See `PartitionSource.fill`. Raises nothing but what says that the file or Kafka is at fault."""
        began = time.monotonic()
        if began < self._away_until:
            self._metrics.restores.labels("failed").inc()
            return False
        try:
            manifest = self._usable(part)
            if manifest is not None:
                self._put(part, manifest, is_wanted)
        except Exception as problem:
            if isinstance(problem, StoreError | StoreTooSlow) and not isinstance(problem, ObjectMissing):
                self._away_until = time.monotonic() + AWAY_SECONDS
            self._metrics.restores.labels("failed").inc()
            self._log.error("partition is read from Kafka", partition=part.number, problem=repr(problem))
            return False
        if manifest is None:
            self._metrics.restores.labels("none").inc()
            return False
        self._metrics.restores.labels("restored").inc()
        self._metrics.seconds.observe(time.monotonic() - began)
        self._log.info(
            "partition restored",
            partition=part.number,
            snapshot=manifest.number,
            streams=manifest.streams,
            offsets=manifest.offsets,
        )
        return True

    def _usable(self, part: PartitionOfCopy) -> Manifest | None:
        """The newest that fits. Raises what store and Kafka raise."""
        for number in reversed(self._snapshots.numbers(part.number)):
            try:
                manifest = self._snapshots.manifest(part.number, number)
                self._check_in_log(part, manifest)
            except (UnusableSnapshot, ObjectMissing) as problem:
                self._metrics.restores.labels("unusable").inc()
                self._log.error("snapshot passed over", partition=part.number, problem=str(problem))
            else:
                return manifest
        return None

    def _check_in_log(self, part: PartitionOfCopy, manifest: Manifest) -> None:
        """Raises `UnusableSnapshot` unless Kafka has what is in the snapshot, and what follows it; `KafkaUnreachable`."""
        name = f"{self._snapshots}, partition {part.number}, snapshot {manifest.number}"
        # Of a topic that is missing nothing had been read: it is read from its beginning.
        if not {part.topics[0]} <= set(manifest.offsets) <= set(part.topics):
            raise UnusableSnapshot(f"{name}: is of the topics {sorted(manifest.offsets)}")
        first, last = beginnings(self._kafka, self._topics), ends(self._kafka, self._topics)
        for topic, offset in manifest.offsets.items():
            begin, end = first[topic, part.number], last[topic, part.number]
            if not begin <= offset <= end:
                raise UnusableSnapshot(f"{name}: ends at {offset}, Kafka has {begin} to {end} of {topic}")
        mark = Landmark(manifest.last_offset, manifest.last_digest)
        if mark.offset >= manifest.offsets[part.topics[0]]:
            raise UnusableSnapshot(f"{name}: its last record is behind its end")
        if lost_landmarks(self._kafka, {(part.topics[0], part.number): mark}):
            raise UnusableSnapshot(f"{name}: Kafka has another record at its end")

    def _put(self, part: PartitionOfCopy, manifest: Manifest, is_wanted: Callable[[], bool]) -> None:
        part.begin()
        writing: Future[None] | None = None
        try:
            for piece in manifest.pieces:
                if not is_wanted():
                    raise NotWantedAnyMore(f"partition {part.number} is not wanted any more")
                # While the one before is written; no more of them are in memory.
                streams = self._read(part, piece)
                _wait(writing)
                writing = part.put(streams)
        finally:
            _wait(writing)
        part.finish(manifest.offsets, Landmark(manifest.last_offset, manifest.last_digest))

    def _read(self, part: PartitionOfCopy, piece: Piece) -> Sequence[StoredStream]:
        began = time.monotonic()
        streams, size = self._snapshots.streams(piece)
        seconds = time.monotonic() - began
        if seconds > self._piece_seconds_max:
            raise StoreTooSlow(f"{piece.name}: {seconds:.0f} s for {size} bytes")
        if not all(part.has(each.stream) for each in streams):
            raise UnusableSnapshot(f"{piece.name}: has streams of other partitions")
        self._metrics.bytes.inc(size)
        return streams


def _wait(writing: Future[None] | None) -> None:
    if writing is not None:
        writing.result()
        reach("partition.after-batch")
