"""Routes of local and express trains: all that cannot be lengthened at the end at which they are found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget, BudgetSpent, steps_with
from services.routing.domain.joint.board import FAR, Board
from services.routing.domain.joint.room import twice_as_long
from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Flags, Numbers, Words
from services.routing.domain.problem import Train

FINISHED, INTERRUPTED, FULL = 0, 1, 2
# Steps that compare few words between two looks at the clock.
STEPS_AT_ONCE = 50_000
FIRST_ROOM, ARCS_MOST = 1 << 14, 1 << 22
# Scalars of a running search. `TURN` counts the starts.
DEPTH, STEPS, FOUND, USED, TURN, SCALARS = 0, 1, 2, 3, 4, 5
NOT_BEGUN = -2


class Track(NamedTuple):
    """The board as one kind of train may travel it; see `Board`. `serves`: stops that it may visit, `starts` those at which
    routes begin."""

    first: Numbers
    target: Numbers
    leaves: Flags
    ends: Flags
    shared: Words
    place: Numbers
    is_town: Flags
    has_token: Flags
    serves: Flags
    to_token: Numbers
    ends_alike: Numbers
    starts: Numbers
    reach: int


class Frames(NamedTuple):
    """The path so far, a frame for each stop."""

    stop: Numbers
    arc: Numbers
    following: Numbers
    left: Numbers
    token: Flags
    longer: Flags
    used: Words
    visited: Flags
    scalars: Numbers


class Routes(NamedTuple):
    """Routes as arcs: those of route n are at `begin[n]` to `begin[n + 1]`."""

    begin: Numbers
    arcs: Numbers


def visiting_routes(board: Board, train: Train, budget: Budget, partly: bool = False) -> Routes:
    """Routes of a local or express train, each from its smaller end. Those left out visit nothing that another does not.

    Raises `BudgetSpent`, also where they are too many to store; `partly` gives those found until then instead.
    """
    track = _track(board, train)
    frames, why = _frames(board), INTERRUPTED
    frames.scalars[DEPTH] = NOT_BEGUN
    at_once = steps_with(STEPS_AT_ONCE, board.shared.shape[1])
    routes = Routes(np.zeros(FIRST_ROOM + 1, np.int64), np.zeros(8 * FIRST_ROOM, np.int64))
    try:
        while why != FINISHED:
            before = int(frames.scalars[STEPS])
            why = _search(frames, track, routes, before + budget.at_once(at_once))
            budget.spend(1 + int(frames.scalars[STEPS]) - before)
            if why == FULL:
                routes = _more_room(routes, budget)
    except BudgetSpent:
        if not partly:
            raise
    found, used = int(frames.scalars[FOUND]), int(frames.scalars[USED])
    return Routes(routes.begin[: found + 1], routes.arcs[:used])


def _more_room(routes: Routes, budget: Budget) -> Routes:
    if len(routes.arcs) >= ARCS_MOST:
        raise BudgetSpent
    return Routes(*(twice_as_long(each, budget) for each in routes))


def _track(board: Board, train: Train) -> Track:
    serves = np.ones(len(board.stops), np.bool_)
    if train.kind == "local":
        serves = ~(board.is_port | board.is_offboard)
    allowed = serves[board.target] & serves[board.source]
    cost = np.where(allowed, (~board.is_town[board.target]).astype(np.int64), FAR)
    return Track(
        first=board.first,
        target=board.target,
        leaves=board.leaves,
        ends=board.ends,
        shared=board.shared,
        place=board.place,
        is_town=board.is_town,
        has_token=board.has_token,
        serves=serves,
        to_token=board.to_token(cost),
        ends_alike=np.where(board.is_port, 1, np.where(board.is_offboard, 2, 0)),
        starts=np.flatnonzero(serves & ~board.is_town),
        reach=train.reach,
    )


def _frames(board: Board) -> Frames:
    depth = len(board.stops) + 1

    def numbers() -> Numbers:
        return np.zeros(depth, np.int64)

    return Frames(
        stop=numbers(),
        arc=numbers(),
        following=numbers(),
        left=numbers(),
        token=np.zeros(depth, np.bool_),
        longer=np.zeros(depth, np.bool_),
        used=np.zeros((depth, board.shared.shape[1]), np.uint64),
        visited=np.zeros(board.place_count, np.bool_),
        scalars=np.zeros(SCALARS, np.int64),
    )


@inner
def _begin(frames: Frames, track: Track, start: int) -> None:
    frames.stop[0] = start
    frames.following[0] = track.first[start]
    frames.left[0] = track.reach - 1
    frames.token[0] = track.has_token[start]
    frames.longer[0] = True
    for word in range(track.shared.shape[1]):
        frames.used[0, word] = 0
    for place in range(len(frames.visited)):
        frames.visited[place] = False
    frames.visited[track.place[start]] = True
    frames.scalars[DEPTH] = 0


@inner
def _can_follow(frames: Frames, depth: int, arc: int, track: Track) -> bool:
    """Whether the path so far may go on along `arc`."""
    target = track.target[arc]
    if (track.leaves[arc] and depth > 0) or not track.serves[target] or frames.visited[track.place[target]]:
        return False
    left = frames.left[depth] - (0 if track.is_town[target] else 1)
    if left < 0 or (not frames.token[depth] and track.to_token[target] > left):
        return False
    clash = np.uint64(0)
    for word in range(track.shared.shape[1]):
        clash |= frames.used[depth, word] & track.shared[arc, word]
    return bool(clash == 0)


@inner
def _push(frames: Frames, depth: int, arc: int, track: Track) -> None:
    above, target = depth + 1, track.target[arc]
    frames.stop[above] = target
    frames.arc[above] = arc
    frames.following[above] = track.first[target + 1] if track.ends[arc] else track.first[target]
    frames.left[above] = frames.left[depth] - (0 if track.is_town[target] else 1)
    frames.token[above] = frames.token[depth] or track.has_token[target]
    frames.longer[above] = False
    for word in range(track.shared.shape[1]):
        frames.used[above, word] = frames.used[depth, word] | track.shared[arc, word]
    frames.visited[track.place[target]] = True
    frames.scalars[DEPTH] = above


@inner
def _is_route(frames: Frames, depth: int, start: int, track: Track) -> bool:
    stop = frames.stop[depth]
    if track.is_town[stop] or not frames.token[depth]:
        return False
    return bool(track.ends_alike[stop] == 0 or track.ends_alike[stop] != track.ends_alike[start])


@inner
def _note(frames: Frames, depth: int, routes: Routes) -> None:
    scalars = frames.scalars
    used = scalars[USED]
    for position in range(1, depth + 1):
        routes.arcs[used] = frames.arc[position]
        used += 1
    scalars[USED] = used
    scalars[FOUND] += 1
    routes.begin[scalars[FOUND]] = used


@inner
def _search_on(frames: Frames, track: Track, start: int, routes: Routes, stop_at: int) -> int:
    """Continue the search from one start; returns a result code."""
    scalars = frames.scalars
    while scalars[DEPTH] >= 0:
        depth = scalars[DEPTH]
        if scalars[STEPS] >= stop_at:
            return INTERRUPTED
        if scalars[FOUND] + 2 > len(routes.begin) or scalars[USED] + depth > len(routes.arcs):
            return FULL
        stop = frames.stop[depth]
        if frames.following[depth] == track.first[stop + 1]:
            legal = depth > 0 and _is_route(frames, depth, start, track)
            if legal and not frames.longer[depth] and start < stop:
                _note(frames, depth, routes)
            if depth > 0:
                frames.longer[depth - 1] = frames.longer[depth - 1] or frames.longer[depth] or legal
            frames.visited[track.place[stop]] = False
            scalars[DEPTH] = depth - 1
            continue
        arc = frames.following[depth]
        frames.following[depth] += 1
        scalars[STEPS] += 1
        if _can_follow(frames, depth, arc, track):
            _push(frames, depth, arc, track)
    return FINISHED


@tight
def _search(frames: Frames, track: Track, routes: Routes, stop_at: int) -> int:
    """Continue the search from all starts; returns a result code."""
    scalars = frames.scalars
    while scalars[TURN] < len(track.starts):
        start = track.starts[scalars[TURN]]
        if scalars[DEPTH] == NOT_BEGUN:
            _begin(frames, track, start)
        why = _search_on(frames, track, start, routes, stop_at)
        if why != FINISHED:
            return why
        scalars[DEPTH] = NOT_BEGUN
        scalars[TURN] += 1
    return FINISHED
