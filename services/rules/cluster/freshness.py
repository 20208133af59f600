"""Whether the copy has what Kafka has: asked for a game that seems not to exist, and now and then for all."""

from __future__ import annotations

import threading
import time

from services.common.errors import Unavailable
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.partition_ends import PartitionEnds
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS, partition_of
from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger

LOOK_EVERY_SECONDS = 5.0
BEHIND_SECONDS = 10.0


class CopyFreshness:
    """Asks Kafka where the events end, and looks after the copy in a thread of its own between `start` and `close`."""

    def __init__(self, kafka: KafkaSettings, copy: LogCopy, patience_seconds: float) -> None:
        """`patience_seconds`: how long the copy of one partition may take to catch up while somebody waits."""
        self._copy = copy
        self._topic = EVENTS.name_in(kafka)
        self._partitions = EVENTS.partitions(kafka)
        self._patience_seconds = patience_seconds
        self._log = get_logger("rules")
        self._ends = PartitionEnds(kafka, EVENTS, f"rules.fresh.{kafka.instance}")
        # A transaction that a dead owner left open is none of this copy's faults.
        self._decided_ends = PartitionEnds(kafka, EVENTS, f"rules.fresh.{kafka.instance}", counts_open=False)
        self._is_closing = threading.Event()
        self._thread: ServiceThread | None = None
        self._is_behind = False

    @property
    def is_current(self) -> bool:
        """False while the copy is shown to be far behind. While Kafka does not answer nothing can be shown."""
        return not self._is_behind and self._copy.is_following

    def start(self) -> None:
        """Look now and then whether the copy keeps up."""
        self._thread = ServiceThread("freshness", self._watch)
        self._thread.start()

    def close(self) -> None:
        """Hang up. May be called again."""
        if self._is_closing.is_set():
            return
        self._is_closing.set()
        if self._thread is not None:
            self._thread.join()
        self._ends.close()
        self._decided_ends.close()

    def catch_up(self, game_id: str) -> None:
        """Wait until the copy has the events of this game's partition that stand in Kafka now.

        Raises `Unavailable` when Kafka does not tell where they end, or the copy does not get there in time."""
        partition = partition_of(game_id, self._partitions)
        reached = self._copy.next_offset(partition)
        end = self._end(self._ends, partition)
        if end is None:
            raise Unavailable("whether there is such a game is not known: the log does not answer")
        if end > reached and not self._copy.wait_for({(self._topic, partition): end}, self._patience_seconds):
            raise Unavailable("the log is not read up to date yet; send the request again")

    def _end(self, ends: PartitionEnds, partition: int) -> int | None:
        try:
            return ends.of(partition, self._patience_seconds)
        except KafkaUnreachable as problem:
            self._log.warning("the end of the events is not known", problem=str(problem))
            return None

    def _watch(self) -> None:
        while not self._is_closing.wait(LOOK_EVERY_SECONDS):
            ends = self._decided_ends
            wanted = {(self._topic, each): self._end(ends, each) for each in range(self._partitions)}
            known = {place: end for place, end in wanted.items() if end is not None}
            if len(known) == len(wanted):
                self._note(not self._has(known))

    def _has(self, wanted: dict[tuple[str, int], int]) -> bool:
        deadline = time.monotonic() + BEHIND_SECONDS
        while not self._is_closing.is_set() and time.monotonic() < deadline:
            if self._copy.wait_for(wanted, LOOK_EVERY_SECONDS / 10):
                return True
        return self._is_closing.is_set()

    def _note(self, is_behind: bool) -> None:
        if is_behind is not self._is_behind:
            self._is_behind = is_behind
            tell = self._log.error if is_behind else self._log.info
            tell("the copy is behind" if is_behind else "the copy is current again")
