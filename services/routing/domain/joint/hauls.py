"""Routes of freight trains, alone or joined into a longer run: for each two ends the ways that touch most.

Of a freight run only the ends, where its parts meet, and what it touches on the way, matter to the other trains; so a way
is kept only where no other by the same ends and joints touches all that it touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget, BudgetSpent, steps_with
from services.routing.domain.joint.board import FAR, Board
from services.routing.domain.joint.course import NONE, course_width
from services.routing.domain.joint.haulsearch import (
    DEPTH,
    FINISHED,
    FOUND,
    FULL,
    HALF,
    INTERRUPTED,
    NOT_BEGUN,
    SCALARS,
    STEPS,
    USED,
    search,
)
from services.routing.domain.joint.haulstate import Frames, Track, Ways
from services.routing.domain.joint.room import begins_of, twice_as_long
from services.routing.domain.network import Flags, Numbers, Words
from services.routing.domain.problem import Train

# Steps that compare few words between two looks at the clock: each may look up a way somewhere else in memory.
STEPS_AT_ONCE = 40_000
FIRST_ROOM, ARCS_MOST = 1 << 12, 1 << 22


class Hauls(NamedTuple):
    """Ways between ends: `arcs[begin[n]:begin[n + 1]]` are those of way n, where negative marks name the trains.

    `course`: see `course_width`.
    """

    start: Numbers
    end: Numbers
    touched: Words
    course: Numbers
    begin: Numbers
    arcs: Numbers


def hauls_of(
    board: Board, trains: Sequence[Train], wanted: Flags, budget: Budget, partly: bool = False
) -> Hauls:
    """Ways of these trains, all of them joined, between ends `wanted[a, b]`, each from its smaller end; where any
    `wanted[a, a]` also all that have no free end.

    Raises `BudgetSpent`, also where they are too many to store; `partly` gives those found until then instead.
    """
    meet = board.problem.parameters.freight_joins == "ends_meet"
    reach = sum(train.reach for train in trains)
    distance = board.hexes_between(meet and len(trains) > 1, budget)
    numbers = np.arange(len(board.stops))
    goals = wanted & (numbers[:, None] < numbers[None, :]) & (distance <= reach)
    track = _track(board, trains, meet, distance, goals)
    found = _searched(board, track, budget, partly)
    if wanted.diagonal().any():
        anywhere = track._replace(starts=np.flatnonzero(~board.is_town), endless=True)
        found += _searched(board, anywhere, budget, partly)
    return put_together(board, found, len(trains))


def _track(board: Board, trains: Sequence[Train], meet: bool, distance: Numbers, goals: Flags) -> Track:
    apart = meet and len(trains) > 1
    sorts = [(train.reach, meet and train.joins) for train in trains]
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
        links=board.freight_links,
        reach=np.array([train.reach for train in trains], np.int64),
        alike=np.array([sorts.index(sort) for sort in sorts], np.int64),
        joins=np.array([joins for _, joins in sorts], np.bool_),
        to_token=nearest,
        to_goal=np.zeros_like(nearest),
        distance=distance,
        starts=np.flatnonzero(goals.any(axis=1)),
        wanted=goals,
        same=board.same,
        first_entry=board.first_entry,
        entries=board.entries,
        may_join=~board.is_town if apart else board.is_city & ~board.is_end,
        apart=apart,
        endless=False,
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
        reserve=numbers(),
        used=np.zeros((depth, board.shared.shape[1]), np.uint64),
        touched=np.zeros((depth, board.links.shape[1]), np.uint64),
        visits=np.zeros(board.place_count, np.int64),
        joints=np.zeros(len(board.stops), np.int64),
        scalars=np.zeros(SCALARS, np.int64),
    )


def _searched(board: Board, track: Track, budget: Budget, partly: bool) -> list[Hauls]:
    """All ways from the starts of the track, in several parts where they are many."""
    frames, ways = _frames(board, len(track.reach)), _room(board, FIRST_ROOM, len(track.reach))
    scalars, why = frames.scalars, INTERRUPTED
    scalars[DEPTH] = NOT_BEGUN
    at_once = steps_with(STEPS_AT_ONCE, board.shared.shape[1] + board.links.shape[1])
    parts: list[Hauls] = []
    try:
        while why != FINISHED:
            before = int(scalars[STEPS])
            why = search(frames, track, ways, before + budget.at_once(at_once))
            budget.spend(1 + int(scalars[STEPS]) - before)
            if why == FULL:
                ways = _more_room(ways, budget)
            elif why == HALF:
                parts.append(_taken(ways, scalars))
    except BudgetSpent:
        if not partly:
            raise
    return [*parts, _taken(ways, scalars)]


def _taken(ways: Ways, scalars: Numbers) -> Hauls:
    """The ways found, which are taken away."""
    found, used = int(scalars[FOUND]), int(scalars[USED])
    scalars[FOUND] = scalars[USED] = 0
    kept, sizes = ways.end[:found] != NONE, np.diff(ways.begin[: found + 1])
    return Hauls(
        ways.start[:found][kept],
        ways.end[:found][kept],
        ways.touched[:found][kept],
        ways.course[:found][kept],
        begins_of(sizes[kept]),
        ways.arcs[:used][np.repeat(kept, sizes)],
    )


def _more_room(ways: Ways, budget: Budget) -> Ways:
    if len(ways.arcs) >= ARCS_MOST:
        raise BudgetSpent
    return Ways(
        start=twice_as_long(ways.start, budget),
        end=twice_as_long(ways.end, budget),
        touched=twice_as_long(ways.touched, budget),
        course=twice_as_long(ways.course, budget),
        begin=twice_as_long(ways.begin, budget),
        arcs=twice_as_long(ways.arcs, budget),
        following=twice_as_long(ways.following, budget),
        head=ways.head,
    )


def _room(board: Board, size: int, trains: int) -> Ways:
    stops = len(board.stops)
    return Ways(
        start=np.zeros(size, np.int64),
        end=np.zeros(size, np.int64),
        touched=np.zeros((size, board.links.shape[1]), np.uint64),
        course=np.zeros((size, course_width(trains)), np.int64),
        begin=np.zeros(size + 1, np.int64),
        arcs=np.zeros(8 * size, np.int64),
        following=np.zeros(size, np.int64),
        head=np.full(stops, NONE, np.int64),
    )


def put_together(board: Board, parts: Sequence[Hauls], trains: int) -> Hauls:
    """Several lists of ways of so many trains as one."""
    empty = _room(board, 0, trains)
    offsets = np.cumsum([0, *(len(part.arcs) for part in parts)])
    begins = [part.begin[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
    return Hauls(
        np.concatenate([empty.end, *(part.start for part in parts)]),
        np.concatenate([empty.end, *(part.end for part in parts)]),
        np.concatenate([empty.touched, *(part.touched for part in parts)]),
        np.concatenate([empty.course, *(part.course for part in parts)]),
        np.concatenate([*begins, offsets[-1:]]).astype(np.int64),
        np.concatenate([empty.arcs, *(part.arcs for part in parts)]),
    )
