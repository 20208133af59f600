"""All routes that a sweep found, read by walking back from where each was completed: a compiled kernel.

Every state of the sweep knows the best worth with which it can be reached, so no walk back ever fails: each step taken
belongs to at least one route that is worth what is asked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.finds import FINISHED, FULL, INTERRUPTED, Finds
from services.routing.domain.kernel import compiled, inner, tight
from services.routing.domain.network import Numbers

# Scalars of a walk that is under way.
DEPTH, COMPLETION, FOUND, USED_STEPS, STEPS, SCALARS = 0, 1, 2, 3, 4, 5


class Traces(NamedTuple):
    """What a sweep noted. States are numbered through all steps; state 0 is the beginning.

    `first[s]` to `first[s + 1]` are the links that lead to state `s`, with the state they come from, the step they
    were made at if they took its segment, else -1, and the worth that they give to `s`. `worth`: the best of each state.
    """

    first: Numbers
    parent: Numbers
    taken: Numbers
    link_worth: Numbers
    worth: Numbers
    end_state: Numbers
    end_taken: Numbers
    end_worth: Numbers


class Walk(NamedTuple):
    """How far the walk has come: by depth the state, the link to try next and the worth the state must have."""

    state: Numbers
    following: Numbers
    needed: Numbers
    taken: Numbers
    scalars: Numbers


def begin_walk(step_count: int) -> Walk:
    """A walk that has not begun."""
    depth = step_count + 2
    walk = Walk(*(np.zeros(size, np.int64) for size in (depth, depth, depth, depth, SCALARS)))
    walk.scalars[DEPTH] = -1
    return walk


@inner
def _enter(walk: Walk, traces: Traces, depth: int, state: int, needed: int, taken: int) -> None:
    walk.state[depth] = state
    walk.following[depth] = traces.first[state]
    walk.needed[depth] = needed
    walk.taken[depth] = taken
    walk.scalars[DEPTH] = depth


@inner
def _note(walk: Walk, found: Finds, depth: int, worth: int) -> None:
    scalars = walk.scalars
    number, used = scalars[FOUND], scalars[USED_STEPS]
    found.worth[number] = worth
    found.begin[number] = used
    for position in range(depth + 1):
        if walk.taken[position] >= 0:
            found.parts[used] = walk.taken[position]
            used += 1
    found.end[number] = used
    scalars[FOUND], scalars[USED_STEPS] = number + 1, used


@tight
def walk_back(walk: Walk, traces: Traces, found: Finds, worth_least: int, steps: int) -> int:
    """Continue walking back for a number of steps; returns a result code."""
    scalars = walk.scalars
    stop_at = scalars[STEPS] + steps
    while True:
        if scalars[STEPS] >= stop_at:
            return INTERRUPTED
        if scalars[FOUND] == len(found.worth) or scalars[USED_STEPS] + len(walk.state) > len(found.parts):
            return FULL
        scalars[STEPS] += 1
        depth = scalars[DEPTH]
        if depth < 0:
            ending = scalars[COMPLETION]
            if ending == len(traces.end_state):
                return FINISHED
            scalars[COMPLETION] = ending + 1
            state = traces.end_state[ending]
            needed = worth_least - traces.end_worth[ending] + traces.worth[state]
            _enter(walk, traces, 0, state, needed, traces.end_taken[ending])
            continue
        state = walk.state[depth]
        if state == 0:
            _note(walk, found, depth, worth_least + traces.worth[0] - walk.needed[depth])
            scalars[DEPTH] = depth - 1
            continue
        link = walk.following[depth]
        if link == traces.first[state + 1]:
            scalars[DEPTH] = depth - 1
            continue
        walk.following[depth] = link + 1
        if traces.link_worth[link] >= walk.needed[depth]:
            parent = traces.parent[link]
            needed = walk.needed[depth] - traces.link_worth[link] + traces.worth[parent]
            _enter(walk, traces, depth + 1, parent, needed, traces.taken[link])


@compiled
def step_prices(
    begin: Numbers,
    end: Numbers,
    parts: Numbers,
    stop_a: Numbers,
    stop_b: Numbers,
    price: Numbers,
    through: Numbers,
) -> Numbers:
    """What routes cost, given by their steps: their segments, and the stops they go through, which two of the steps join."""
    prices = np.zeros(len(begin), np.int64)
    met_by = np.full(len(through), -1)
    for number in range(len(begin)):
        for position in range(begin[number], end[number]):
            step = parts[position]
            prices[number] += price[step]
            for stop in (stop_a[step], stop_b[step]):
                if met_by[stop] == number:
                    prices[number] += through[stop]
                met_by[stop] = number
    return prices
