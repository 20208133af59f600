"""Checks whether the copy is current: for a game that seems not to exist, and regularly for all partitions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection

from services.common.errors import Unavailable
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.partition_ends import PartitionEnds
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.partitions import partition_of
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger

LOOK_EVERY_SECONDS = 5.0
BEHIND_SECONDS = 10.0


class CopyFreshness:
    """Compares the copy with the ends of the events, in a thread of its own between `start` and `close`."""

    def __init__(
        self,
        kafka: KafkaSettings,
        copy: LogCopy,
        timeout_seconds: float,
        watched: Callable[[], Collection[int]] | None = None,
    ) -> None:
        """`timeout_seconds`: how long the copy of one partition may take to catch up while a call waits. `watched`: the
        partitions that must keep up; by default all."""
        self._watched = watched or (lambda: range(EVENTS.partitions(kafka)))
        self._copy = copy
        self._topic = EVENTS.name_in(kafka)
        self._partitions = EVENTS.partitions(kafka)
        self._timeout_seconds = timeout_seconds
        self._log = get_logger("rules")
        self._ends = PartitionEnds(kafka, EVENTS, f"rules.fresh.{kafka.instance}")
        # A transaction that a dead owner left open does not make this copy stale.
        self._decided_ends = PartitionEnds(kafka, EVENTS, f"rules.fresh.{kafka.instance}", counts_open=False)
        self._is_closing = threading.Event()
        self._thread: ServiceThread | None = None
        self._is_behind = False

    @property
    def is_current(self) -> bool:
        """False while the copy is known to be far behind; unchanged while Kafka does not answer."""
        return not self._is_behind and self._copy.is_following

    def start(self) -> None:
        """Check regularly whether the copy keeps up."""
        self._thread = ServiceThread("freshness", self._watch)
        self._thread.start()

    def close(self) -> None:
        """Stop and disconnect. May be called again."""
        if self._is_closing.is_set():
            return
        self._is_closing.set()
        if self._thread is not None:
            self._thread.join()
        self._ends.close()
        self._decided_ends.close()

    def catch_up(self, game_id: str) -> None:
        """Wait until the copy has the events of this game's partition that are in Kafka at the call.

        Raises `Unavailable` when Kafka does not report their end, or the copy does not reach it in time."""
        partition = partition_of(game_id, self._partitions)
        reached = self._copy.next_offset(partition)
        end = self._end(self._ends, partition)
        if end is None:
            raise Unavailable("whether there is such a game is not known: the log does not answer")
        if end > reached and not self._copy.wait_for({(self._topic, partition): end}, self._timeout_seconds):
            raise Unavailable("the log is not read up to date yet; send the request again")

    def _end(self, ends: PartitionEnds, partition: int) -> int | None:
        try:
            return ends.of(partition, self._timeout_seconds)
        except KafkaUnreachable as problem:
            self._log.warning("the end of the events is not known", problem=str(problem))
            return None

    def _watch(self) -> None:
        while not self._is_closing.wait(LOOK_EVERY_SECONDS):
            ends = self._decided_ends
            wanted = {(self._topic, each): self._end(ends, each) for each in self._watched()}
            known = {name: end for name, end in wanted.items() if end is not None}
            if len(known) == len(wanted):
                self._note(not self._has(known))

    def _has(self, wanted: dict[tuple[str, int], int]) -> bool:
        deadline = time.monotonic() + BEHIND_SECONDS
        while not self._is_closing.is_set() and time.monotonic() < deadline:
            watched = frozenset(self._watched())
            still = {name: end for name, end in wanted.items() if name[1] in watched}
            if self._copy.wait_for(still, LOOK_EVERY_SECONDS / 10):
                return True
        return self._is_closing.is_set()

    def _note(self, is_behind: bool) -> None:
        if is_behind is not self._is_behind:
            self._is_behind = is_behind
            log = self._log.error if is_behind else self._log.info
            log("the copy is behind" if is_behind else "the copy is current again")
