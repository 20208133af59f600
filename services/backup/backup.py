"""Copies new records of Kafka into a store, and says up to which moment they are there."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from services.backup.catalogue import Catalogue
from services.backup.contents import DERIVED, TOPICS, names_in
from services.backup.cut import consistent_cut
from services.backup.format import PartitionState, Point
from services.backup.run import Run
from services.common.errors import SignalboxError
from services.common.kafka.administration import check_topics
from services.common.kafka.landmarks import Landmark, lost_landmarks
from services.common.kafka.offsets import OffsetReader, identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.objectstore.port import ObjectStore
from services.common.process import crashpoints

SEGMENT_BYTES = 8 * 1024 * 1024
POINTS_KEPT = 1000


class OtherLog(SignalboxError):
    """The store has a log that Kafka has not: topics were created anew, or brokers were put back to an earlier state."""


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a run has added: `bytes` as stored."""

    point: Point
    records: int
    bytes: int


class Backup:
    """One process that backs up into one store. From its first run on no process before it can go on with the same store."""

    def __init__(self, kafka: KafkaSettings, store: ObjectStore, segment_bytes: int = SEGMENT_BYTES) -> None:
        """`segment_bytes`: about the size of a segment before compression. Connects at the first run."""
        self._kafka = kafka
        self._store = store
        self._catalogue = Catalogue(store)
        self._segment_bytes = segment_bytes
        self._reader = OffsetReader(kafka)
        self._point: Point | None = None

    def run(self) -> BackedUp:
        """Copy what is new since the last point, and write the next one. After a failure the next run takes over again.

        Raises `BackupReplaced`, `OtherLog`, `NoConsistentPoint`, `UnusableBackup`, `StoreError`, `KafkaUnreachable`,
        `TopicsDiffer`."""
        point, self._point = self._point, None
        if point is None:
            point = self._begin()
        after = Run(self._kafka, self._catalogue, point, self._segment_bytes).copy(
            consistent_cut(self._reader)
        )
        self._catalogue.remove_points_before(after.number - POINTS_KEPT)
        self._point = after
        return BackedUp(after, after.records - point.records, after.bytes - point.bytes)

    def close(self) -> None:
        """Disconnect from Kafka."""
        self._reader.close()

    def _begin(self) -> Point:
        """Take over from the process before: it cannot write its next point, and its unfinished segments are removed."""
        check_topics(self._kafka, TOPICS, may_be_closed=TOPICS)
        identity = identity_of(self._kafka, TOPICS)
        before = self._catalogue.newest()
        if before is None:
            partitions = [
                PartitionState(topic=topic, partition=each) for topic, each in names_in(self._kafka).values()
            ]
            point = Point(
                number=0, time_ms=0, consistent=False, writer=0, identity=identity, partitions=partitions
            )
        else:
            self._check_same_log(before, identity)
            point = replace(before, number=before.number + 1, writer=before.number + 1)
        self._catalogue.add_point(point)
        crashpoints.reach("backup.after-begin")
        self._catalogue.remove_segments_from(point.segments)
        return point

    def _check_same_log(self, point: Point, identity: str) -> None:
        """Raises `OtherLog`: records that Kafka has lost are in the store, and later ones must not be mixed with them."""
        if point.identity != identity:
            raise OtherLog(f"{self._store} has a backup of other topics; back up into another place")
        derived = {topic.name for topic in DERIVED}
        ends = self._reader.ends(TOPICS)
        states = {(each.topic, each.partition): each for each in point.partitions}
        landmarks, short = {}, []
        for name, source in names_in(self._kafka).items():
            state = states[source]
            if state.next > ends[name]:
                short.append(name)
            # Compaction may have removed the record by which a derived topic would be recognised.
            elif state.last >= 0 and state.topic not in derived:
                landmarks[name] = Landmark(state.last, state.last_digest)
        if lost := short or lost_landmarks(self._kafka, landmarks):
            raise OtherLog(
                f"Kafka has lost records of {', '.join(f'{topic} {each}' for topic, each in lost)}, "
                f"which {self._store} has; keep it, and back up into another place"
            )
