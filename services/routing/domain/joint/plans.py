"""Which freight trains run joined and which by themselves: all ways that the rules allow, as plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product
from math import prod
from typing import NamedTuple, TypeAlias

import numpy as np

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.joint.board import Board
from services.routing.domain.joint.money import Money
from services.routing.domain.network import Flags, Numbers
from services.routing.domain.problem import FreightJoins, Train

PLANS_MOST = 20_000
PLANS_PER_LOOK = 50

# Trains by number that run joined, in plans that a company can choose from.
Group: TypeAlias = tuple[int, ...]
Plan: TypeAlias = tuple[Group, ...]
# The reaches of the trains of a group, and those of the groups of a plan.
Reaches: TypeAlias = tuple[int, ...]
Partition: TypeAlias = tuple[Reaches, ...]


def first_plan(trains: Sequence[Train], rule: FreightJoins) -> Plan:
    """The first plan: each train by itself, and those that must join all together."""
    joining = tuple(number for number, train in enumerate(trains) if train.joins)
    others = [(number,) for number, train in enumerate(trains) if not train.joins]
    if not others or (len(joining) > 1 and rule == "one_route"):
        return (joining, *others) if joining else ()
    return tuple(others)


def plans_of(trains: Sequence[Train], rule: FreightJoins, budget: Budget) -> list[Plan]:
    """Every plan for these freight trains, once for trains that differ in their ids alone.

    A group runs as one longer run or not at all; trains in no group stay at home. See `joinings` for the rules.
    Raises `BudgetSpent`, also where there are too many.
    """
    plans: list[Plan] = []
    for number, plan in enumerate(_plans(trains, rule, budget)):
        if number == PLANS_MOST:
            raise BudgetSpent
        if number % PLANS_PER_LOOK == 0:
            budget.spend(0)
        plans.append(plan)
    return plans


def _plans(trains: Sequence[Train], rule: FreightJoins, budget: Budget) -> Iterator[Plan]:
    must = [train.reach for train in trains if train.joins]
    others = [train.reach for train in trains if not train.joins]
    groups = _some_of(must, budget)
    beside = [some for some in groups if len(some) > 1 and rule == "one_route"]
    for partition in _partitions(others, budget):
        if not beside:
            yield _numbered(trains, (), partition, None)
        yield from (_numbered(trains, some, partition, None) for some in beside)
        places = {group: place for place, group in enumerate(partition)}
        yield from (_numbered(trains, some, partition, place) for some in groups for place in places.values())
        budget.spend(1)
    yield from (
        _numbered(trains, some, (), None) for some in groups if not (others and len(some) > 1 and beside)
    )


def _some_of(reaches: Sequence[int], budget: Budget) -> list[Reaches]:
    """All sets of at least one, the largest first, once for trains of the same reach."""
    counts = Counter(reaches)
    if prod(1 + count for count in counts.values()) > PLANS_MOST:
        raise BudgetSpent
    parts = [[(reach,) * number for number in range(counts[reach] + 1)] for reach in sorted(counts)]
    chosen: list[Reaches] = []
    for number, some in enumerate(product(*parts)):
        if number % PLANS_PER_LOOK == 0:
            budget.spend(0)
        chosen.append(tuple(chain.from_iterable(some)))
    chosen.sort()
    budget.spend(0)
    return sorted(filter(None, chosen), key=len, reverse=True)


def _partitions(reaches: Sequence[int], budget: Budget) -> list[Partition]:
    """All ways of putting trains in groups, once for trains of the same reach."""
    found: dict[Partition, None] = {(): None}
    for reach in sorted(reaches):
        larger: dict[Partition, None] = {}
        for number, partition in enumerate(found):
            if number % PLANS_PER_LOOK == 0:
                budget.spend(PLANS_PER_LOOK)
            larger[tuple(sorted((*partition, (reach,))))] = None
            for group in set(partition):
                rest = list(partition)
                rest.remove(group)
                larger[tuple(sorted((*rest, (*group, reach))))] = None
            if len(larger) > PLANS_MOST:
                raise BudgetSpent
        found = larger
    return list(found)


def _numbered(trains: Sequence[Train], some: Reaches, partition: Partition, place: int | None) -> Plan:
    """The plan of these groups by trains; those that must join are added to the group at `place`, or make one."""
    left = list(range(len(trains)))

    def taken(reach: int, joins: bool) -> int:
        number = next(each for each in left if (trains[each].reach, trains[each].joins) == (reach, joins))
        left.remove(number)
        return number

    joined = tuple(taken(reach, True) for reach in some)
    groups = [tuple(taken(reach, False) for reach in group) for group in partition]
    if place is not None:
        groups[place] = joined + groups[place]
    elif joined:
        groups.insert(0, joined)
    return tuple(groups)


class Pairs(NamedTuple):
    """For each two ends of a freight run, the smaller first: which may be joined at all, and the bonus as a score."""

    may: Flags
    bonus: Numbers


def pairs_of(board: Board, money: Money) -> Pairs:
    """Which freight runs between any two stops are possible, and their bonus for the distance."""
    parameters = board.problem.parameters
    count = len(board.stops)
    places = np.array([stop.position or (0, 0) for stop in board.stops], np.int64).reshape(count, 2)
    along = np.column_stack((places, places.sum(axis=1)))
    straight = np.abs(along[:, None, :] - along[None, :, :]).max(axis=2)
    at_port = board.is_port[:, None] | board.is_port[None, :]
    rate = np.where(at_port, parameters.bonus_per_hex_port, parameters.bonus_per_hex)
    beyond = np.array([stop.beyond for stop in board.stops], np.int64)
    bonus = np.maximum(0, straight - 1 + beyond[:, None] + beyond[None, :]) * rate * money.of_revenue(1)
    alike = (board.is_port[:, None] & board.is_port[None, :]) | (
        board.is_offboard[:, None] & board.is_offboard[None, :]
    )
    towns = board.is_town[:, None] | board.is_town[None, :]
    may = ~alike & ~towns & (np.arange(count)[:, None] < np.arange(count)[None, :])
    may &= board.place[:, None] != board.place[None, :]
    return Pairs(may, bonus)


def wanted_pairs(board: Board, pairs: Pairs, reaches: Sequence[int], budget: Budget) -> Flags:
    """Between which stops trains of these reaches could run joined, judged by the shortest ways; from a stop to itself
    where they could make a longer run without a free end.
    """
    if len(reaches) > 1 and board.problem.parameters.freight_joins == "ends_meet":
        count = len(board.stops)
        order = np.arange(count)[:, None] < np.arange(count)[None, :]
        towns = board.is_town[:, None] | board.is_town[None, :]
        apart: Flags = board.same[:, None] != board.same[None, :]
        distance = board.hexes_between(passing=True, budget=budget)
        wanted: Flags = ~towns & order & apart & (distance <= sum(reaches))
        np.fill_diagonal(wanted, ~board.is_town)
        return wanted
    return pairs.may & (board.hexes_between(passing=False, budget=budget) <= sum(reaches))


def pair_worths(pairs: Pairs, stop_worth: Numbers) -> Numbers:
    """What a run between any two ends earns at most where each stop is worth so much; from a stop to itself one without a
    free end, which is paid there.
    """
    total: Numbers = pairs.bonus + stop_worth[:, None] + stop_worth[None, :]
    np.fill_diagonal(total, stop_worth)
    return total


def most_of_pairs(wanted: Flags, worths: Numbers) -> int:
    """What the best of the pairs wanted earns at most; see `pair_worths`."""
    return int(worths.max(initial=0, where=wanted))
