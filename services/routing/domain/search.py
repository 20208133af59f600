"""Routes of one train from one token: a depth-first search in a compiled kernel, cut by what can still be gained.

Each route is met once, from the first of its token stops in a fixed order of tokens, as two arms: the first arm is
grown, then the second from the token again. Between two arms of one route the first leaves the token by the arc that
stands earlier; a goods train's first arm is the one that ends at its mine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.finds import FINISHED, FULL, INTERRUPTED, Finds
from services.routing.domain.gains import NO_WAY, Bounds, Limits, Root, Travel, fill_bounds, top_gain
from services.routing.domain.kernel import compiled, inner, tight
from services.routing.domain.network import Flags, Numbers, Words

NO_ARC = -1

# Scalars of a running search. `BOUNDED`: how many roots have had their bounds.
ROOT, DEPTH, NODES, FOUND, USED_ARCS, NEEDED, BOUNDED, SCALARS = 0, 1, 2, 3, 4, 5, 6, 7
NOT_BEGUN = -2
# So many entries of the bounds' tables are made in the time of a step, and so many steps follow at least.
ENTRIES_PER_STEP, STEPS_LEAST = 4, 1_000


class Roots(NamedTuple):
    """The token stops in the order in which they are searched, each counted and then passed, with what it adds and collects.

    `counted` and `passed` have a row for each: value, marks, end value, end marks, whether a route may end there.
    """

    stop: Numbers
    counted: NDArray[np.int64]
    passed: NDArray[np.int64]


class Frames(NamedTuple):
    """The path so far, a frame for each arc; the second arm begins with a frame without an arc."""

    arc: Numbers
    stop: Numbers
    following: Numbers
    last: Numbers
    phase: Numbers
    reach: Numbers
    counts: Numbers
    score: Numbers
    marks: Numbers
    least_counted: Numbers
    most_passed: Numbers
    may_end: Flags
    used: Words
    visited: Flags
    scalars: Numbers


@compiled
def _begin(frames: Frames, root: Root, travel: Travel, limits: Limits) -> None:
    """Reset the search to its root, with the train's remaining reach and counts."""
    takes = not root.passed or root.ends_passing
    frames.arc[0] = NO_ARC
    frames.stop[0] = root.stop
    frames.following[0] = travel.first[root.stop]
    frames.last[0] = travel.first[root.stop + 1]
    frames.phase[0] = 1
    frames.reach[0] = limits.reach - (limits.stop_reach[root.stop] if takes else 0)
    frames.counts[0] = limits.counts - (0 if root.passed else limits.stop_counts[root.stop])
    frames.score[0] = 1 + limits.base + travel.through[root.stop] + root.value
    frames.marks[0] = root.marks
    chosen = travel.chosen[root.stop]
    frames.least_counted[0] = np.int64(1 << 60) if root.passed or chosen else travel.key[root.stop]
    frames.most_passed[0] = travel.key[root.stop] if root.passed and not chosen else np.int64(-1)
    frames.may_end[0] = root.may_end and (not root.passed or root.ends_passing)
    frames.used[0, :] = 0
    frames.visited[:] = False
    frames.visited[travel.place[root.stop]] = True
    fits = frames.reach[0] >= 0 and frames.counts[0] >= 0
    frames.scalars[DEPTH] = 0 if fits else -1


@inner
def _can_follow(frames: Frames, depth: int, arc: int, root: Root, travel: Travel, closed: Flags) -> bool:
    """Whether the path so far may go on along `arc`."""
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
    if not root.ends_passing or travel.chosen[target]:
        return True
    if travel.counts[arc]:
        return travel.key[target] > frames.most_passed[depth]
    if travel.passes[arc]:
        return travel.key[target] < frames.least_counted[depth]
    return True


@inner
def _is_route(frames: Frames, depth: int, arc: int, root: Root, travel: Travel, limits: Limits) -> bool:
    """Whether the path is a complete route after `arc`."""
    if not travel.may_end[arc] or (travel.passes[arc] and not root.ends_passing):
        return False
    marks = frames.marks[depth] | travel.marks[arc] | travel.end_marks[arc]
    if frames.phase[depth] == 2:
        return marks & limits.needed == limits.needed
    if not frames.may_end[0] or (root.to_mine and not travel.to_mine[arc]):
        return False
    return (marks | root.end_marks) & limits.needed == limits.needed


@inner
def _has_second_arm(frames: Frames, depth: int, root: Root, travel: Travel) -> bool:
    """Whether a second arm may begin with the first one ended at `depth`."""
    if depth == 0 or root.is_end or not frames.may_end[depth] or travel.leaves[frames.arc[1]]:
        return False
    return not root.to_mine or travel.to_mine[frames.arc[depth]]


@inner
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
    """An upper bound on the gain after `arc`, tight enough to compare with `needed`."""
    left, countable = frames.reach[depth] - travel.reach[arc], frames.counts[depth] - travel.counts[arc]
    table = bounds.onward if frames.phase[depth] == 2 else bounds.both
    gain = table[left, min(countable, table.shape[1] - 1), arc]
    if gain < needed or gain == NO_WAY or not limits.is_top_bounded:
        return gain
    first_arm = frames.phase[depth] == 1
    ends_left = 2 if first_arm and not root.to_mine else 1
    limit = countable if root.ends_passing else left
    beside = (2 if first_arm else 1) * limits.end_most + (left * limits.pass_most if root.ends_passing else 0)
    visited = frames.visited
    target_place = travel.place[travel.target[arc]]
    visited[target_place] = True
    top = beside + top_gain(limits, visited, travel.place, closed, limit, ends_left)
    visited[target_place] = False
    return min(gain, top)


@inner
def _push(frames: Frames, depth: int, arc: int, travel: Travel, root: Root, score: int) -> None:
    """Extend the path by `arc`."""
    above, target = depth + 1, travel.target[arc]
    frames.arc[above] = arc
    frames.stop[above] = target
    frames.following[above] = travel.first[target]
    frames.last[above] = travel.first[target] if travel.ends[arc] else travel.first[target + 1]
    frames.phase[above] = frames.phase[depth]
    frames.reach[above] = frames.reach[depth] - travel.reach[arc]
    frames.counts[above] = frames.counts[depth] - travel.counts[arc]
    frames.score[above] = score
    frames.marks[above] = frames.marks[depth] | travel.marks[arc]
    frames.least_counted[above] = frames.least_counted[depth]
    frames.most_passed[above] = frames.most_passed[depth]
    if travel.chosen[target]:
        pass
    elif travel.passes[arc]:
        frames.most_passed[above] = max(frames.most_passed[above], travel.key[target])
    else:
        frames.least_counted[above] = min(frames.least_counted[above], travel.key[target])
    frames.may_end[above] = travel.may_end[arc] and (not travel.passes[arc] or root.ends_passing)
    for word in range(travel.shared.shape[1]):
        frames.used[above, word] = frames.used[depth, word] | travel.shared[travel.segment[arc], word]
    frames.visited[travel.place[target]] = True
    frames.scalars[DEPTH] = above


@inner
def _push_second_arm(frames: Frames, depth: int, travel: Travel, root: Root) -> None:
    """Go back to the root and begin the second arm."""
    above, ended = depth + 1, frames.arc[depth]
    frames.arc[above] = NO_ARC
    frames.stop[above] = root.stop
    frames.following[above] = travel.first[root.stop] if root.to_mine else frames.arc[1] + 1
    frames.last[above] = travel.first[root.stop + 1]
    frames.phase[above] = 2
    frames.reach[above] = frames.reach[depth]
    frames.counts[above] = frames.counts[depth]
    frames.score[above] = frames.score[depth] + travel.end_value[ended]
    frames.marks[above] = frames.marks[depth] | travel.end_marks[ended]
    frames.least_counted[above] = frames.least_counted[depth]
    frames.most_passed[above] = frames.most_passed[depth]
    frames.may_end[above] = True
    for word in range(frames.used.shape[1]):
        frames.used[above, word] = frames.used[depth, word]
    frames.scalars[DEPTH] = above


@inner
def _note(frames: Frames, depth: int, arc: int, score: int, finds: Finds, keep_best: bool) -> None:
    """Record the path so far with `arc` as a route."""
    scalars = frames.scalars
    if keep_best:
        scalars[FOUND] = 0
        scalars[USED_ARCS] = 0
        scalars[NEEDED] = score + 1
    found, used = scalars[FOUND], scalars[USED_ARCS]
    finds.worth[found] = score
    finds.begin[found] = used
    for position in range(1, depth + 1):
        finds.parts[used] = frames.arc[position]
        used += 1
    finds.parts[used] = arc
    finds.end[found] = used + 1
    scalars[FOUND] = found + 1
    scalars[USED_ARCS] = used + 1


@tight
def use_any(track: Words, taken: Words, uses: Flags) -> None:
    """Whether each of these rows has a bit of `taken`, into `uses`."""
    for row in range(len(track)):
        common = np.uint64(0)
        for word in range(track.shape[1]):
            common |= track[row, word] & taken[word]
        uses[row] = common != np.uint64(0)


@compiled
def tracks_of(begin: Numbers, end: Numbers, parts: Numbers, track: Words) -> Words:
    """What routes given by their parts use up; `track` has a row for each part."""
    rows = np.zeros((len(begin), track.shape[1]), np.uint64)
    for number in range(len(begin)):
        for position in range(begin[number], end[number]):
            if parts[position] != NO_ARC:
                for word in range(track.shape[1]):
                    rows[number, word] |= track[parts[position], word]
    return rows


@compiled
def prices_of(begin: Numbers, end: Numbers, arcs: Numbers, travel: Travel, value: Numbers) -> Numbers:
    """What routes given by their arcs cost; `value` is what the arcs yield without prices."""
    prices = np.zeros(len(begin), np.int64)
    for number in range(len(begin)):
        prices[number] = -travel.through[travel.source[arcs[begin[number]]]]
        for position in range(begin[number], end[number]):
            if arcs[position] != NO_ARC:
                prices[number] += value[arcs[position]] - travel.value[arcs[position]]
    return prices


@inner
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
    """Continue the search from one root for a number of steps; returns a result code."""
    scalars = frames.scalars
    while scalars[DEPTH] >= 0:
        depth = scalars[DEPTH]
        if scalars[NODES] >= stop_at:
            return INTERRUPTED
        if scalars[FOUND] == len(finds.worth) and not keep_best:
            return FULL
        if scalars[USED_ARCS] + depth + 1 > len(finds.parts) and not keep_best:
            return FULL
        if frames.following[depth] == frames.last[depth]:
            if frames.phase[depth] == 1 and _has_second_arm(frames, depth, root, travel):
                counts = min(frames.counts[depth], bounds.begin.shape[1] - 1)
                gain = bounds.begin[frames.reach[depth], counts]
                gain += travel.end_value[frames.arc[depth]]
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
        total = score + travel.end_value[arc] + (root.end_value if frames.phase[depth] == 1 else 0)
        if total >= scalars[NEEDED] and _is_route(frames, depth, arc, root, travel, limits):
            _note(frames, depth, arc, total, finds, keep_best)
        needed = scalars[NEEDED] - score
        if _gain_after(frames, depth, arc, root, travel, bounds, limits, closed, needed) >= needed:
            _push(frames, depth, arc, travel, root, score)
    return FINISHED


@compiled
def search(
    frames: Frames,
    roots: Roots,
    travel: Travel,
    bounded: Travel,
    bounds: Bounds,
    limits: Limits,
    finds: Finds,
    keep_best: bool,
    steps: int,
    read_most: int,
) -> int:
    """Continue the search from all roots for a number of steps; returns a result code.

    Each root keeps off those before it; its `bounds` are made by the arcs `bounded`, not more than `read_most` at once.
    Notes every route
    worth at least what is needed, with `keep_best` only the best: then what is needed rises.
    """
    scalars = frames.scalars
    stop_at = scalars[NODES] + steps
    closed = np.zeros(len(travel.place), np.bool_)
    for number in range(2 * len(roots.stop)):
        stop, passed = roots.stop[number // 2], number % 2 == 1
        row = (roots.passed if passed else roots.counted)[number // 2]
        may_pass = limits.passable[stop]
        if number >= scalars[ROOT] and (may_pass or not passed):
            to_mine = limits.is_goods and not limits.is_mine[stop]
            root = Root(
                stop,
                passed,
                limits.is_end[stop],
                to_mine,
                limits.ends_passing,
                row[0],
                row[1],
                row[2],
                row[3],
                row[4] != 0,
            )
            if scalars[DEPTH] == NOT_BEGUN:
                _begin(frames, root, travel, limits)
            if scalars[BOUNDED] <= number:
                scalars[ROOT] = number
                if not fill_bounds(bounded, root, closed, limits, bounds, read_most):
                    return INTERRUPTED
                scalars[BOUNDED] = number + 1
                scalars[NODES] += bounds.onward.size // ENTRIES_PER_STEP
            least = max(stop_at, scalars[NODES] + STEPS_LEAST)
            why = _search_from(frames, root, travel, bounds, limits, closed, finds, keep_best, least)
            if why != FINISHED:
                scalars[ROOT] = number
                return why
            scalars[DEPTH] = NOT_BEGUN
            if scalars[NODES] >= stop_at:
                scalars[ROOT] = number + 1
                return INTERRUPTED
        if passed:
            closed[stop] = True
    return FINISHED
