"""Writes snapshots of the partitions that this process owns, from its copy, each after so many records or so much time.

A kill at any step leaves at most pieces that no manifest names; the owner deletes them once two newer snapshots are there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from threading import Event

from prometheus_client import CollectorRegistry

from services.common.clock import Clock, SystemClock
from services.common.eventlog.port import LogClosed
from services.common.eventlog.whole_streams import WholeStream
from services.common.kafka.copyparts import PartAtMoment, PartitionOfCopy
from services.common.partition_snapshots.format import Manifest, in_pieces
from services.common.partition_snapshots.metrics import WritingMetrics
from services.common.partition_snapshots.store import PartitionSnapshots, SnapshotWriter
from services.common.process.crashpoints import reach
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger

LOOK_SECONDS = 60.0
RETRY_SECONDS = 15.0
CLOSE_SECONDS = 5.0
# After each piece, so many times as long as that took: games in play need the processor.
REST = 3.0
HOUR_MS = 3_600_000


class PartitionSnapshotter:
    """Works in a thread of its own between `start` and `close`."""

    def __init__(
        self,
        snapshots: PartitionSnapshots,
        part: Callable[[int], PartitionOfCopy],
        owned: Callable[[], Collection[int]],
        registry: CollectorRegistry,
        *,
        records: int,
        hours: float,
        look_seconds: float = LOOK_SECONDS,
        clock: Clock | None = None,
    ) -> None:
        """`part` gives a partition of the copy; `owned`: those whose snapshots are this process's task. One is due `records`
        offsets after the last, or after `hours` with any record."""
        self._snapshots = snapshots
        self._part = part
        self._owned = owned
        self._metrics = WritingMetrics(registry)
        self._records = records
        self._hours_ms = hours * HOUR_MS
        self._look_seconds = look_seconds
        self._clock = clock or SystemClock()
        self._started_ms = self._clock.now_ms()
        self._newest: dict[int, Manifest | None] = {}
        self._is_closing = Event()
        self._thread: ServiceThread | None = None
        self._log = get_logger("snapshots")

    def start(self) -> None:
        """Begin."""
        self._thread = ServiceThread("partition snapshots", self._work)
        self._thread.start()

    def close(self) -> None:
        """End. A call of the store that hangs is not waited for longer. May be called again."""
        self._is_closing.set()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)
            self._thread = None

    def _work(self) -> None:
        wait = self._look_seconds
        while not self._is_closing.wait(wait):
            wait = self._look_seconds
            try:
                self.run_once(REST)
            except LogClosed:
                return
            except Exception as problem:
                self._metrics.snapshots.labels("failed").inc()
                self._log.error("snapshots are tried again", problem=repr(problem))
                wait = min(RETRY_SECONDS, self._look_seconds)

    def run_once(self, rest: float = 0.0) -> int:
        """Write what is due; returns how many. Raises `StoreError`, `sqlite3.Error`, `LogClosed`."""
        owned, done = sorted(self._owned()), 0
        for partition in sorted(set(self._newest).difference(owned)):
            self._forget(partition)
        for partition in owned:
            if self._is_closing.is_set():
                return done
            done += self._write_if_due(partition, rest)
        self._metrics.passed.set_to_current_time()
        return done

    def _write_if_due(self, partition: int, rest: float) -> bool:
        if partition not in self._newest:
            self._note(partition, self._snapshots.newest(partition))
        part, began = self._part(partition), time.monotonic()
        with part.reading() as moment:
            if moment is None or not self._is_due(partition, moment.offsets[part.topics[0]]):
                return False
            written = self._write(part, moment, rest)
        if written is None:
            self._forget(partition)
            return False
        self._note(partition, written)
        self._snapshots.remove_old(partition)
        self._metrics.snapshots.labels("written").inc()
        self._metrics.seconds.observe(time.monotonic() - began)
        self._log.info(
            "snapshot written", partition=partition, snapshot=written.number, streams=written.streams
        )
        return True

    def _note(self, partition: int, newest: Manifest | None) -> None:
        self._newest[partition] = newest
        if newest is not None:
            self._metrics.newest.labels(str(partition)).set(newest.time_ms / 1000)

    def _forget(self, partition: int) -> None:
        """Somebody else owns the partition, or did meanwhile, and knows more of its snapshots."""
        if self._newest.pop(partition) is not None:
            self._metrics.newest.remove(str(partition))

    def _is_due(self, partition: int, offset: int) -> bool:
        newest = self._newest[partition]
        last = 0 if newest is None else newest.offsets.get(self._part(partition).topics[0], 0)
        if last > offset:
            # Of records that Kafka has lost.
            return True
        since_ms = self._clock.now_ms() - (self._started_ms if newest is None else newest.time_ms)
        return offset - last >= self._records or (offset > last and since_ms >= self._hours_ms)

    def _write(self, part: PartitionOfCopy, moment: PartAtMoment, rest: float) -> Manifest | None:
        writer, time_ms = self._snapshots.writer(part.number), self._clock.now_ms()
        try:
            self._add_all(writer, moment, rest)
            reach("partition.before-manifest")
            written = writer.finish(dict(moment.offsets), moment.last.offset, moment.last.digest, time_ms)
        except Exception:
            # It is tried again and again, and a store may be full.
            writer.abandon()
            raise
        if written is None:
            writer.abandon()
        return written

    def _add_all(self, writer: SnapshotWriter, moment: PartAtMoment, rest: float) -> None:
        began = time.monotonic()
        for streams in in_pieces(moment.streams):
            self._add(writer, streams)
            if self._is_closing.wait(rest * (time.monotonic() - began)):
                raise LogClosed("the process ends")
            began = time.monotonic()

    def _add(self, writer: SnapshotWriter, streams: Sequence[WholeStream]) -> None:
        before = writer.bytes
        writer.add(streams)
        self._metrics.bytes.inc(writer.bytes - before)
        reach("partition.after-piece")
