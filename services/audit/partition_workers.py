"""Checks partitions in several processes, each with a reader of its own, or in this one alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized

from services.audit.findings import Report
from services.audit.kafka_log import LogReader, reading
from services.audit.partition_check import PartitionTask, check_partition
from services.audit.workers import OnProgress

PROGRESS_SECONDS = 0.5


def check_partitions(
    tasks: Iterable[PartitionTask], reader: LogReader, processes: int, on_progress: OnProgress
) -> Iterator[Report]:
    """The reports about partitions, in any order. `reader` is used where there is one process."""
    if processes <= 1:
        for task in tasks:
            yield check_partition(task, reader, lambda: on_progress(1))
        return
    context = get_context("spawn")
    games = context.Value("Q", 0)
    with ProcessPoolExecutor(processes, context, _count_games_in, (games,)) as pool:
        left = {pool.submit(_check_partition, task) for task in tasks}
        seen = 0
        try:
            while left:
                done, left = wait(left, PROGRESS_SECONDS, FIRST_COMPLETED)
                seen, before = games.value, seen
                on_progress(seen - before)
                for each in done:
                    yield each.result()
        finally:
            pool.shutdown(cancel_futures=True)


_checked_games: Synchronized[int]
"""Of all processes together."""


def _count_games_in(games: Synchronized[int]) -> None:
    global _checked_games
    _checked_games = games


def _count_game() -> None:
    with _checked_games.get_lock():
        _checked_games.value += 1


def _check_partition(task: PartitionTask) -> Report:
    with reading(task.kafka) as reader:
        return check_partition(task, reader, _count_game)
