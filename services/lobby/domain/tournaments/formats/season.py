"""Seasons: divisions between which players are promoted and relegated, and points of a series."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import msgspec


class SeasonRule(msgspec.Struct, frozen=True):
    """How many of each division move up and down, how large a division is, and the series points of each rank of the first
    division; a lower division gets those that follow."""

    moving: int
    division_size: int
    series_points: tuple[int, ...] = ()


def next_divisions(
    standings: Sequence[Sequence[str]],
    rule: SeasonRule,
    newcomers: Sequence[str] = (),
    leaving: Collection[str] = (),
) -> tuple[tuple[str, ...], ...]:
    """The divisions of the next season from the standings of this one, the highest division first.

    The first `moving` of a division change places with the last `moving` of the one above. Then those who leave are taken out,
    newcomers join at the bottom, and every division is filled from the one below; the last may be incomplete."""
    divisions = [list(division) for division in standings]
    for upper, lower in reversed(list(pairwise(divisions))):
        count = min(rule.moving, len(upper) // 2, len(lower) // 2)
        if count:
            upper[-count:], lower[:count] = lower[:count], upper[-count:]
    ranking = [player for division in divisions for player in division if player not in leaving]
    ranking += [player for player in newcomers if player not in ranking]
    size = rule.division_size
    return tuple(tuple(ranking[start : start + size]) for start in range(0, len(ranking), size))


def series_after(
    series: Mapping[str, int], standings: Sequence[Sequence[str]], rule: SeasonRule
) -> dict[str, int]:
    """The series points after a season."""
    totals = dict(series)
    ranking = [player for division in standings for player in division]
    for player, points in zip(ranking, rule.series_points, strict=False):
        totals[player] = totals.get(player, 0) + points
    return totals
