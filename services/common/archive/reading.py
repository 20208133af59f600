"""Reads objects of the archive for callers who do not wait long: with a deadline, a cache, and few threads, whatever the store
does. A thread of a call never waits for the store itself, which may hang for ever."""

from __future__ import annotations

import time
from collections import OrderedDict
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Semaphore, Thread

from prometheus_client import CollectorRegistry, Counter, Histogram

from services.common.archive.contents import ArchivedStream
from services.common.archive.errors import ArchiveUnavailable, DamagedObject, DeletedFromArchive
from services.common.archive.names import STREAM_PREFIX
from services.common.archive.store import ArchiveStore
from services.common.clock import Clock, SystemClock
from services.common.eventlog.archived import Marker
from services.common.objectstore.port import ObjectMissing, StoreError
from services.common.telemetry.logs import get_logger

SECONDS = 3.0
# After a call that the store did not answer, others are refused at once for so long.
REFUSE_SECONDS = 5.0
THREADS = 4
WAITING_MAX = 16
READING_MAX = 64
# Decoded records take about twice their bytes.
CACHED_BYTES_MAX = 32 * 1024 * 1024

AWAY = "the game is in the archive, which does not answer now; try again later"
BUSY = "the game is in the archive, and too many others are being read from it; try again later"
DELETED = "the game was deleted from the archive"


class ArchiveReader:
    """The streams in an archive. Safe for many threads."""

    def __init__(
        self,
        store: ArchiveStore,
        registry: CollectorRegistry,
        clock: Clock | None = None,
        seconds: float = SECONDS,
        refuse_seconds: float = REFUSE_SECONDS,
        cached_bytes_max: int = CACHED_BYTES_MAX,
    ) -> None:
        """`seconds`: how long a caller waits at most."""
        self._store = store
        self._clock = clock or SystemClock()
        self._seconds = seconds
        self._refuse_seconds = refuse_seconds
        self._cached_bytes_max = cached_bytes_max
        self._cached: OrderedDict[str, ArchivedStream] = OrderedDict()
        self._cached_bytes = 0
        self._lock = Lock()
        self._waiting = Semaphore(WAITING_MAX)
        self._reading: dict[str, Future[ArchivedStream]] = {}
        self._jobs: SimpleQueue[tuple[Marker, Future[ArchivedStream]] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._away_until = 0.0
        self._log = get_logger("archive")
        self._reads = Counter(
            "signalbox_archive_reads",
            "Games wanted from the archive, by result",
            ("result",),
            registry=registry,
        )
        self._read_seconds = Histogram(
            "signalbox_archive_read_seconds",
            "How long it took to read a game from the archive",
            buckets=(0.005, 0.02, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0),
            registry=registry,
        )

    def get(self, marker: Marker) -> ArchivedStream:
        """The stream of a marker. Raises `ArchiveUnavailable`, `DeletedFromArchive` and `DamagedObject`."""
        with self._lock:
            found = self._cached.get(marker.object)
            if found is not None:
                self._cached.move_to_end(marker.object)
                self._reads.labels("cached").inc()
                return found
            if time.monotonic() < self._away_until:
                raise self._refused("away", AWAY)
        if not self._waiting.acquire(blocking=False):
            raise self._refused("busy", BUSY)
        try:
            return self._answer(marker, self._asked(marker))
        finally:
            self._waiting.release()

    def close(self) -> None:
        """Let the threads end, as soon as each is through. May be called again."""
        for _ in self._threads:
            self._jobs.put(None)
        self._threads = []

    def _asked(self, marker: Marker) -> Future[ArchivedStream]:
        """What a thread reads now for all who want it."""
        with self._lock:
            future = self._reading.get(marker.object)
            if future is None:
                if len(self._reading) >= READING_MAX:
                    raise self._refused("busy", BUSY)
                if len(self._threads) < THREADS and len(self._reading) >= len(self._threads):
                    thread = Thread(target=self._work, name="archive-reader", daemon=True)
                    self._threads.append(thread)
                    thread.start()
                future = self._reading[marker.object] = Future()
                self._jobs.put((marker, future))
            return future

    def _answer(self, marker: Marker, future: Future[ArchivedStream]) -> ArchivedStream:
        try:
            found = future.result(self._seconds)
        except TimeoutError:
            self._note_away()
            raise self._refused("away", AWAY) from None
        except DeletedFromArchive:
            self._reads.labels("deleted").inc()
            raise
        except DamagedObject as damaged:
            self._reads.labels("damaged").inc()
            self._log.error("archived game damaged", game=marker.stream, problem=str(damaged))
            raise
        except StoreError as problem:
            self._note_away()
            self._log.warning("archive does not answer", problem=str(problem))
            raise self._refused("away", AWAY) from problem
        self._reads.labels("read").inc()
        return found

    def _note_away(self) -> None:
        self._away_until = time.monotonic() + self._refuse_seconds

    def _refused(self, result: str, sentence: str) -> ArchiveUnavailable:
        self._reads.labels(result).inc()
        return ArchiveUnavailable(sentence)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            marker, future = job
            began = time.monotonic()
            try:
                found = self._read(marker)
            except BaseException as problem:
                self._done(marker)
                future.set_exception(problem)
            else:
                self._read_seconds.observe(time.monotonic() - began)
                self._keep(marker.object, found)
                self._done(marker)
                future.set_result(found)

    def _read(self, marker: Marker) -> ArchivedStream:
        try:
            return self._store.get(marker.object, marker.stream, marker.sequence)
        except ObjectMissing as missing:
            game_id = marker.stream.removeprefix(STREAM_PREFIX)
            if self._store.recent_deletion(game_id, self._clock.now_ms()) is not None:
                raise DeletedFromArchive(DELETED) from missing
            raise DamagedObject(f"{marker.object}: is missing in the archive") from missing

    def _done(self, marker: Marker) -> None:
        with self._lock:
            del self._reading[marker.object]

    def _keep(self, name: str, found: ArchivedStream) -> None:
        with self._lock:
            self._cached[name] = found
            self._cached_bytes += found.heading.raw_bytes
            while self._cached_bytes > self._cached_bytes_max and self._cached:
                _, oldest = self._cached.popitem(last=False)
                self._cached_bytes -= oldest.heading.raw_bytes
