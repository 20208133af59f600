"""Freight runs joined wherever their ends meet, however many do, in the order in which they are given.

The first run starts a longer run, one that must join before others. It goes on at the first end of that run, then at its
last, into the runs that end there. Where more than one does it goes on into the first from which one that must join is
reached, else along the most runs (`rows.py`); the rest make longer runs of their own. A longer run is paid for the two stops
to which one of its runs comes. Where there are none, as in a ring, it is paid for the stop at which its starting run begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.routing.domain.joint.rows import Ends, Rows, reached


class FreightRun(NamedTuple):
    """A run from its first stop to its last, by its train; `joins`: its train must join others."""

    train: str
    first: str
    last: str
    joins: bool

    @property
    def ends(self) -> Ends:
        """Both, the smaller name first."""
        return (self.first, self.last) if self.first <= self.last else (self.last, self.first)

    def other_end(self, end: str) -> str:
        """The end that is not this one."""
        return self.last if end == self.first else self.first


class LongerRun(NamedTuple):
    """Runs one after the other from the stop `first`; `begin` and `end` are where it is paid, the same where it has no free
    end; `leader` was given first."""

    parts: tuple[FreightRun, ...]
    begin: str
    end: str
    leader: str
    first: str


def longer_runs(runs: Sequence[FreightRun]) -> list[LongerRun] | None:
    """The longer runs of these, in the order given but starting from a run that must join; None where a longer run ends in
    its own middle at one of its two ends."""
    left = {run.train: run for run in runs}
    first = next((run for run in runs if run.joins), None)
    found = []
    while left:
        start = first or next(iter(left.values()))
        first = None
        del left[start.train]
        back, on = _onward(start.first, left), _onward(start.last, left)
        longer = _laid_out(start, back, on)
        if longer is None:
            return None
        found.append(longer)
    return found


def _onward(end: str, left: dict[str, FreightRun]) -> list[FreightRun]:
    """The runs that follow at an end, taken from those `left`."""
    rows, found = Rows(run.ends for run in left.values()), list[FreightRun]()
    while (run := _next(end, left, rows)) is not None:
        del left[run.train]
        found.append(run)
        end = run.other_end(end)
    return found


def _next(end: str, left: Mapping[str, FreightRun], rows: Rows) -> FreightRun | None:
    """The run that follows at an end: the first from which one that must join is reached, else of those with which the most
    follow."""
    most, longest = -1, None
    for run in left.values():
        if end not in run.ends:
            continue
        others, beyond = [other for other in left.values() if other is not run], run.other_end(end)
        rest = [other.ends for other in others]
        stops = reached(beyond, rest)
        if run.joins or any(other.joins and other.first in stops for other in others):
            return run
        follow = rows.most(beyond, rest)
        if follow > most:
            most, longest = follow, run
    return longest


def _laid_out(start: FreightRun, back: list[FreightRun], on: list[FreightRun]) -> LongerRun | None:
    """The runs in a row: what follows at the first end of `start` backwards, `start`, what follows at its last end."""
    parts = [*back[::-1], start, *on]
    touched = Counter(stop for run in parts for stop in (run.first, run.last))
    free = [stop for stop, times in touched.items() if times == 1]
    if len(free) == 1:
        return None
    first, last = _far_end(start.first, back), _far_end(start.last, on)
    if free:
        return LongerRun(tuple(parts), first, last, start.train, first)
    if first == last:
        return LongerRun((start, *back[::-1]), start.first, start.first, start.train, start.first)
    return LongerRun(tuple(parts), start.first, start.first, start.train, first)


def _far_end(stop: str, parts: Sequence[FreightRun]) -> str:
    """Where runs after each other end that begin at a stop."""
    for part in parts:
        stop = part.other_end(stop)
    return stop
