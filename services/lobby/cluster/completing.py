"""Finds games without a summary, once for each partition: by the replica that follows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from services.common.clock import SystemClock
from services.common.faust.dead_letters import DeadLetters
from services.common.faust.records import UnprocessableRecord
from services.common.kafka.settings import KafkaSettings
from services.lobby.cluster.backfill import Key, consumed_records
from services.lobby.cluster.consumer_progress import ConsumerProgress
from services.lobby.cluster.statuses import read_status
from services.lobby.cluster.summaries import ReplicaSummaries
from services.lobby.domain.games import GameStatus
from services.lobby.event_codec import UnknownRecord
from services.lobby.ports import IsCancelled

# What is not complete is looked at again after pauses that grow from the one to the other.
PAUSE_SECONDS = (0.25, 5.0)
# Kafka forgets notes after a week.
NOTED_AGAIN_SECONDS = 6 * 3600.0


class Completing:
    """Completes the summaries of the partitions that a replica follows. For one thread."""

    def __init__(
        self,
        kafka: KafkaSettings,
        group: str,
        summaries: ReplicaSummaries,
        progress: ConsumerProgress,
        dead_letters: Callable[[], DeadLetters],
        follow: Callable[[GameStatus], None],
    ) -> None:
        """`group` consumes the statuses, as `progress` knows. `dead_letters`: all until now. `follow` updates a summary."""
        self._kafka = kafka
        self._group = group
        self._summaries = summaries
        self._progress = progress
        self._dead_letters = dead_letters
        self._follow = follow
        self._clock = SystemClock()
        self._since: dict[int, int] = {}
        self._pause = PAUSE_SECONDS[0]
        self._look_again_at = 0.0
        self._note_again_at = 0.0

    def look(self, is_cancelled: IsCancelled) -> None:
        """Complete the partitions that can be completed now; cheap when nothing is left. A partition is complete once all
        statuses from before the first look have been consumed and summaries that are still missing were made from them.
        Raises `Unavailable`."""
        completeness, now = self._summaries.completeness, time.monotonic()
        if len(completeness.partitions) < self._summaries.partitions and now >= self._look_again_at:
            self._look_again_at, self._pause = now + self._pause, min(2 * self._pause, PAUSE_SECONDS[1])
            completeness.look()
            completed = [
                partition
                for partition in sorted(self._summaries.followed - completeness.partitions)
                if not is_cancelled() and self._is_consumed(partition) and self._fill(partition, is_cancelled)
            ]
            if completed:
                completeness.note(completed)
        self._note_again(now)
        if self._summaries.has_all and not self._summaries.kept.is_complete and self._is_all_here():
            self._summaries.kept.mark_complete()

    def _is_consumed(self, partition: int) -> bool:
        began_ms = self._since.setdefault(partition, self._clock.now_ms())
        return self._progress.of_partition(partition) >= began_ms

    def _is_all_here(self) -> bool:
        is_all = len(self._summaries.completeness.partitions) == self._summaries.partitions
        return is_all and self._summaries.is_current()

    def _fill(self, partition: int, is_cancelled: IsCancelled) -> bool:
        """Make what is missing; whether it came to its end."""
        dead_letters = self._dead_letters()
        for value, key in consumed_records(self._kafka, self._group, partition):
            if is_cancelled():
                return False
            self._backfill(value, key, dead_letters)
        return not is_cancelled()

    def _backfill(self, value: bytes, key: Key, dead_letters: DeadLetters) -> None:
        """Skips a game with dead letters, whose statuses are consumed in order once it is released, and a game whose table
        cannot be read: its next status becomes a dead letter."""
        try:
            status = read_status(value, key)
        except UnprocessableRecord:
            return
        if dead_letters.is_blocked(status.game_id):
            return
        summary = self._summaries.stored.get(status.game_id)
        if summary is None or summary.sequence < status.sequence:
            with suppress(UnknownRecord):
                self._follow(status)

    def _note_again(self, now: float) -> None:
        mine = self._summaries.followed & self._summaries.completeness.partitions
        if mine and now >= self._note_again_at:
            self._summaries.completeness.note(mine)
            self._note_again_at = now + NOTED_AGAIN_SECONDS
