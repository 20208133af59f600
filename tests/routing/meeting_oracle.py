"""The slow truth about freight runs that are joined wherever their ends meet: what they make in every order.

Written from the words of the rule alone and sharing no code with the solver or the verifier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

# One of the two ends of a run: its number and 0 for the first end, 1 for the last.
End = tuple[int, int]
# What each longer run is paid for: its two ends, or one where it has no free end.
Paid = tuple[tuple[End, ...], ...]


class Ends(NamedTuple):
    """A run by its number, the two stops at which it ends, and whether it must be joined."""

    number: int
    stops: tuple[int, int]
    must: bool


def paid_in_some_order(ends: Sequence[tuple[str, str]], must: Sequence[bool]) -> frozenset[Paid]:
    """What is paid for the ends of these runs, for every order in which they may be given and every direction."""
    number_of: dict[str, int] = {}
    numbers = tuple(
        (number_of.setdefault(one, len(number_of)), number_of.setdefault(other, len(number_of)))
        for one, other in ends
    )
    return _paid(numbers, tuple(must))


@cache
def _paid(ends: tuple[tuple[int, int], ...], must: tuple[bool, ...]) -> frozenset[Paid]:
    runs = [Ends(number, *each) for number, each in enumerate(zip(ends, must, strict=True))]
    return frozenset(tuple(sorted(paid)) for order in permutations(runs) for paid in _longer_runs(order))


def _longer_runs(left: Sequence[Ends]) -> Iterator[Paid]:
    """What is paid when the runs are given in this order, each of those that start longer runs in both directions."""
    if not left:
        yield ()
        return
    start = next((run for run in left if run.must), left[0])
    for side in (0, 1):
        rest = [run for run in left if run != start]
        back = _onward(start.stops[side], rest)
        rest = [run for run in rest if run not in back]
        whole = [start, *back, *_onward(start.stops[1 - side], rest)]
        rest = [run for run in rest if run not in whole]
        touched = Counter(stop for run in whole for stop in run.stops)
        free = tuple((run.number, at) for run in whole for at in (0, 1) if touched[run.stops[at]] == 1)
        is_needed = any(run.must for run in whole) and all(run.must for run in whole) and rest
        if len(free) == 1 or is_needed or (start.must and any(run.must for run in rest)):
            continue
        for others in _longer_runs(rest):
            yield (tuple(sorted(free)) or ((start.number, side),), *others)


def _onward(stop: int, left: Sequence[Ends]) -> tuple[Ends, ...]:
    branches = [
        (run, *_onward(sum(run.stops) - stop, [other for other in left if other != run]))
        for run in left
        if stop in run.stops
    ]
    with_must = [branch for branch in branches if any(run.must for run in branch)]
    return with_must[0] if with_must else max(branches, key=len, default=())
