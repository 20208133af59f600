"""Upper bounds on what an arm of a route can still gain: tables of walks, and the best stops not yet visited."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import inner
from services.routing.domain.network import Flags, Numbers, Words

NO_WAY = np.int64(-(1 << 60))
# Entries of a table of bounds: where more would be needed the second limit is left out of them.
ENTRIES_MOST = 1 << 22
# Where the making of tables has come to: which of them, and in it the reach, counts and sweep that come next.
TABLE, LEFT, COUNTABLE, SWEEP, PLACE_SIZE = 0, 1, 2, 3, 4
ONWARD, BEGIN, FIRST, BOTH = range(4)
# What an arc costs at each reach and counts, in entries of a table that are read one after the other.
READS_PER_ARC = 4
# How a longer reach is best divided between two arms is not worked out: both may then use all of it.
SPLIT_REACH_MOST = 24


class Travel(NamedTuple):
    """The arcs that a search may use and the stops they join; see `Arcs`.

    An arc's value is less by what it costs to go `through` the stop it leaves: only the first arc of a route leaves a
    stop without going through it. `key` orders stops by what counting them adds; those `chosen` are counted or passed
    whatever their key.
    """

    first: Numbers
    source: Numbers
    target: Numbers
    segment: Numbers
    leaves: Flags
    ends: Flags
    passes: Flags
    to_mine: Flags
    reach: Numbers
    counts: Numbers
    value: Numbers
    marks: Numbers
    end_value: Numbers
    end_marks: Numbers
    may_end: Flags
    through: Numbers
    allowed: Flags
    shared: Words
    place: Numbers
    key: Numbers
    chosen: Flags


class Limits(NamedTuple):
    """What holds for every route of the train, and for what all of them can gain.

    `hops`: how many arcs that take nothing can follow each other. `is_goods`: one end is a mine, and no other stop.
    `ends_passing`: a route may end at a stop that it passes, and `counts` limits how many it does not pass.
    `top_score`: the most that a stop adds where it takes what is limited, those that take reach the `richest` first;
    `free_total`: what all else can add, but one mine only. `pass_most`, `end_most`: the most that a stop adds beside that
    for being visited, and for being an end. `needed`: the marks of a complete route, which adds `base`.
    """

    reach: int
    counts: int
    base: int
    needed: int
    hops: int
    is_goods: bool
    ends_passing: bool
    is_top_bounded: bool
    free_total: int
    pass_most: int
    end_most: int
    richest: Numbers
    top_score: Numbers
    stop_reach: Numbers
    stop_counts: Numbers
    is_end: Flags
    is_mine: Flags
    passable: Flags


class Root(NamedTuple):
    """Where a search begins: the token stop, what it adds and collects, and what the search must keep to.

    `to_mine`: the first arm ends at a mine, and no other visits one. `may_end`: a route may end here.
    """

    stop: int
    passed: bool
    is_end: bool
    to_mine: bool
    ends_passing: bool
    value: int
    marks: int
    end_value: int
    end_marks: int
    may_end: bool


class Leaving(NamedTuple):
    """Workspace: by stop the most that a walk gains which leaves it, to which stop that goes first, and the most of those that
    go to another one first."""

    gain: Numbers
    to: Numbers
    other: Numbers


class Bounds(NamedTuple):
    """What can still be gained by the reach and the counts that are left after an arc, for one root.

    `onward`: on the second arm; `first`: on the first arm of a goods train. `both`: on the first arm and then on a second
    one. `begin`: on a second arm from the root. `leaving` and `place` serve the making.
    """

    onward: NDArray[np.int64]
    first: NDArray[np.int64]
    both: NDArray[np.int64]
    begin: NDArray[np.int64]
    leaving: Leaving
    place: Numbers


def empty_bounds(travel: Travel, limits: Limits) -> Bounds:
    """Tables for the bounds of such a train; see `bounded`."""
    counts = limits.counts if _is_small(travel, limits) else 0
    shape = limits.reach + 1, counts + 1, len(travel.target)
    return Bounds(
        onward=np.empty(shape, np.int64),
        first=np.empty(shape if limits.is_goods else (1, 1, 0), np.int64),
        both=np.empty(shape, np.int64),
        begin=np.empty(shape[:2], np.int64),
        leaving=Leaving(*np.empty((3, len(travel.first) - 1), np.int64)),
        place=np.zeros(PLACE_SIZE, np.int64),
    )


def bounded(travel: Travel, limits: Limits) -> Travel:
    """The arcs as bounds take them: where tables by both limits would be too large, none takes anything of the second."""
    return travel if _is_small(travel, limits) else travel._replace(counts=np.zeros_like(travel.counts))


def _is_small(travel: Travel, limits: Limits) -> bool:
    return len(travel.target) * (limits.reach + 1) * (limits.counts + 1) <= ENTRIES_MOST or not limits.counts


@inner
def _sum(one: Any, other: Any) -> Any:
    return one + other if other > NO_WAY else NO_WAY


@inner
def _leave(
    travel: Travel,
    closed: Flags,
    root_place: int,
    to_mine: bool,
    gains: NDArray[np.int64],
    leaving: Leaving,
    place: Numbers,
) -> None:
    """For each stop: what a walk onwards from it gains by what is known so far; see `_fill_onward` and `Leaving`."""
    left, countable = place[LEFT], place[COUNTABLE]
    for stop in range(len(leaving.gain)):
        best, to, other = NO_WAY, np.int64(-1), NO_WAY
        for arc in range(travel.first[stop], travel.first[stop + 1]):
            after = travel.target[arc]
            if (
                not travel.allowed[arc]
                or travel.leaves[arc]
                or closed[after]
                or travel.place[after] == root_place
                or (travel.to_mine[arc] and not to_mine)
            ):
                continue
            rest, rest_counts = left - travel.reach[arc], countable - travel.counts[arc]
            if rest < 0 or rest_counts < 0:
                continue
            if rest == left and rest_counts == countable and place[SWEEP] == 0:
                continue
            gain = gains[rest, rest_counts, arc]
            if gain > NO_WAY:
                gain += travel.value[arc]
                if after == to:
                    best = max(best, gain)
                elif gain > best:
                    best, to, other = gain, after, best
                else:
                    other = max(other, gain)
        leaving.gain[stop], leaving.to[stop], leaving.other[stop] = best, to, other


@inner
def _arrive(
    travel: Travel, to_mine: bool, gains: NDArray[np.int64], leaving: Leaving, left: int, countable: int
) -> bool:
    """For each arc the same of its target, if the walk ends there or does not return at once. Whether any changed."""
    changed = False
    for arc in range(len(travel.target)):
        ending = travel.end_value[arc] if travel.may_end[arc] else NO_WAY
        best = NO_WAY if to_mine else ending
        if travel.to_mine[arc]:
            best = ending
        elif not travel.ends[arc] and travel.allowed[arc]:
            stop = travel.target[arc]
            returns = leaving.to[stop] == travel.source[arc]
            best = max(best, leaving.other[stop] if returns else leaving.gain[stop])
        if best != gains[left, countable, arc]:
            gains[left, countable, arc] = best
            changed = True
    return changed


@inner
def _fill_onward(
    travel: Travel,
    closed: Flags,
    root_place: int,
    to_mine: bool,
    hops: int,
    gains: NDArray[np.int64],
    leaving: Leaving,
    place: Numbers,
    read_most: int,
) -> bool:
    """For each arc, reach and counts left after it: the most that a walk onwards from its target can gain.

    The walk may return to a stop but not at once. With `to_mine` it ends at a mine, else it never visits one.
    `closed` are stops that it may not use, nor the place `root_place`; `hops` is how many arcs that take
    nothing can follow each other. False where so much is read that it must be continued.
    """
    read = 0
    while place[LEFT] < gains.shape[0]:
        if read >= read_most:
            return False
        left, countable, sweep = place[LEFT], place[COUNTABLE], place[SWEEP]
        _leave(travel, closed, root_place, to_mine, gains, leaving, place)
        changed = _arrive(travel, to_mine, gains, leaving, left, countable)
        read += READS_PER_ARC * len(travel.target)
        place[SWEEP] = sweep + 1
        if sweep == hops or (sweep > 0 and not changed):
            place[SWEEP], place[COUNTABLE] = 0, countable + 1
            if countable + 1 == gains.shape[1]:
                place[COUNTABLE], place[LEFT] = 0, left + 1
    place[LEFT] = 0
    return True


@inner
def _fill_begin(travel: Travel, root: Root, closed: Flags, bounds: Bounds, read_most: int) -> bool:
    """For each reach and counts: the most that a second arm from the root gains; there may be none.

    False where so much is read that it must be continued.
    """
    gains, most, place = bounds.onward, bounds.begin, bounds.place
    arcs = range(travel.first[root.stop], travel.first[root.stop + 1])
    read = 0
    while place[LEFT] < most.shape[0]:
        if read >= read_most:
            return False
        left = place[LEFT]
        for countable in range(most.shape[1]):
            best = np.int64(root.end_value) if root.may_end else NO_WAY
            for arc in arcs:
                rest, rest_counts = left - travel.reach[arc], countable - travel.counts[arc]
                if rest < 0 or rest_counts < 0 or travel.to_mine[arc]:
                    continue
                if travel.allowed[arc] and not closed[travel.target[arc]]:
                    best = max(best, _sum(travel.value[arc], gains[rest, rest_counts, arc]))
            most[left, countable] = best
        read += READS_PER_ARC * len(arcs) * most.shape[1]
        place[LEFT] = left + 1
    place[LEFT] = 0
    return True


@inner
def _fill_both(
    first_arm: NDArray[np.int64],
    begin: NDArray[np.int64],
    both: NDArray[np.int64],
    place: Numbers,
    read_most: int,
) -> bool:
    """For each arc of the first arm, reach and counts left: the most that its rest and a second arm gain.

    False where so much is read that it must be continued.
    """
    reaches, counts, arc_count = first_arm.shape
    read = 0
    while place[LEFT] < reaches:
        if read >= read_most:
            return False
        left, countable = place[LEFT], place[COUNTABLE]
        gains = both[left, countable]
        gains[:] = NO_WAY
        if reaches > SPLIT_REACH_MOST:
            read += arc_count
            _add_arm(first_arm[left, countable], begin[left, countable], gains)
        else:
            read += (left + 1) * (countable + 1) * arc_count
            for used in range(left + 1):
                for counted in range(countable + 1):
                    _add_arm(first_arm[used, counted], begin[left - used, countable - counted], gains)
        place[COUNTABLE] = countable + 1
        if countable + 1 == counts:
            place[COUNTABLE], place[LEFT] = 0, left + 1
    place[LEFT] = 0
    return True


@inner
def _add_arm(first_arm: Numbers, second_arm: Any, gains: Numbers) -> None:
    """Raise what is gained after each arc to what its rest gains and a second arm."""
    if second_arm > NO_WAY:
        for arc in range(len(gains)):
            if first_arm[arc] > NO_WAY:
                gains[arc] = max(gains[arc], first_arm[arc] + second_arm)


@inner
def top_gain(limits: Limits, visited: Flags, place: Numbers, closed: Flags, left: int, ends_left: int) -> int:
    """No way onwards gains more than the richest stops not yet visited, of those that end a route `ends_left`."""
    total = limits.free_total
    for stop in limits.richest:
        if left == 0:
            break
        if visited[place[stop]] or closed[stop]:
            continue
        if limits.is_end[stop]:
            if ends_left == 0:
                continue
            ends_left -= 1
        total += limits.top_score[stop]
        left -= 1
    return total


@inner
def fill_bounds(
    travel: Travel, root: Root, closed: Flags, limits: Limits, bounds: Bounds, read_most: int
) -> bool:
    """What can be gained from `root` when the stops that are `closed` may not be visited. `travel`: see `bounded`.

    False where so many entries of a table are read that its making must be continued.
    """
    at, hops, leaving, place = travel.place[root.stop], limits.hops, bounds.leaving, bounds.place
    if place[TABLE] == ONWARD:
        if not _fill_onward(travel, closed, at, False, hops, bounds.onward, leaving, place, read_most):
            return False
        place[TABLE] = BEGIN
    if place[TABLE] == BEGIN:
        if not _fill_begin(travel, root, closed, bounds, read_most):
            return False
        place[TABLE] = FIRST
    first_arm = bounds.first if root.to_mine else bounds.onward
    if place[TABLE] == FIRST:
        if root.to_mine and not _fill_onward(
            travel, closed, at, True, hops, first_arm, leaving, place, read_most
        ):
            return False
        place[TABLE] = BOTH
    if not _fill_both(first_arm, bounds.begin, bounds.both, place, read_most):
        return False
    place[TABLE] = ONWARD
    return True
