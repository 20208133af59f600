"""Which freight trains run joined and which by themselves: all ways that the rules allow, as plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from services.routing.domain.joint.board import Board
from services.routing.domain.joint.money import Money
from services.routing.domain.network import Flags, Numbers
from services.routing.domain.problem import FreightJoins, Train

Group: TypeAlias = tuple[int, ...]
Plan: TypeAlias = tuple[Group, ...]


def plans_of(trains: Sequence[Train], rule: FreightJoins) -> Iterator[Plan]:
    """Every plan for these freight trains by number, once for trains that differ in their ids alone.

    A group runs as one longer run or not at all; trains in no group stay at home. See `joinings` for the rules.
    """
    joining = [number for number, train in enumerate(trains) if train.joins]
    others = [number for number, train in enumerate(trains) if not train.joins]
    seen: set[tuple[tuple[int, ...], ...]] = set()
    for plan in _all_plans(joining, others, trains, rule):
        key = tuple(
            sorted(tuple(sorted((trains[n].joins, trains[n].reach) for n in group)) for group in plan)
        )
        flat = tuple(tuple(2 * reach + joins for joins, reach in group) for group in key)
        if flat not in seen:
            seen.add(flat)
            yield plan


def _all_plans(
    joining: Sequence[int], others: Sequence[int], trains: Sequence[Train], rule: FreightJoins
) -> Iterator[Plan]:
    groups = list(_some_of(joining, trains))
    beside = [some for some in groups if len(some) > 1 and rule == "one_route"]
    for partition in _partitions(others):
        if not beside:
            yield partition
        for some in beside:
            yield (some, *partition)
        for some in groups:
            for index, group in enumerate(partition):
                yield (*partition[:index], some + group, *partition[index + 1 :])
    for some in groups:
        if not (others and some in beside):
            yield (some,)


def _some_of(numbers: Sequence[int], trains: Sequence[Train]) -> Iterator[Group]:
    """All sets of at least one, the largest first, without those that differ in ids alone."""
    seen: set[tuple[int, ...]] = set()
    masks = sorted(range(1, 1 << len(numbers)), key=lambda mask: (-mask.bit_count(), mask))
    for mask in masks:
        some = tuple(number for place, number in enumerate(numbers) if mask >> place & 1)
        reaches = tuple(sorted(trains[number].reach for number in some))
        if reaches not in seen:
            seen.add(reaches)
            yield some


def _partitions(numbers: Sequence[int]) -> Iterator[Plan]:
    """All ways of putting the numbers in groups, each by itself first."""
    if not numbers:
        yield ()
        return
    first, rest = numbers[0], numbers[1:]
    for partition in _partitions(rest):
        yield ((first,), *partition)
    for partition in _partitions(rest):
        for index, group in enumerate(partition):
            yield (*partition[:index], (first, *group), *partition[index + 1 :])


class Pairs(NamedTuple):
    """For each two ends of a freight run, the smaller first: which may be joined at all, the bonus as a score and the
    hexes of the shortest way."""

    may: Flags
    bonus: Numbers
    hexes: Numbers
    hexes_apart: Numbers


def pairs_of(board: Board, money: Money) -> Pairs:
    """What freight runs between any two stops may be and earn for the distance."""
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
    return Pairs(may, bonus, board.distances(board.length, False), board.distances(board.length, True))


def wanted_pairs(board: Board, pairs: Pairs, reaches: Sequence[int]) -> Flags:
    """Between which stops trains of these reaches could run joined, as far as the shortest ways tell."""
    if len(reaches) > 1 and board.problem.parameters.freight_joins == "ends_meet":
        count = len(board.stops)
        order = np.arange(count)[:, None] < np.arange(count)[None, :]
        towns = board.is_town[:, None] | board.is_town[None, :]
        return ~towns & order & (pairs.hexes_apart <= sum(reaches))
    return pairs.may & (pairs.hexes <= sum(reaches))


def pair_worths(pairs: Pairs, stop_worth: Numbers) -> Numbers:
    """What a run between any two ends earns at most where each stop is worth so much."""
    total: Numbers = pairs.bonus + stop_worth[:, None] + stop_worth[None, :]
    return total


def most_of_pairs(wanted: Flags, pairs: Pairs, stop_worth: Numbers) -> int:
    """What the best of the pairs wanted earns at most where each stop is worth so much."""
    return int(np.where(wanted, pair_worths(pairs, stop_worth), 0).max(initial=0))
