"""How many freight runs can follow each other from a stop, each taken once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

# Runs tried for all rows that are asked about together. No list of runs that the search finds needs so many (`orders.py`);
# beyond them the longest row that was found counts.
TRIES_MOST = 50_000

# The stops at which a run ends, the smaller name first.
Ends: TypeAlias = tuple[str, str]
# How many runs are left between each two stops.
Counts: TypeAlias = tuple[int, ...]


class Rows:
    """The longest rows of some runs. Runs between the same stops are alike, so each number of them is looked at once."""

    def __init__(self, runs: Iterable[Ends]) -> None:
        self._pairs = sorted(set(runs))
        self._known: dict[tuple[str, Counts], int] = {}
        self._tries = TRIES_MOST

    def most(self, end: str, left: Iterable[Ends]) -> int:
        """How many of the runs left, which are among those given at first, can follow each other from this stop on."""
        count = Counter(left)
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
        there = [(pair, count) for pair, count in zip(self._pairs, left, strict=True) if count]
        stops, size, odd = reached(end, [pair for pair, _ in there]), 0, set[str]()
        for (one, other), count in there:
            if one in stops:
                size += count
                if count % 2 and one != other:
                    odd ^= {one, other}
        return size - (len(odd) - 2 * (end in odd)) // 2


def reached(end: str, runs: Iterable[Ends]) -> set[str]:
    """The stops that can be come to from this one, which is among them."""
    stops, left = {end}, list(runs)
    while near := [run for run in left if not stops.isdisjoint(run)]:
        left = [run for run in left if stops.isdisjoint(run)]
        stops.update(*near)
    return stops
