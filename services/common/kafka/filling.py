"""Partitions of which a copy has nothing are filled from elsewhere, where that can be had, before they are read from Kafka."""

from __future__ import annotations

import queue
from collections.abc import Callable, Collection
from functools import partial
from typing import Protocol

from services.common.kafka.copyparts import PartitionOfCopy
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger

CLOSE_SECONDS = 5.0


class PartitionSource(Protocol):
    """Where partitions may be had."""

    def fill(self, part: PartitionOfCopy, is_wanted: Callable[[], bool]) -> bool:
        """Put all of a partition into a file, as long as it is wanted; False where it is not to be had. May raise anything."""
        ...


class Filling:
    """The partitions of one copy that are being filled, one after another, in a thread of its own. All methods are for the
    thread that follows Kafka, but the first calls may come before there is one."""

    def __init__(self, part: Callable[[int], PartitionOfCopy], source: PartitionSource | None) -> None:
        """`part` gives a partition of the file."""
        self._part = part
        self._source = source
        self._log = get_logger("copy")
        self._met: frozenset[int] = frozenset()
        self._wanted: frozenset[int] = frozenset()
        self._halves: frozenset[int] = frozenset()
        self._orders: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[tuple[int, bool]] = queue.SimpleQueue()
        self._thread: ServiceThread | None = None
        self.left: frozenset[int] = frozenset()
        """Partitions that are being filled, or wait for that: nobody else may write them."""

    def want(self, partitions: frozenset[int], saved: Callable[[], Collection[int]]) -> None:
        """Fill those of these partitions of which the file has nothing; the others of before need not be filled any more.

        `saved`: of which it has something."""
        self._wanted = partitions
        if self._source is None or not (new := partitions - self._met):
            return
        self._met |= new
        if not (empty := new.difference(saved())):
            return
        self.left |= empty
        for number in sorted(empty):
            self._orders.put(number)
        if self._thread is None:
            self._thread = ServiceThread("partition restore", self._work, self._source)
            self._thread.start()

    def halves(self) -> frozenset[int]:
        """Those of which parts are in the file that count for nothing: they have to be deleted, and `deleted` to be called."""
        while not self._ended.empty():
            number, is_half = self._ended.get()
            if is_half:
                self._halves |= {number}
            else:
                self.left -= {number}
                self._met -= {number} - self._wanted
        return self._halves

    def deleted(self, partitions: frozenset[int], wanted: frozenset[int]) -> None:
        """The file says that these are being deleted. They may be filled another time, but for halves that are wanted now:
        filling them has failed."""
        self._met -= partitions - (self._halves & wanted)
        self._halves -= partitions
        self.left -= partitions

    def close(self) -> None:
        """End; what hangs is not waited for. May be called again."""
        self._wanted = frozenset()
        self._orders.put(None)
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)
            self._thread = None

    def _work(self, source: PartitionSource) -> None:
        while (number := self._orders.get()) is not None:
            part, is_filled = self._part(number), False
            try:
                is_filled = self._is_wanted(number) and source.fill(part, partial(self._is_wanted, number))
            except Exception as problem:
                self._log.error("partition not restored", partition=number, problem=repr(problem))
            self._ended.put((number, part.has_begun and not is_filled))

    def _is_wanted(self, number: int) -> bool:
        return number in self._wanted
