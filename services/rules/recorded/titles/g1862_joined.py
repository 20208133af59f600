"""Which freight runs of a company make one longer run by the peer's count, where it begins and ends, and its bonus.

Runs whose ends meet are one run. Where more than two meet at a stop, a run goes on into one of the others: into the branch
with a train that will become obsolete, else into the longest; the rest make longer runs of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Place = tuple[str, int]


class FreightRun(NamedTuple):
    """A run by its train, from its first stop to its last; `joins`: its train will become obsolete."""

    train: str
    first: Place
    last: Place
    joins: bool

    def other_end(self, end: Place) -> Place:
        """The end that is not this one."""
        return self.last if end == self.first else self.first


@dataclass(frozen=True, slots=True)
class Joined:
    """What every run counts, by train, and the two ends of a longer run by its first train."""

    counted: Mapping[str, list[Place]] = field(default_factory=dict)
    ends: Mapping[str, tuple[Place, Place]] = field(default_factory=dict)


def join(runs: Sequence[FreightRun]) -> Joined:
    """Join runs in the order of the file, beginning with one that has to be joined."""
    left = {run.train: run for run in runs}
    counted: dict[str, list[Place]] = {}
    ends: dict[str, tuple[Place, Place]] = {}
    first = next((run for run in runs if run.joins), None)
    while left:
        start = first or next(iter(left.values()))
        first = None
        longer = _grown(start, left)
        begin, end = _ends_of(longer)
        ends[start.train] = begin, end
        for run in longer:
            counted[run.train] = [
                place for place in dict.fromkeys((run.first, run.last)) if place in (begin, end)
            ]
    return Joined(counted, ends)


def _grown(start: FreightRun, left: dict[str, FreightRun]) -> list[FreightRun]:
    """The longer run that `start` is part of; its runs are taken from those `left`."""
    del left[start.train]
    return [start, *_onward(start.first, left), *_onward(start.last, left)]


def _onward(end: Place, left: dict[str, FreightRun]) -> list[FreightRun]:
    """The runs that follow at an end, taken from those `left`."""
    branches = []
    for run in left.values():
        if end in (run.first, run.last):
            rest = {train: other for train, other in left.items() if train != run.train}
            branches.append([run, *_onward(run.other_end(end), rest)])
    if not branches:
        return []
    chosen = next((branch for branch in branches if any(run.joins for run in branch)), max(branches, key=len))
    for run in chosen:
        del left[run.train]
    return chosen


def _ends_of(longer: Sequence[FreightRun]) -> tuple[Place, Place]:
    """The two stops at which one run alone ends; a ring begins and ends where its first run begins."""
    touched = Counter(place for run in longer for place in (run.first, run.last))
    free = [place for place, times in touched.items() if times == 1]
    return (free[0], free[1]) if len(free) > 1 else (longer[0].first, longer[0].first)
