"""What a legal route earns, in the simplest form: which stops are counted and which bonuses it has.

Independent of the solver, so that each checks the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from services.routing.domain.problem import (
    Bonus,
    Requirement,
    Segment,
    Stop,
    Train,
    concerns,
    needs_counting,
    takes_reach,
)
from services.routing.domain.shape import Known

Need = tuple[Bonus | Requirement, tuple[str, ...]]


class Earning(NamedTuple):
    """One way to count a route. `bonuses`: those that it then has. Money in whole units, `bonus` a part of `revenue`."""

    counted: tuple[Stop, ...]
    bonuses: tuple[Bonus, ...]
    revenue: int
    treasury_income: int
    bonus: int


class Counting(NamedTuple):
    """Which stops of a route may be counted: all of `fixed`, and of `free` so many as there is `room`."""

    fixed: tuple[Stop, ...]
    free: tuple[Stop, ...]
    room: int


def earnings(known: Known, train: Train, stops: Sequence[Stop], segments: Sequence[Segment]) -> list[Earning]:
    """The best way to count the route for each set of bonuses that it may have; none if it misses a requirement.

    Only bonuses that need certain stops to be counted, and those that few runs have, may be left out of a set.
    """
    counting = _counting(train, stops, segments)
    if not (known.bonuses or known.requirements or counting.free):
        return [_earning(known, train, stops, segments, counting.fixed, ())]
    countable = {stop.id for stop in (*counting.fixed, *counting.free)}
    possible = [
        bonus
        for bonus in known.bonuses
        if concerns(bonus, train) and all(_matching(bonus, group, stops, countable) for group in bonus.groups)
    ]
    optional = [bonus for bonus in possible if bonus.runs or (needs_counting(bonus) and counting.free)]
    found = []
    for left_out in chain.from_iterable(combinations(optional, size) for size in range(len(optional) + 1)):
        had = [bonus for bonus in possible if bonus not in left_out]
        counted = _best_counted(known, train, stops, counting, had)
        if counted is not None:
            found.append(_earning(known, train, stops, segments, counted, had))
    return found


def missed_requirement(
    known: Known, train: Train, stops: Sequence[Stop], segments: Sequence[Segment]
) -> Requirement | None:
    """The first requirement that no way to count the route meets, or None."""
    for requirement in known.requirements:
        counting = _counting(train, stops, segments)
        countable = {stop.id for stop in (*counting.fixed, *counting.free)}
        if concerns(requirement, train) and not _matching(requirement, requirement.stops, stops, countable):
            return requirement
    return None


def _counting(train: Train, stops: Sequence[Stop], segments: Sequence[Segment]) -> Counting:
    paying = tuple(stop for stop in stops if stop.kind != "mine")
    if train.counts:
        return Counting((), paying, train.counts)
    if train.towns != "skip" or not train.reach:
        return Counting(paying, (), 0)
    towns = tuple(stop for stop in stops[1:-1] if stop.kind == "town")
    fixed = tuple(stop for stop in paying if stop not in towns)
    return Counting(fixed, towns, train.reach - measured(train, stops, segments))


def measured(train: Train, stops: Sequence[Stop], segments: Sequence[Segment]) -> int:
    """The least reach of `train` that the route takes."""
    if train.measure == "hexes":
        return sum(segment.hex_sides for segment in segments)
    if train.towns == "skip":
        ends = {stops[0].id, stops[-1].id}
        return sum(stop.kind != "mine" and (stop.kind != "town" or stop.id in ends) for stop in stops)
    return sum(takes_reach(train, stop) for stop in stops)


def _matching(
    term: Bonus | Requirement, group: Iterable[str], stops: Sequence[Stop], counted: Collection[str]
) -> set[str]:
    """The stops of the route that belong to the group and matter to the term if these are counted."""
    ends_only = term.where in ("ends", "counted_ends")
    at = {stop.id for stop in ((stops[0], stops[-1]) if ends_only else stops)}
    return at & set(group) & (set(counted) if needs_counting(term) else at)


def _best_counted(
    known: Known, train: Train, stops: Sequence[Stop], counting: Counting, had: Sequence[Bonus]
) -> tuple[Stop, ...] | None:
    """The best stops to count with which the route has these bonuses and meets all requirements."""
    revenue = {stop.id: stop.value_for(train, stop.id in known.token_stops) for stop in counting.free}
    income = dict.fromkeys(revenue, 0)
    needs: list[Need] = [(each, each.stops) for each in known.requirements if concerns(each, train)]
    needs += [(bonus, tuple(group)) for bonus in had for group in bonus.groups]
    needs = [need for need in needs if needs_counting(need[0])]
    for bonus in had:
        for group in bonus.groups if needs_counting(bonus) else ():
            for name in _matching(bonus, group, stops, revenue):
                (income if bonus.to_treasury else revenue)[name] += bonus.money_for(train, group[name])
    worth = {name: known.rank(revenue[name], income[name]) for name in revenue}
    richest_first = sorted(counting.free, key=lambda stop: stop.id)
    richest_first.sort(key=lambda stop: worth[stop.id], reverse=True)

    def ways(chosen: tuple[Stop, ...]) -> Iterator[tuple[Stop, ...]]:
        """All ways to count `chosen` and the richest of the others; where a need is missed, with a stop that meets it."""
        if len(chosen) > counting.room:
            return
        others = [stop for stop in richest_first if stop not in chosen]
        counted = (*counting.fixed, *chosen, *others[: counting.room - len(chosen)])
        names = {stop.id for stop in counted}
        missed = next((need for need in needs if not _matching(*need, stops, names)), None)
        if missed is None:
            yield tuple(stop for stop in stops if stop in counted)
            return
        # Of stops that meet the same needs the richest is the best to add.
        alike: dict[tuple[bool, ...], Stop] = {}
        for stop in others:
            alike.setdefault(tuple(bool(_matching(*need, stops, (stop.id,))) for need in needs), stop)
        for stop in alike.values():
            if _matching(*missed, stops, (stop.id,)):
                yield from ways((*chosen, stop))

    def total(counted: tuple[Stop, ...]) -> tuple[int, int]:
        ranks = [worth[stop.id] for stop in counted if stop.id in worth]
        return sum(rank[0] for rank in ranks), sum(rank[1] for rank in ranks)

    return max(ways(()), key=total, default=None)


def _earning(
    known: Known,
    train: Train,
    stops: Sequence[Stop],
    segments: Sequence[Segment],
    counted: tuple[Stop, ...],
    had: Sequence[Bonus],
) -> Earning:
    names = {stop.id for stop in counted}
    paid = [
        bonus.money_for(
            train,
            bonus.pays
            + sum(group[name] for group in bonus.groups for name in _matching(bonus, group, stops, names)),
        )
        for bonus in had
    ]
    to_treasury = sum([money for bonus, money in zip(had, paid, strict=True) if bonus.to_treasury])
    extra = sum([segment.revenue for segment in segments]) + sum(paid) - to_treasury
    tokens = known.token_stops
    mines = [stop for stop in stops if stop.kind == "mine"]
    return Earning(
        counted=counted,
        bonuses=tuple(bonus for bonus, money in zip(had, paid, strict=True) if money),
        revenue=sum([stop.value_for(train, stop.id in tokens) for stop in counted]) + extra,
        treasury_income=sum([stop.value_for(train, stop.id in tokens) for stop in mines]) + to_treasury,
        bonus=extra,
    )
