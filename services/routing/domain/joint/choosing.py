"""Chooses one offer for each train by branch and bound."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.joint.money import byte_table
from services.routing.domain.joint.pool import (
    CONNECTED,
    NOTHING,
    TRIES_MOST,
    UNDECIDED,
    WORK_AT_ONCE,
    WORK_PER_STEP,
    Chosen,
    Pool,
    Workspace,
    begin_check,
    check,
    workspace_for,
    worth_beside,
    worths,
)
from services.routing.domain.joint.pricing import Priced
from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Flags, Numbers, Words

FINISHED, INTERRUPTED = 0, 1
STEPS_AT_ONCE = 50_000
NEVER = -(1 << 60)
# Scalars of a running search. While a choice is checked `CHECKED` is its score, else 0.
DEPTH, STEPS, SCORE, FOUND, CHECKED, SCALARS = 0, 1, 2, 3, 4, 5


class Lists(NamedTuple):
    """For each slot the offers that a better choice can contain, the best first and "no offer" last.

    Those of slot k stand at `begin[k]` to `begin[k + 1]`. `alike`: a slot of the same sort as the one before. `rest` and
    `away`: what the slots from k on are worth at most, and what it costs at least if one of them must be at home.
    """

    begin: Numbers
    offer: Numbers
    worth: Numbers
    alike: Flags
    rest: Numbers
    away: Numbers


class Frames(NamedTuple):
    """The choice so far, a frame for each slot. `reduced` is its score less the prices of what it counts.

    `rest`: what the slots after the next one add at most beside what is counted so far.
    """

    following: Numbers
    chosen: Numbers
    value: Numbers
    reduced: Numbers
    rest: Numbers
    at_home: Flags
    taken: Words
    best: Numbers
    ways: Numbers
    top: Numbers
    scalars: Numbers


def lists_of(pool: Pool, slots: Numbers, table: Numbers, priced: Priced, gap: int, budget: Budget) -> Lists:
    """The offers of each slot that are at most `gap` from the best of their sort; `table` is that of reduced weights."""
    worth = worths(pool.counted, pool.bonus, table, budget)
    by_sort: dict[int, tuple[Numbers, Numbers]] = {}
    for sort in sorted(set(slots.tolist())):
        low, high = int(pool.begin[sort]), int(pool.begin[sort + 1])
        near = low + np.flatnonzero(worth[low:high] >= int(priced.best[sort]) - gap)
        near = near[np.argsort(-worth[near], kind="stable")]
        by_sort[sort] = np.append(near, NOTHING), np.append(worth[near], 0)
    each = [by_sort[sort] for sort in slots.tolist()]
    best, away = priced.best[slots], np.minimum(0, priced.at_home[slots] - priced.best[slots])
    rest = np.append(np.cumsum(best[::-1])[::-1], 0)
    least_away = np.append(np.maximum.accumulate(away[::-1])[::-1], NEVER)
    return Lists(
        begin=np.cumsum([0, *(len(offers) for offers, _ in each)]).astype(np.int64),
        offer=np.concatenate([offers for offers, _ in each]),
        worth=np.concatenate([worth for _, worth in each]),
        alike=np.array([k > 0 and slots[k] == slots[k - 1] for k in range(len(slots))], np.bool_),
        rest=rest.astype(np.int64),
        away=least_away.astype(np.int64),
    )


def best_choice(
    pool: Pool, slots: Numbers, weight: Numbers, priced: Priced, gap: int, score: int, budget: Budget
) -> tuple[Chosen | None, bool]:
    """The best choice that scores more than `score`, if there is one, and whether the result is proven.

    Only offers at most `gap` from the best of their sort are tried. It is not proven where a connection check was given
    up after too many ways.
    """
    reduced_table, reduced = byte_table(priced.left), pool._replace(bonus=priced.bonus)
    lists = lists_of(reduced, slots, reduced_table, priced, gap, budget)
    frames = _frames(pool, len(slots), score)
    frames.rest[0] = lists.rest[1]
    workspace, table = workspace_for(pool, len(slots)), byte_table(weight)
    total, why = priced.total, INTERRUPTED
    while why != FINISHED:
        before, work = int(frames.scalars[STEPS]), int(workspace.work[0])
        why = _branch(
            pool,
            reduced,
            lists,
            frames,
            table,
            reduced_table,
            total,
            workspace,
            before + STEPS_AT_ONCE,
            work + WORK_AT_ONCE,
        )
        work = int(workspace.work[0]) - work
        budget.spend(1 + int(frames.scalars[STEPS]) - before + work // WORK_PER_STEP)
    if not frames.scalars[FOUND]:
        return None, not workspace.given_up[0]
    chosen = Chosen(int(frames.scalars[SCORE]), frames.best.copy(), frames.ways.copy())
    return chosen, not workspace.given_up[0]


def _frames(pool: Pool, slots: int, score: int) -> Frames:
    def numbers() -> Numbers:
        return np.zeros(slots + 1, np.int64)

    frames = Frames(
        following=numbers(),
        chosen=np.full(slots, NOTHING, np.int64),
        value=numbers(),
        reduced=numbers(),
        rest=numbers(),
        at_home=np.zeros(slots + 1, np.bool_),
        taken=np.zeros((slots + 1, pool.counted.shape[1]), np.uint64),
        best=np.full(slots, NOTHING, np.int64),
        ways=np.zeros(slots, np.int64),
        top=numbers(),
        scalars=np.zeros(SCALARS, np.int64),
    )
    frames.scalars[SCORE] = score
    return frames


@inner
def _insert(top: Numbers, size: int, worth: int) -> None:
    """Insert a worth into the `size` highest, in falling order."""
    place = size - 1
    if worth <= top[place]:
        return
    while place > 0 and top[place - 1] < worth:
        top[place] = top[place - 1]
        place -= 1
    top[place] = worth


@inner
def _most_of_alike(
    pool: Pool, lists: Lists, frames: Frames, depth: int, begin: int, end: int, size: int, table: Numbers
) -> int:
    """The most that `size` slots of one sort add with distinct offers; a repeated one adds its bonus alone."""
    top = frames.top
    for place in range(size):
        top[place] = 0
    for position in range(begin, end):
        if lists.worth[position] <= top[size - 1]:
            break
        frames.scalars[STEPS] += 1
        offer = lists.offer[position]
        _insert(top, size, pool.bonus[offer] + worth_beside(pool.counted, offer, frames.taken, depth, table))
        for _ in range(size - 1):
            if pool.bonus[offer] <= top[size - 1]:
                break
            _insert(top, size, pool.bonus[offer])
    total = 0
    for place in range(size):
        total += top[place]
    return total


@inner
def _most_beside(pool: Pool, lists: Lists, frames: Frames, depth: int, reduced_table: Numbers) -> int:
    """The most that the slots from `depth` on add to what is counted already; stores the part of those after it."""
    slots, total, first, least = len(frames.chosen), 0, depth, 0
    while first < slots:
        past = first + 1
        while past < slots and lists.alike[past]:
            past += 1
        begin = frames.following[depth] if first == depth else lists.begin[first]
        size = past - first
        total += _most_of_alike(
            pool, lists, frames, depth, begin, lists.begin[first + 1], size, reduced_table
        )
        if first == depth:
            least = frames.top[size - 1]
        first = past
    frames.rest[depth] = total - least
    return total


@inner
def _push(
    pool: Pool, lists: Lists, frames: Frames, depth: int, position: int, value: int, reduced: int
) -> None:
    above, offer = depth + 1, lists.offer[position]
    frames.chosen[depth] = offer
    frames.value[above] = value
    frames.reduced[above] = reduced
    frames.at_home[above] = frames.at_home[depth] or (offer != NOTHING and pool.at_home[offer])
    for word in range(pool.counted.shape[1]):
        frames.taken[above, word] = frames.taken[depth, word]
        if offer != NOTHING:
            frames.taken[above, word] |= pool.counted[offer, word]
    if above < len(frames.chosen):
        frames.following[above] = lists.begin[above]
        if lists.alike[above]:
            frames.following[above] += position - lists.begin[depth]
    frames.scalars[DEPTH] = above


@inner
def _gain(pool: Pool, offer: int, frames: Frames, depth: int, table: Numbers) -> int:
    """What an offer adds to the choice so far by a `byte_table`."""
    if offer == NOTHING:
        return 0
    gain: int = pool.bonus[offer] + worth_beside(pool.counted, offer, frames.taken, depth, table)
    return gain


@inner
def _take_up(pool: Pool, frames: Frames, workspace: Workspace, work_at: int) -> bool:
    """Keep the choice that is checked if it is connected; false where the check must be continued."""
    found = check(pool, frames.chosen, workspace, TRIES_MOST, work_at)
    if found == UNDECIDED:
        return False
    if found == CONNECTED:
        frames.scalars[SCORE] = frames.scalars[CHECKED]
        frames.scalars[FOUND] = 1
        for slot in range(len(frames.chosen)):
            frames.best[slot] = frames.chosen[slot]
            frames.ways[slot] = workspace.ways[slot]
    frames.scalars[CHECKED] = 0
    return True


@tight
def _branch(
    pool: Pool,
    priced_pool: Pool,
    lists: Lists,
    frames: Frames,
    table: Numbers,
    reduced_table: Numbers,
    price_total: int,
    workspace: Workspace,
    stop_at: int,
    work_at: int,
) -> int:
    """Continue the search; returns a result code."""
    scalars, slots = frames.scalars, len(frames.chosen)
    while scalars[DEPTH] >= 0:
        depth = scalars[DEPTH]
        if scalars[STEPS] >= stop_at or workspace.work[0] >= work_at:
            return INTERRUPTED
        if scalars[CHECKED] and not _take_up(pool, frames, workspace, work_at):
            return INTERRUPTED
        position = frames.following[depth]
        if position == lists.begin[depth + 1]:
            scalars[DEPTH] = depth - 1
            continue
        frames.following[depth] += 1
        scalars[STEPS] += 1
        needed = scalars[SCORE] - frames.reduced[depth] - price_total - frames.rest[depth]
        if lists.worth[position] <= needed:
            frames.following[depth] = lists.begin[depth + 1]
            continue
        offer = lists.offer[position]
        if depth + 1 == slots:
            value = frames.value[depth] + _gain(pool, offer, frames, depth, table)
            if value > scalars[SCORE]:
                frames.chosen[depth] = offer
                scalars[CHECKED] = value if begin_check(pool, frames.chosen, workspace) else 0
            continue
        reduced_gain = _gain(priced_pool, offer, frames, depth, reduced_table)
        at_home = frames.at_home[depth] or (offer != NOTHING and pool.at_home[offer])
        if reduced_gain + (0 if at_home else lists.away[depth + 1]) <= needed:
            continue
        value = frames.value[depth] + _gain(pool, offer, frames, depth, table)
        reduced = frames.reduced[depth] + reduced_gain
        _push(pool, lists, frames, depth, position, value, reduced)
        frames.rest[depth + 1] = 0
        if depth + 2 < slots:
            most = _most_beside(priced_pool, lists, frames, depth + 1, reduced_table)
            if reduced + price_total + most <= scalars[SCORE]:
                scalars[DEPTH] = depth
    return FINISHED
