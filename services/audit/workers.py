"""Checks games in several processes, or in this one alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context

from services.audit.cases import GameCase
from services.audit.findings import Report
from services.audit.games import Checked, check_game

EVENTS_PER_TASK = 4000
OnProgress = Callable[[int], None]
"""Called with the number of games just checked."""
Checker = Callable[[Iterable[GameCase]], Iterator[Checked]]


@contextmanager
def checking(processes: int) -> Iterator[Checker]:
    """A function that checks games; results come in any order."""
    if processes <= 1:
        yield lambda cases: map(check_game, cases)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:

        def check_all(cases: Iterable[GameCase]) -> Iterator[Checked]:
            tasks = [pool.submit(_check_several, several) for several in _portions(cases)]
            for task in as_completed(tasks):
                yield from task.result()

        yield check_all


def gather(report: Report, checked: Iterable[Checked], on_progress: OnProgress) -> None:
    """Add the results of games to the report."""
    for each in checked:
        report.count(each.title, each.counts)
        report.findings += each.findings
        if each.counts.held:
            report.held[each.game_id] = each.hold
        on_progress(1)


def _check_several(cases: list[GameCase]) -> list[Checked]:
    return [check_game(case) for case in cases]


def _portions(cases: Iterable[GameCase]) -> Iterator[list[GameCase]]:
    portion: list[GameCase] = []
    events = 0
    for case in cases:
        portion.append(case)
        events += len(case.facts)
        if events >= EVENTS_PER_TASK:
            yield portion
            portion, events = [], 0
    if portion:
        yield portion
