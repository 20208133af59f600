"""One run of a backup: the records from a point to a cut, in segments."""

from __future__ import annotations

from msgspec.structs import replace

from services.backup.catalogue import Catalogue, segments_digest
from services.backup.contents import Source, names_in
from services.backup.cut import Cut
from services.backup.format import BackedUpRecord, PartitionState, Point, chained, record_of
from services.backup.reading import read_between
from services.common.kafka.landmarks import landmark
from services.common.kafka.settings import KafkaSettings
from services.common.process import crashpoints

# A run that is cut off has read no more than so much in vain.
SEGMENTS_OF_PROGRESS = 32


class Run:
    """Writes segments and points after `point`, which must be the newest. For one call of `copy`."""

    def __init__(self, kafka: KafkaSettings, catalogue: Catalogue, point: Point, segment_bytes: int) -> None:
        self._kafka = kafka
        self._catalogue = catalogue
        self._point = point
        self._segment_bytes = segment_bytes
        self._states: dict[Source, PartitionState] = {
            (each.topic, each.partition): each for each in point.partitions
        }
        self._waiting: list[BackedUpRecord] = []
        self._waiting_bytes = 0

    def copy(self, cut: Cut) -> Point:
        """Write all records up to the cut and its point, and return that. Raises what store and Kafka raise."""
        names = names_in(self._kafka)
        starts = {name: self._states[source].next for name, source in names.items()}
        for message in read_between(self._kafka, starts, cut.ends):
            record = record_of(message, names[message.topic() or "", message.partition() or 0][0])
            self._waiting.append(record)
            self._waiting_bytes += record.size
            if self._waiting_bytes >= self._segment_bytes:
                self._write_segment()
                if self._point.segments % SEGMENTS_OF_PROGRESS == 0:
                    self._write_point(self._point.time_ms, consistent=False)
        if self._waiting:
            self._write_segment()
        for name, source in names.items():
            # A new leader may report an end below what is in the store already.
            reached = max(starts[name], cut.ends[name])
            self._states[source] = replace(self._states[source], next=reached)
        return self._write_point(cut.time_ms, consistent=True)

    def _write_segment(self) -> None:
        crashpoints.reach("backup.before-segment")
        name, size = self._catalogue.add_segment(self._point.segments, self._point.writer, self._waiting)
        crashpoints.reach("backup.after-segment")
        for record in self._waiting:
            source = record.topic, record.partition
            before, mark = self._states[source], landmark(record.offset, record.value)
            self._states[source] = replace(
                before,
                next=record.offset + 1,
                records=before.records + 1,
                digest=chained(before.digest, record),
                last=mark.offset,
                last_digest=mark.digest,
            )
        self._point = replace(
            self._point,
            segments=self._point.segments + 1,
            segments_digest=segments_digest(self._point.segments_digest, name),
            bytes=self._point.bytes + size,
        )
        self._waiting, self._waiting_bytes = [], 0

    def _write_point(self, time_ms: int, *, consistent: bool) -> Point:
        self._point = replace(
            self._point,
            number=self._point.number + 1,
            time_ms=time_ms,
            consistent=consistent,
            partitions=list(self._states.values()),
        )
        crashpoints.reach("backup.before-point")
        self._catalogue.add_point(self._point)
        crashpoints.reach("backup.after-point")
        return self._point
