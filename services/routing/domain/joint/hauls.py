"""Routes of freight trains, alone or joined into a longer run: for each two ends the ways that touch most.

Of a freight run only the ends, and what it touches on the way, matter to the other trains; so a way is kept only where
no other between the same ends touches all that it touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.joint.board import FAR, Board
from services.routing.domain.kernel import tight
from services.routing.domain.network import Flags, Numbers, Words

FINISHED, INTERRUPTED, FULL = 0, 1, 2
STEPS_AT_ONCE = 200_000
FIRST_ROOM, ARCS_MOST = 1 << 12, 1 << 24
NONE = -1
# Scalars of a search that is under way.
DEPTH, STEPS, FOUND, USED, SCALARS = 0, 1, 2, 3, 4


class Track(NamedTuple):
    """The board as joined trains may travel it; see `Board`.

    `reach`: of each train. `to_goal`: least hexes from each stop to an end wanted. `may_join`: stops where one train may
    end and the next go on. `apart`: parts need only be routes each by itself.
    """

    first: Numbers
    target: Numbers
    leaves: Flags
    ends: Flags
    length: Numbers
    shared: Words
    place: Numbers
    is_town: Flags
    is_end: Flags
    has_token: Flags
    ends_alike: Numbers
    links: Words
    reach: Numbers
    to_token: Numbers
    to_goal: Numbers
    wanted: Flags
    may_join: Flags
    apart: bool


class Frames(NamedTuple):
    """The way gone so far, a frame for each stop and one more for each train that goes on from another's end.

    `arc` is the arc by which it came, or what `train_mark` gives for the train that begins here. `begin`: the frame at
    which the part begins. `unused`: the trains not yet on the way, as bits.
    """

    stop: Numbers
    arc: Numbers
    following: Numbers
    left: Numbers
    token: Flags
    begin: Numbers
    unused: Numbers
    used: Words
    touched: Words
    visits: Numbers
    joints: Numbers
    scalars: Numbers


class Ways(NamedTuple):
    """Ways found from one start: the end, what is touched, the joints, arcs with marks, and the next with the same end.

    A way that another one has made needless has no end.
    """

    end: Numbers
    touched: Words
    joints: Words
    begin: Numbers
    arcs: Numbers
    following: Numbers
    head: Numbers


class Hauls(NamedTuple):
    """Ways between ends: `arcs[begin[n]:begin[n + 1]]` are those of way n, where negative marks tell the trains."""

    start: Numbers
    end: Numbers
    touched: Words
    joints: Words
    begin: Numbers
    arcs: Numbers


@tight
def train_mark(train: int) -> int:
    """Stands among the arcs of a way where this train begins."""
    return -1 - train


def hauls_of(
    board: Board, reaches: Sequence[int], wanted: Flags, budget: Budget, partly: bool = False
) -> Hauls:
    """Ways of trains of these reaches, all of them joined, between ends `wanted[a, b]`, each from its smaller end.

    Raises `BudgetSpent`, also where they are too many to be kept; `partly` gives those found until then instead.
    """
    apart = len(reaches) > 1 and board.problem.parameters.freight_joins == "ends_meet"
    distance = board.distances(board.length, passing=apart)
    track = _track(board, reaches, apart, distance)
    frames = _frames(board, len(reaches))
    found: list[Hauls] = []
    for start in range(len(board.stops)):
        goals = wanted[start] & (np.arange(len(board.stops)) > start) & (distance[start] <= sum(reaches))
        if goals.any():
            here = track._replace(to_goal=distance[:, goals].min(axis=1), wanted=goals)
            found.append(_from_start(board, frames, here, start, budget, partly))
    return _put_together(board, found)


def _track(board: Board, reaches: Sequence[int], apart: bool, distance: Numbers) -> Track:
    nearest = np.full(len(board.stops), FAR, np.int64)
    if board.has_token.any():
        nearest = distance[:, board.has_token].min(axis=1)
    return Track(
        first=board.first,
        target=board.target,
        leaves=board.leaves,
        ends=board.ends,
        length=board.length,
        shared=board.shared,
        place=board.place,
        is_town=board.is_town,
        is_end=board.is_end,
        has_token=board.has_token,
        ends_alike=np.where(board.is_port, 1, np.where(board.is_offboard, 2, 0)),
        links=board.links,
        reach=np.array(reaches, np.int64),
        to_token=nearest,
        to_goal=nearest,
        wanted=np.zeros(len(board.stops), np.bool_),
        may_join=~board.is_town if apart else board.is_city & ~board.is_end,
        apart=apart,
    )


def _frames(board: Board, trains: int) -> Frames:
    depth = (len(board.stops) + 2) * (trains if trains > 1 else 1) + trains

    def numbers() -> Numbers:
        return np.zeros(depth, np.int64)

    return Frames(
        stop=numbers(),
        arc=numbers(),
        following=numbers(),
        left=numbers(),
        token=np.zeros(depth, np.bool_),
        begin=numbers(),
        unused=numbers(),
        used=np.zeros((depth, board.shared.shape[1]), np.uint64),
        touched=np.zeros((depth, board.links.shape[1]), np.uint64),
        visits=np.zeros(board.place_count, np.int64),
        joints=np.zeros(len(board.stops), np.int64),
        scalars=np.zeros(SCALARS, np.int64),
    )


def _from_start(
    board: Board, frames: Frames, track: Track, start: int, budget: Budget, partly: bool
) -> Hauls:
    """All ways from one start."""
    ways = _room(board, FIRST_ROOM)
    frames.scalars[FOUND] = frames.scalars[USED] = 0
    try:
        for train in range(len(track.reach)):
            if train and track.reach[train] == track.reach[train - 1]:
                continue
            _begin(frames, track, start, train)
            why = INTERRUPTED
            while why != FINISHED:
                before = int(frames.scalars[STEPS])
                why = _search(frames, track, ways, before + STEPS_AT_ONCE)
                budget.spend(1 + int(frames.scalars[STEPS]) - before)
                if why == FULL:
                    ways = _more_room(ways)
    except BudgetSpent:
        if not partly:
            raise
    kept = np.flatnonzero(ways.end[: int(frames.scalars[FOUND])] != NONE)
    spans = [ways.arcs[ways.begin[way] : ways.begin[way + 1]] for way in kept.tolist()]
    return Hauls(
        np.full(len(kept), start, np.int64),
        ways.end[kept],
        ways.touched[kept],
        ways.joints[kept],
        np.cumsum([0, *map(len, spans)]).astype(np.int64),
        np.concatenate([np.zeros(0, np.int64), *spans]),
    )


def _more_room(ways: Ways) -> Ways:
    if len(ways.arcs) >= ARCS_MOST:
        raise BudgetSpent
    return Ways(
        end=np.append(ways.end, np.zeros_like(ways.end)),
        touched=np.concatenate((ways.touched, np.zeros_like(ways.touched))),
        joints=np.concatenate((ways.joints, np.zeros_like(ways.joints))),
        begin=np.append(ways.begin, np.zeros_like(ways.begin)),
        arcs=np.append(ways.arcs, np.zeros_like(ways.arcs)),
        following=np.append(ways.following, np.zeros_like(ways.following)),
        head=ways.head,
    )


def _room(board: Board, size: int) -> Ways:
    stops = len(board.stops)
    return Ways(
        end=np.zeros(size, np.int64),
        touched=np.zeros((size, board.links.shape[1]), np.uint64),
        joints=np.zeros((size, -(-stops // 64) or 1), np.uint64),
        begin=np.zeros(size + 1, np.int64),
        arcs=np.zeros(8 * size, np.int64),
        following=np.zeros(size, np.int64),
        head=np.full(stops, NONE, np.int64),
    )


def _put_together(board: Board, parts: Sequence[Hauls]) -> Hauls:
    empty = _room(board, 0)
    offsets = np.cumsum([0, *(len(part.arcs) for part in parts)])
    begins = [part.begin[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
    return Hauls(
        np.concatenate([empty.end, *(part.start for part in parts)]),
        np.concatenate([empty.end, *(part.end for part in parts)]),
        np.concatenate([empty.touched, *(part.touched for part in parts)]),
        np.concatenate([empty.joints, *(part.joints for part in parts)]),
        np.concatenate([*begins, offsets[-1:]]).astype(np.int64),
        np.concatenate([empty.arcs, *(part.arcs for part in parts)]),
    )


def _begin(frames: Frames, track: Track, start: int, train: int) -> None:
    frames.stop[0] = start
    frames.arc[0] = train_mark(train)
    frames.following[0] = track.first[start]
    frames.left[0] = track.reach[train]
    frames.token[0] = track.has_token[start]
    frames.begin[0] = 0
    frames.unused[0] = (1 << len(track.reach)) - 1 - (1 << train)
    frames.used[0, :] = 0
    frames.touched[0, :] = track.links[start]
    frames.visits[:] = 0
    frames.joints[:] = 0
    frames.visits[track.place[start]] = 1
    frames.joints[start] = 1
    frames.scalars[DEPTH] = 0


@tight
def _unused_reach(unused: int, track: Track) -> int:
    total = 0
    for train in range(len(track.reach)):
        if unused >> train & 1:
            total += track.reach[train]
    return total


@tight
def _was_in_part(frames: Frames, depth: int, place: int, track: Track) -> bool:
    """Whether the present part has come to this place."""
    found = 0
    for position in range(frames.begin[depth], depth + 1):
        found += track.place[frames.stop[position]] == place
    return found > 0


@tight
def _can_follow(frames: Frames, depth: int, arc: int, track: Track) -> bool:
    """Whether the way gone so far may go on along `arc`."""
    target = track.target[arc]
    if track.leaves[arc] and (depth > frames.begin[depth] or (depth > 0 and not track.apart)):
        return False
    left = frames.left[depth] - track.length[arc]
    if left < 0 or (not frames.token[depth] and track.to_token[target] > left):
        return False
    if track.to_goal[target] > left + _unused_reach(frames.unused[depth], track):
        return False
    place = track.place[target]
    if frames.visits[place] and (not track.apart or _was_in_part(frames, depth, place, track)):
        return False
    clash = np.uint64(0)
    for word in range(track.shared.shape[1]):
        clash |= frames.used[depth, word] & track.shared[arc, word]
    return bool(clash == 0)


@tight
def _push(frames: Frames, depth: int, arc: int, track: Track) -> None:
    above, target = depth + 1, track.target[arc]
    frames.stop[above] = target
    frames.arc[above] = arc
    frames.following[above] = track.first[target + 1] if track.ends[arc] else track.first[target]
    frames.left[above] = frames.left[depth] - track.length[arc]
    frames.token[above] = frames.token[depth] or track.has_token[target]
    frames.begin[above] = frames.begin[depth]
    frames.unused[above] = frames.unused[depth]
    for word in range(track.shared.shape[1]):
        frames.used[above, word] = frames.used[depth, word] | track.shared[arc, word]
    for word in range(track.links.shape[1]):
        frames.touched[above, word] = frames.touched[depth, word] | track.links[target, word]
    frames.visits[track.place[target]] += 1
    frames.scalars[DEPTH] = above


@tight
def _push_train(frames: Frames, depth: int, train: int, track: Track) -> None:
    """Let another train go on from here."""
    above, stop = depth + 1, frames.stop[depth]
    frames.stop[above] = stop
    frames.arc[above] = train_mark(train)
    frames.following[above] = track.first[stop]
    frames.left[above] = track.reach[train]
    frames.token[above] = track.has_token[stop]
    frames.begin[above] = above
    frames.unused[above] = frames.unused[depth] & ~(1 << train)
    for word in range(track.shared.shape[1]):
        frames.used[above, word] = np.uint64(0) if track.apart else frames.used[depth, word]
    for word in range(track.links.shape[1]):
        frames.touched[above, word] = frames.touched[depth, word]
    frames.visits[track.place[stop]] += 1
    frames.joints[stop] += 1
    frames.scalars[DEPTH] = above


@tight
def _is_part(frames: Frames, depth: int, track: Track) -> bool:
    """Whether the present part is a route that ends here."""
    stop, begin = frames.stop[depth], frames.begin[depth]
    if depth == begin or track.is_town[stop] or not frames.token[depth]:
        return False
    alike = track.ends_alike[stop]
    return bool(alike == 0 or alike != track.ends_alike[frames.stop[begin]])


@tight
def _train_to_go_on(frames: Frames, depth: int, option: int, track: Track) -> bool:
    """Whether train number `option` may go on from here; of trains alike the first unused one does."""
    first = option
    for train in range(option, -1, -1):
        if frames.unused[depth] >> train & 1 and track.reach[train] == track.reach[option]:
            first = train
    return first == option and (frames.unused[depth] >> option & 1) == 1


@tight
def _may_join_here(frames: Frames, depth: int, track: Track) -> bool:
    stop = frames.stop[depth]
    if frames.unused[depth] == 0 or not track.may_join[stop] or frames.joints[stop] > 0:
        return False
    if not track.apart and track.ends[frames.arc[depth]]:
        return False
    return _is_part(frames, depth, track)


@tight
def _covers(larger: Words, one: int, smaller: Words, other: int) -> bool:
    """Whether row `one` has all bits of row `other` of another table."""
    missing = np.uint64(0)
    for word in range(larger.shape[1]):
        missing |= smaller[other, word] & ~larger[one, word]
    return bool(missing == 0)


@tight
def _note(frames: Frames, depth: int, ways: Ways) -> None:
    """Keep the way, unless one with the same end touches as much; let go of those that touch less."""
    scalars, end = frames.scalars, frames.stop[depth]
    found, used = scalars[FOUND], scalars[USED]
    for word in range(ways.joints.shape[1]):
        ways.joints[found, word] = 0
    for position in range(1, depth + 1):
        if frames.arc[position] < 0:
            stop = frames.stop[position]
            ways.joints[found, stop // 64] |= np.uint64(1) << np.uint64(stop % 64)
    touched, joints = frames.touched, ways.joints
    before, way = NONE, ways.head[end]
    while way != NONE:
        following = ways.following[way]
        if _covers(ways.touched, way, touched, depth) and _covers(joints, found, joints, way):
            return
        if _covers(touched, depth, ways.touched, way) and _covers(joints, way, joints, found):
            ways.end[way] = NONE
            if before == NONE:
                ways.head[end] = following
            else:
                ways.following[before] = following
        else:
            before = way
        way = following
    for position in range(depth + 1):
        ways.arcs[used] = frames.arc[position]
        used += 1
    ways.end[found] = end
    for word in range(touched.shape[1]):
        ways.touched[found, word] = touched[depth, word]
    ways.following[found] = ways.head[end]
    ways.head[end] = found
    ways.begin[found + 1] = used
    scalars[FOUND] = found + 1
    scalars[USED] = used


@tight
def _pop(frames: Frames, depth: int, track: Track) -> None:
    stop = frames.stop[depth]
    frames.visits[track.place[stop]] -= 1
    if frames.arc[depth] < 0:
        frames.joints[stop] -= 1
    frames.scalars[DEPTH] = depth - 1


@tight
def _search(frames: Frames, track: Track, ways: Ways, stop_at: int) -> int:
    """Go on with the search from one start; answers why it came back."""
    scalars, trains = frames.scalars, len(track.reach)
    while scalars[DEPTH] >= 0:
        depth = scalars[DEPTH]
        if scalars[STEPS] >= stop_at:
            return INTERRUPTED
        if scalars[FOUND] + 1 >= len(ways.end) or scalars[USED] + depth + 1 > len(ways.arcs):
            return FULL
        stop = frames.stop[depth]
        last = track.first[stop + 1]
        option = frames.following[depth]
        frames.following[depth] += 1
        scalars[STEPS] += 1
        if option < last:
            if _can_follow(frames, depth, option, track):
                _push(frames, depth, option, track)
                above = depth + 1
                end = frames.stop[above]
                wanted = frames.unused[above] == 0 and track.wanted[end] and frames.joints[end] == 0
                if wanted and _is_part(frames, above, track):
                    _note(frames, above, ways)
        elif option < last + trains and _may_join_here(frames, depth, track):
            if _train_to_go_on(frames, depth, option - last, track):
                _push_train(frames, depth, option - last, track)
        else:
            _pop(frames, depth, track)
    return FINISHED
