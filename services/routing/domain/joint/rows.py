"""How many freight runs can follow each other from a stop, each taken once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

# Runs tried for all rows that are asked about together. No list of runs that the search finds needs so many (`orders.py`);
# beyond them the longest row that was found counts.
TRIES_MOST = 50_000

# How many runs are left between each two stops.
Counts: TypeAlias = tuple[int, ...]


class FreightRun(NamedTuple):
    """A run from its first stop to its last, by its train; `joins`: its train must join others."""

    train: str
    first: str
    last: str
    joins: bool

    def other_end(self, end: str) -> str:
        """The end that is not this one."""
        return self.last if end == self.first else self.first


class Rows:
    """The longest rows of some runs. Runs between the same stops are alike, so each number of them is looked at once."""

    def __init__(self, runs: Iterable[FreightRun]) -> None:
        self._pairs = sorted({_pair(run) for run in runs})
        self._known: dict[tuple[str, Counts], int] = {}
        self._tries = TRIES_MOST

    def most(self, end: str, left: Iterable[FreightRun]) -> int:
        """How many of the runs left, which are among those given at first, can follow each other from this stop on."""
        count = Counter(map(_pair, left))
        return self._most(end, tuple(count[pair] for pair in self._pairs))

    def _most(self, end: str, left: Counts) -> int:
        if (end, left) not in self._known:
            self._known[end, left] = self._searched(end, left)
        return self._known[end, left]

    def _searched(self, end: str, left: Counts) -> int:
        found, limit = 0, self._limit(end, left)
        for number, (one, other) in enumerate(self._pairs):
            if found == limit or not self._tries:
                break
            if left[number] and end in (one, other):
                self._tries -= 1
                rest = (*left[:number], left[number] - 1, *left[number + 1 :])
                found = max(found, 1 + self._most(other if end == one else one, rest))
        return found

    def _limit(self, end: str, left: Counts) -> int:
        """No row is longer: it leaves each stop as often as it comes there, but for the one where it begins and the one where it
        ends, so at others with an odd number of runs one is left over, which has two ends."""
        stops, size, odd = {end}, 0, set[str]()
        beyond, grown = [(*pair, count) for pair, count in zip(self._pairs, left, strict=True) if count], True
        while grown:
            grown, further = False, list[tuple[str, str, int]]()
            for one, other, count in beyond:
                if one in stops or other in stops:
                    stops |= {one, other}
                    size, grown = size + count, True
                    if count % 2 and one != other:
                        odd ^= {one, other}
                else:
                    further.append((one, other, count))
            beyond = further
        return size - (len(odd) - 2 * (end in odd)) // 2


def reached(end: str, runs: Iterable[FreightRun]) -> list[FreightRun]:
    """The runs that can be come to from a stop over these."""
    stops, found, left = {end}, list[FreightRun](), list(runs)
    while near := [run for run in left if stops & {run.first, run.last}]:
        left = [run for run in left if not stops & {run.first, run.last}]
        found += near
        stops |= {stop for run in near for stop in (run.first, run.last)}
    return found


def _pair(run: FreightRun) -> tuple[str, str]:
    return (run.first, run.last) if run.first <= run.last else (run.last, run.first)
