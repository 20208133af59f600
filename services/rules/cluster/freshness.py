"""Checks how current the copy is: for a game that seems not to exist, and again and again for each partition.

What a partition has in Kafka is asked for, and once the copy has that, it is known to be as current as at the question. The time
counts from the question, by a clock that goes on while a process is stopped: so one that was stopped, or does not reach Kafka,
knows by itself that its copy may be old.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from services.common.errors import Unavailable
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.partition_ends import PartitionEnds
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import EVENTS
from services.common.partitions import partition_of
from services.common.process.repeating import RepeatingThread
from services.common.telemetry.logs import get_logger

LOOK_EVERY_SECONDS = 0.25
ASK_EVERY_SECONDS = 5.0
BEHIND_SECONDS = 10.0
OLD_SECONDS_MAX = 15.0
"""How old an answer may be: it has everything that was acknowledged so long before the question arrived."""
NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What Kafka had of a partition: the offset after the last record, and when that was asked for, in monotonic seconds."""

    end: int
    at: float


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
        self._thread = RepeatingThread("freshness", self.look, LOOK_EVERY_SECONDS)
        self._is_behind = False
        self._pending: dict[int, _Asked] = {}
        self._current_at: dict[int, float] = {}
        self._failed_at: dict[int, float] = {}
        self._old: frozenset[int] = frozenset()

    def is_fresh(self, partition: int) -> bool:
        """Whether the copy is known to have everything of a partition that was in Kafka `OLD_SECONDS_MAX` ago."""
        return time.monotonic() - self._current_at.get(partition, NEVER) <= OLD_SECONDS_MAX

    @property
    def is_current(self) -> bool:
        """False while the copy is known to be far behind; unchanged while Kafka does not answer."""
        return not self._is_behind and self._copy.is_following

    def start(self) -> None:
        """Check regularly whether the copy keeps up."""
        self._thread.start()

    def close(self) -> None:
        """Stop and disconnect. May be called again."""
        if self._thread.is_closing:
            return
        self._thread.close()
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

    def look(self) -> None:
        """Compare the copy with the ends asked for, and ask for those whose turn it is. In one thread."""
        watched = frozenset(self._watched())
        self._compare(watched)
        self._ask(watched)
        self._note_old(frozenset(each for each in watched if not self.is_fresh(each)))

    def _compare(self, watched: Collection[int]) -> None:
        for partition, asked in list(self._pending.items()):
            if partition not in watched:
                del self._pending[partition]
            elif self._copy.next_offset(partition) >= asked.end:
                self._current_at[partition] = asked.at
                del self._pending[partition]
        now = time.monotonic()
        self._note(any(now - asked.at > BEHIND_SECONDS for asked in self._pending.values()))

    def _ask(self, watched: Collection[int]) -> None:
        """Those that were not answered for last come last, so that they do not hold up the others."""
        now = time.monotonic()
        due = [
            each
            for each in watched
            if each not in self._pending and now - self._current_at.get(each, NEVER) >= ASK_EVERY_SECONDS
        ]
        for partition in sorted(due, key=lambda each: self._failed_at.get(each, NEVER)):
            asked_at = time.monotonic()
            end = self._end(self._decided_ends, partition)
            if end is None:
                self._failed_at[partition] = asked_at
                break
            self._failed_at.pop(partition, None)
            self._pending[partition] = _Asked(end, asked_at)

    def _note_old(self, old: frozenset[int]) -> None:
        if old != self._old:
            self._old = old
            self._log.info("partitions not known to be current", partitions=sorted(old))

    def _note(self, is_behind: bool) -> None:
        if is_behind is not self._is_behind:
            self._is_behind = is_behind
            log = self._log.error if is_behind else self._log.info
            log("the copy is behind" if is_behind else "the copy is current again")
