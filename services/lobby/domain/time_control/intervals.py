"""Playing time as intervals of UTC: sorted, apart from each other, each from its start up to but not including its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec


class Interval(msgspec.Struct, frozen=True, order=True):
    """From `start_ms` up to `end_ms`, in ms since 1970 UTC."""

    start_ms: int
    end_ms: int


Intervals = tuple[Interval, ...]

ALWAYS: Intervals = (Interval(-(2**53), 2**53),)
"""Without playing hours, all time counts."""


def union(intervals: Iterable[Interval]) -> Intervals:
    """The time that lies in any of the intervals, which may overlap and be empty."""
    merged: list[Interval] = []
    for each in sorted(intervals):
        if each.start_ms >= each.end_ms:
            continue
        if merged and each.start_ms <= merged[-1].end_ms:
            merged[-1] = Interval(merged[-1].start_ms, max(merged[-1].end_ms, each.end_ms))
        else:
            merged.append(each)
    return tuple(merged)


def without(intervals: Intervals, pauses: Iterable[Interval]) -> Intervals:
    """The time of `intervals` outside the pauses: vacation, a held game, an adjudication."""
    left = list(intervals)
    for pause in union(pauses):
        left = [
            part
            for each in left
            for part in (
                Interval(each.start_ms, min(each.end_ms, pause.start_ms)),
                Interval(max(each.start_ms, pause.end_ms), each.end_ms),
            )
            if part.start_ms < part.end_ms
        ]
    return tuple(left)


def common(first: Intervals, second: Intervals) -> Intervals:
    """The time that lies in both."""
    found = (
        Interval(max(one.start_ms, other.start_ms), min(one.end_ms, other.end_ms))
        for one in first
        for other in second
    )
    return union(found)


def working_ms(intervals: Sequence[Interval], from_ms: int, to_ms: int) -> int:
    """The playing time from one instant up to another, 0 if the second is not later."""
    return sum(max(0, min(each.end_ms, to_ms) - max(each.start_ms, from_ms)) for each in intervals)


def after_working(intervals: Sequence[Interval], from_ms: int, amount_ms: int) -> int | None:
    """The first instant at which `amount_ms` of playing time have passed since `from_ms`; None if the intervals end before."""
    left = amount_ms
    if left <= 0:
        return from_ms
    for each in intervals:
        start = max(each.start_ms, from_ms)
        if each.end_ms - start >= left:
            return start + left
        left -= max(0, each.end_ms - start)
    return None
