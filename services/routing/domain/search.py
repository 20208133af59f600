"""Routes of one train from one token: a depth-first search in a compiled kernel, cut by what can still be gained.

Each route is met once, from the first of its token stops in a fixed order of tokens, as two arms: the first arm is
grown, then the second from the token again. Between two arms of one route the first leaves the token by the arc that
stands earlier; a goods train's first arm is the one that ends at its mine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import compiled, tight
from services.routing.domain.network import Flags, Numbers, Words

NO_WAY = np.int64(-(1 << 60))
NO_ARC = -1
# How a longer reach is best divided between two arms is not worked out: both may then use all of it.
SPLIT_REACH_MOST = 24

# Why the kernel came back.
FINISHED, INTERRUPTED, FULL = 0, 1, 2
# Scalars of a search that is under way.
ROOT, DEPTH, NODES, FOUND, USED_ARCS, NEEDED, SCALARS = 0, 1, 2, 3, 4, 5, 6
NOT_BEGUN = -2


class Travel(NamedTuple):
    """The arcs that a search may use and the stops they join; see `Arcs`."""

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
    allowed: Flags
    shared: Words
    place: Numbers
    key: Numbers


class Limits(NamedTuple):
    """What holds for every route of the train, and for what all of them can gain.

    `hops`: how many arcs that take nothing can follow each other. `is_goods`: one end is a mine, and no other stop.
    `ends_passing`: a route may end at a stop that it passes, and `counts` limits how many it does not pass.
    `richest`: stops that take reach, the best first; `free_total`: what all others yield, but one mine only.
    """

    reach: int
    counts: int
    hops: int
    is_goods: bool
    ends_passing: bool
    is_top_bounded: bool
    free_total: int
    richest: Numbers
    stop_score: Numbers
    stop_reach: Numbers
    is_end: Flags
    is_mine: Flags
    passable: Flags


class Root(NamedTuple):
    """Where a search begins: the token stop, and what the search must keep to.

    `to_mine`: the first arm ends at a mine, and no other comes to one.
    """

    stop: int
    passed: bool
    is_end: bool
    to_mine: bool
    ends_passing: bool


class Bounds(NamedTuple):
    """What can still be gained after an arc, by the reach and counts that are left.

    `onward`: on the second arm. `both`: on the first arm and then on a second one. `begin`: on a second arm from the
    root.
    """

    onward: NDArray[np.int64]
    both: NDArray[np.int64]
    begin: NDArray[np.int64]


@compiled
def _onward_gains(
    travel: Travel, closed: Flags, root_place: int, reach: int, counts: int, to_mine: bool, hops: int
) -> NDArray[np.int64]:
    """For each arc, reach and counts left after it: the most that a walk onwards from its target can gain.

    The walk may come back to a stop but not at once. With `to_mine` it ends at a mine, else it never comes to one.
    `closed` are stops that it keeps off, as it does of the place `root_place`; `hops` is how many arcs that take
    nothing can follow each other.
    """
    arc_count = len(travel.target)
    gains = np.zeros((arc_count, reach + 1, counts + 1), np.int64)
    before = np.zeros(arc_count, np.int64)
    for left in range(reach + 1):
        for countable in range(counts + 1):
            for sweep in range(hops + 1):
                for arc in range(arc_count):
                    before[arc] = gains[arc, left, countable]
                changed = False
                for arc in range(arc_count):
                    stop = travel.target[arc]
                    best = NO_WAY if to_mine else np.int64(0)
                    if travel.to_mine[arc]:
                        best = np.int64(0)
                    elif not travel.ends[arc] and travel.allowed[arc]:
                        for following in range(travel.first[stop], travel.first[stop + 1]):
                            after = travel.target[following]
                            if (
                                not travel.allowed[following]
                                or travel.leaves[following]
                                or after == travel.source[arc]
                                or closed[after]
                                or travel.place[after] == root_place
                                or (travel.to_mine[following] and not to_mine)
                            ):
                                continue
                            rest, rest_counts = left - travel.reach[following], countable - travel.counts[following]
                            if rest < 0 or rest_counts < 0:
                                continue
                            if rest == left and rest_counts == countable:
                                if sweep == 0:
                                    continue
                                gain = before[following]
                            else:
                                gain = gains[following, rest, rest_counts]
                            if gain > NO_WAY:
                                gain += travel.value[following]
                                if gain > best:
                                    best = gain
                    if best != gains[arc, left, countable]:
                        gains[arc, left, countable] = best
                        changed = True
                if sweep > 0 and not changed:
                    break
    return gains


@compiled
def _gains_from(
    travel: Travel, gains: NDArray[np.int64], stop: int, closed: Flags, reach: int, counts: int
) -> NDArray[np.int64]:
    """For each reach and counts: the most that a second arm from `stop` gains; there may be none."""
    most = np.zeros((reach + 1, counts + 1), np.int64)
    for left in range(reach + 1):
        for countable in range(counts + 1):
            best = np.int64(0)
            for arc in range(travel.first[stop], travel.first[stop + 1]):
                rest, rest_counts = left - travel.reach[arc], countable - travel.counts[arc]
                if (
                    travel.allowed[arc]
                    and not closed[travel.target[arc]]
                    and rest >= 0
                    and rest_counts >= 0
                    and not travel.to_mine[arc]
                ):
                    best = max(best, travel.value[arc] + gains[arc, rest, rest_counts])
            most[left, countable] = best
    return most


@compiled
def _gains_with_second_arm(first_arm: NDArray[np.int64], begin: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each arc of the first arm, reach and counts left: the most that its rest and a second arm gain."""
    arc_count, reaches, counts = first_arm.shape
    both = np.full((arc_count, reaches, counts), NO_WAY)
    if reaches > SPLIT_REACH_MOST:
        for arc in range(arc_count):
            for left in range(reaches):
                for countable in range(counts):
                    if first_arm[arc, left, countable] > NO_WAY:
                        both[arc, left, countable] = first_arm[arc, left, countable] + begin[left, countable]
        return both
    for arc in range(arc_count):
        for left in range(reaches):
            for countable in range(counts):
                best = NO_WAY
                for used in range(left + 1):
                    for counted in range(countable + 1):
                        if first_arm[arc, used, counted] > NO_WAY:
                            best = max(
                                best,
                                first_arm[arc, used, counted] + begin[left - used, countable - counted],
                            )
                both[arc, left, countable] = best
    return both


@tight
def _top_gain(limits: Limits, visited: Flags, place: Numbers, closed: Flags, left: int, ends_left: int) -> int:
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
        total += limits.stop_score[stop]
        left -= 1
    return total


class Frames(NamedTuple):
    """The way gone so far, a frame for each arc; the second arm begins with a frame without an arc."""

    arc: Numbers
    stop: Numbers
    following: Numbers
    last: Numbers
    phase: Numbers
    reach: Numbers
    counts: Numbers
    score: Numbers
    least_counted: Numbers
    most_passed: Numbers
    may_end: Flags
    used: Words
    visited: Flags
    scalars: Numbers


class Finds(NamedTuple):
    """Routes found: worth, the first of their arcs in `arcs` and the one past the last."""

    worth: Numbers
    begin: Numbers
    end: Numbers
    arcs: Numbers


@compiled
def _begin(frames: Frames, root: Root, travel: Travel, limits: Limits) -> None:
    """Put the search at its root, with what is left of the train's reach and counts."""
    takes = not root.passed or root.ends_passing
    counted = root.ends_passing and not root.passed
    frames.arc[0] = NO_ARC
    frames.stop[0] = root.stop
    frames.following[0] = travel.first[root.stop]
    frames.last[0] = travel.first[root.stop + 1]
    frames.phase[0] = 1
    frames.reach[0] = limits.reach - (limits.stop_reach[root.stop] if takes else 0)
    frames.counts[0] = limits.counts - (1 if counted else 0)
    frames.score[0] = 1 + (0 if root.passed else limits.stop_score[root.stop])
    frames.least_counted[0] = np.int64(1 << 60) if root.passed else travel.key[root.stop]
    frames.most_passed[0] = travel.key[root.stop] if root.passed else np.int64(-1)
    frames.may_end[0] = not root.passed or root.ends_passing
    frames.used[0, :] = 0
    frames.visited[:] = False
    frames.visited[travel.place[root.stop]] = True
    fits = frames.reach[0] >= 0 and frames.counts[0] >= 0
    frames.scalars[DEPTH] = 0 if fits else -1


@tight
def _can_follow(frames: Frames, depth: int, arc: int, root: Root, travel: Travel, closed: Flags) -> bool:
    """Whether the way gone so far may go on along `arc`."""
    if not travel.allowed[arc] or (travel.leaves[arc] and depth > 0):
        return False
    target = travel.target[arc]
    if closed[target] or frames.visited[travel.place[target]]:
        return False
    if travel.reach[arc] > frames.reach[depth] or travel.counts[arc] > frames.counts[depth]:
        return False
    if travel.to_mine[arc] and (frames.phase[depth] == 2 or not root.to_mine):
        return False
    segment = travel.segment[arc]
    for word in range(travel.shared.shape[1]):
        if frames.used[depth, word] & travel.shared[segment, word]:
            return False
    if travel.counts[arc]:
        return travel.key[target] > frames.most_passed[depth]
    if travel.passes[arc] and root.ends_passing:
        return travel.key[target] < frames.least_counted[depth]
    return True


@tight
def _is_route(frames: Frames, depth: int, arc: int, root: Root, travel: Travel) -> bool:
    """Whether the way is a route once it has come along `arc`."""
    if travel.passes[arc] and not root.ends_passing:
        return False
    if frames.phase[depth] == 2:
        return True
    return frames.may_end[0] and (travel.to_mine[arc] or not root.to_mine)


@tight
def _has_second_arm(frames: Frames, depth: int, root: Root, travel: Travel) -> bool:
    """Whether a second arm may begin when the first one stands at `depth`."""
    if depth == 0 or root.is_end or not frames.may_end[depth] or travel.leaves[frames.arc[1]]:
        return False
    return not root.to_mine or travel.to_mine[frames.arc[depth]]


@tight
def _gain_after(
    frames: Frames,
    depth: int,
    arc: int,
    root: Root,
    travel: Travel,
    bounds: Bounds,
    limits: Limits,
    closed: Flags,
    needed: int,
) -> int:
    """The most that can be gained after `arc`, as far as it needs to be known to see whether `needed` is in reach."""
    left, countable = frames.reach[depth] - travel.reach[arc], frames.counts[depth] - travel.counts[arc]
    if frames.phase[depth] == 2:
        gain = bounds.onward[arc, left, countable]
    else:
        gain = bounds.both[arc, left, countable]
    if gain < needed or gain == NO_WAY or not limits.is_top_bounded:
        return gain
    ends_left = 2 if frames.phase[depth] == 1 and not root.to_mine else 1
    limit = countable if root.ends_passing else left
    visited = frames.visited
    target_place = travel.place[travel.target[arc]]
    visited[target_place] = True
    top = _top_gain(limits, visited, travel.place, closed, limit, ends_left)
    visited[target_place] = False
    return min(gain, top)


@tight
def _push(frames: Frames, depth: int, arc: int, travel: Travel, root: Root, score: int) -> None:
    """Go along `arc`."""
    above, target = depth + 1, travel.target[arc]
    frames.arc[above] = arc
    frames.stop[above] = target
    frames.following[above] = travel.first[target]
    frames.last[above] = travel.first[target] if travel.ends[arc] else travel.first[target + 1]
    frames.phase[above] = frames.phase[depth]
    frames.reach[above] = frames.reach[depth] - travel.reach[arc]
    frames.counts[above] = frames.counts[depth] - travel.counts[arc]
    frames.score[above] = score
    frames.least_counted[above] = frames.least_counted[depth]
    frames.most_passed[above] = frames.most_passed[depth]
    if travel.passes[arc]:
        frames.most_passed[above] = max(frames.most_passed[above], travel.key[target])
    else:
        frames.least_counted[above] = min(frames.least_counted[above], travel.key[target])
    frames.may_end[above] = not travel.passes[arc] or root.ends_passing
    for word in range(travel.shared.shape[1]):
        frames.used[above, word] = frames.used[depth, word] | travel.shared[travel.segment[arc], word]
    frames.visited[travel.place[target]] = True
    frames.scalars[DEPTH] = above


@tight
def _push_second_arm(frames: Frames, depth: int, travel: Travel, root: Root) -> None:
    """Go back to the root and begin the second arm."""
    above = depth + 1
    frames.arc[above] = NO_ARC
    frames.stop[above] = root.stop
    frames.following[above] = travel.first[root.stop] if root.to_mine else frames.arc[1] + 1
    frames.last[above] = travel.first[root.stop + 1]
    frames.phase[above] = 2
    frames.reach[above] = frames.reach[depth]
    frames.counts[above] = frames.counts[depth]
    frames.score[above] = frames.score[depth]
    frames.least_counted[above] = frames.least_counted[depth]
    frames.most_passed[above] = frames.most_passed[depth]
    frames.may_end[above] = True
    for word in range(frames.used.shape[1]):
        frames.used[above, word] = frames.used[depth, word]
    frames.scalars[DEPTH] = above


@tight
def _note(frames: Frames, depth: int, arc: int, score: int, finds: Finds, keep_best: bool) -> None:
    """Write down the way gone so far and `arc` as a route found."""
    scalars = frames.scalars
    if keep_best:
        scalars[FOUND] = 0
        scalars[USED_ARCS] = 0
        scalars[NEEDED] = score + 1
    found, used = scalars[FOUND], scalars[USED_ARCS]
    finds.worth[found] = score
    finds.begin[found] = used
    for position in range(1, depth + 1):
        finds.arcs[used] = frames.arc[position]
        used += 1
    finds.arcs[used] = arc
    finds.end[found] = used + 1
    scalars[FOUND] = found + 1
    scalars[USED_ARCS] = used + 1


@compiled
def tracks_of(
    begin: Numbers, end: Numbers, arcs: Numbers, segment: Numbers, track: Words, price: Numbers
) -> tuple[Words, Numbers]:
    """The track of routes told by their arcs, and what it costs."""
    rows = np.zeros((len(begin), track.shape[1]), np.uint64)
    prices = np.zeros(len(begin), np.int64)
    for number in range(len(begin)):
        for position in range(begin[number], end[number]):
            if arcs[position] != NO_ARC:
                prices[number] += price[segment[arcs[position]]]
                for word in range(track.shape[1]):
                    rows[number, word] |= track[segment[arcs[position]], word]
    return rows, prices


@tight
def _search_from(
    frames: Frames,
    root: Root,
    travel: Travel,
    bounds: Bounds,
    limits: Limits,
    closed: Flags,
    finds: Finds,
    keep_best: bool,
    stop_at: int,
) -> int:
    """Go on with the search from one root until so many steps are done; answers why it came back."""
    scalars = frames.scalars
    while scalars[DEPTH] >= 0:
        depth = scalars[DEPTH]
        if scalars[NODES] >= stop_at:
            return INTERRUPTED
        if scalars[FOUND] == len(finds.worth) and not keep_best:
            return FULL
        if scalars[USED_ARCS] + depth + 1 > len(finds.arcs) and not keep_best:
            return FULL
        if frames.following[depth] == frames.last[depth]:
            if frames.phase[depth] == 1 and _has_second_arm(frames, depth, root, travel):
                gain = bounds.begin[frames.reach[depth], frames.counts[depth]]
                if frames.score[depth] + gain >= scalars[NEEDED]:
                    frames.last[depth] = NO_ARC
                    frames.following[depth] = NO_ARC
                    frames.phase[depth] = 3
                    _push_second_arm(frames, depth, travel, root)
                    continue
            if depth == 0 or frames.arc[depth] != NO_ARC:
                frames.visited[travel.place[frames.stop[depth]]] = False
            scalars[DEPTH] = depth - 1
            continue
        arc = frames.following[depth]
        frames.following[depth] += 1
        scalars[NODES] += 1
        if not _can_follow(frames, depth, arc, root, travel, closed):
            continue
        score = frames.score[depth] + travel.value[arc]
        if score >= scalars[NEEDED] and _is_route(frames, depth, arc, root, travel):
            _note(frames, depth, arc, score, finds, keep_best)
        needed = scalars[NEEDED] - score
        if _gain_after(frames, depth, arc, root, travel, bounds, limits, closed, needed) >= needed:
            _push(frames, depth, arc, travel, root, score)
    return FINISHED


@compiled
def _bounds_of(travel: Travel, root: Root, closed: Flags, limits: Limits) -> Bounds:
    place, reach, counts = travel.place[root.stop], limits.reach, limits.counts
    onward = _onward_gains(travel, closed, place, reach, counts, False, limits.hops)
    begin = _gains_from(travel, onward, root.stop, closed, reach, counts)
    if not root.to_mine:
        return Bounds(onward, _gains_with_second_arm(onward, begin), begin)
    first = _onward_gains(travel, closed, place, reach, counts, True, limits.hops)
    return Bounds(onward, _gains_with_second_arm(first, begin), begin)


@compiled
def search(
    frames: Frames, roots: Numbers, travel: Travel, limits: Limits, finds: Finds, keep_best: bool, steps: int
) -> int:
    """Go on with the search from all roots for at most so many steps; answers why it came back.

    `roots`: token stops in the order in which they are searched; each keeps off those before it. Notes every route
    worth at least what is needed, with `keep_best` only the best: then what is needed rises.
    """
    scalars = frames.scalars
    stop_at = scalars[NODES] + steps
    closed = np.zeros(len(travel.place), np.bool_)
    for number in range(2 * len(roots)):
        stop, passed = roots[number // 2], number % 2 == 1
        may_pass = limits.passable[stop]
        if number >= scalars[ROOT] and (may_pass or not passed):
            to_mine = limits.is_goods and not limits.is_mine[stop]
            root = Root(stop, passed, limits.is_end[stop], to_mine, limits.ends_passing)
            if scalars[DEPTH] == NOT_BEGUN:
                _begin(frames, root, travel, limits)
            bounds = _bounds_of(travel, root, closed, limits)
            why = _search_from(frames, root, travel, bounds, limits, closed, finds, keep_best, stop_at)
            if why != FINISHED:
                scalars[ROOT] = number
                return why
            scalars[DEPTH] = NOT_BEGUN
        if passed:
            closed[stop] = True
    return FINISHED
