"""All offers that a company's trains choose from, and the check that a choice is connected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from services.routing.domain.budget import Budget
from services.routing.domain.joint.board import Board
from services.routing.domain.joint.course import comes_again
from services.routing.domain.joint.offers import Offers
from services.routing.domain.joint.orders import Orders, orders_for, run_in_some_order, share_free_end
from services.routing.domain.joint.room import below_each_other
from services.routing.domain.kernel import compiled, inner, tight
from services.routing.domain.network import Flags, Numbers, Words

NOTHING = -1
# Offers that are looked through between two looks at the clock.
OFFERS_PER_LOOK = 20_000
# Ways of one choice that are tried before the check is given up: where a proof depends on it, and where none does; there it
# may not take more work either.
TRIES_MOST, FEW_TRIES, FEW_WORK = 100_000, 5_000, 5_000_000
# Work, in words or runs compared, between two looks at the clock, and what comes to a step of a search.
WORK_AT_ONCE, WORK_PER_STEP = 2_000_000, 1_000
# What a check has found.
APART, CONNECTED, UNDECIDED = 0, 1, 2


class Pool(NamedTuple):
    """Offers of all sorts of trains, those of sort s from `begin[s]` to `begin[s + 1]`; see `Offers`.

    `any_way`: what the ways of an offer touch, all put together; `links`: how many linking stops a way of it touches at
    most, but one; `home`: the bit of the home.
    """

    begin: Numbers
    counted: Words
    bonus: Numbers
    first: Numbers
    touched: Words
    ends: Words
    course: Numbers
    any_way: Words
    links: Numbers
    at_home: Flags
    home: Words


class Chosen(NamedTuple):
    """An offer for each slot, `NOTHING` for none, the way each goes, and the score of all."""

    score: int
    offers: Numbers
    ways: Numbers


def pool_of(board: Board, offers: Sequence[Offers], budget: Budget) -> Pool:
    """The offers of several sorts as one pool. Raises `BudgetSpent`."""
    begin = np.cumsum([0, *(len(each.bonus) for each in offers)]).astype(np.int64)
    ways = np.cumsum([0, *(len(each.touched) for each in offers)])
    first = np.concatenate(
        [*(each.first[:-1] + low for each, low in zip(offers, ways, strict=False)), ways[-1:]]
    ).astype(np.int64)
    touched = below_each_other([each.touched for each in offers], budget)
    home, any_way = board.home_link, np.zeros((len(first) - 1, touched.shape[1]), np.uint64)
    links: Numbers = np.zeros(len(first) - 1, np.int64)
    at_home: Flags = np.zeros(len(first) - 1, np.bool_)
    for part in budget.between_parts(len(links), OFFERS_PER_LOOK):
        low = first[part.start]
        rows, begins = touched[low : first[part.stop]], first[part] - low
        any_way[part] = np.bitwise_or.reduceat(rows, begins, axis=0)
        at_home[part] = (any_way[part] & home).any(axis=1)
        counts = np.bitwise_count(rows & ~home).sum(axis=1, dtype=np.int64)
        links[part] = np.maximum.reduceat(counts, begins) - 1
    return Pool(
        begin=begin,
        counted=below_each_other([each.counted for each in offers], budget),
        bonus=np.concatenate([each.bonus for each in offers]),
        first=first,
        touched=touched,
        ends=below_each_other([each.ends for each in offers], budget),
        course=below_each_other([each.course for each in offers], budget),
        any_way=any_way,
        links=links,
        at_home=at_home,
        home=home,
    )


def reached_from_home(pool: Pool, budget: Budget) -> Flags:
    """Which offers would be connected to the home if every offer in the pool ran."""
    reached: Flags = np.zeros(len(pool.bonus), np.bool_)
    network = pool.home.copy()
    grown = True
    while grown:
        grown = False
        for part in budget.between_parts(len(reached), OFFERS_PER_LOOK):
            grown |= _reach_from(network, pool.any_way, reached, part.start, part.stop)
    return reached


@compiled
def _reach_from(network: Words, any_way: Words, reached: Flags, begin: int, end: int) -> bool:
    """Note which of these offers touch the network, and add them to it. Whether any was new."""
    grown = False
    for offer in range(begin, end):
        if not reached[offer]:
            for word in range(len(network)):
                if network[word] & any_way[offer, word]:
                    reached[offer] = True
            if reached[offer]:
                grown = True
                network |= any_way[offer]
    return grown


@inner
def worth_beside(counted: Words, offer: int, taken: Words, row: int, table: Numbers) -> int:
    """What the places of an offer add by a `byte_table` where those of row `row` are counted already; `counted`: see `Offers`."""
    total = 0
    for word in range(taken.shape[1]):
        new = counted[offer, word] & ~taken[row, word]
        byte = word * 8
        while new:
            total += table[byte, np.int64(new & np.uint64(255))]
            new = new >> np.uint64(8)
            byte += 1
    return total


def worths(counted: Words, bonus: Numbers, table: Numbers, budget: Budget) -> Numbers:
    """What each offer is worth by a `byte_table`. Raises `BudgetSpent`."""
    if len(bonus) <= OFFERS_PER_LOOK:
        return _worths(counted, bonus, table)
    found: Numbers = np.empty(len(bonus), np.int64)
    for part in budget.in_parts(len(bonus), OFFERS_PER_LOOK):
        found[part] = _worths(counted[part], bonus[part], table)
    return found


@compiled
def _worths(counted: Words, bonus: Numbers, table: Numbers) -> Numbers:
    none = np.zeros((1, counted.shape[1]), np.uint64)
    found = np.zeros(len(bonus), np.int64)
    for offer in range(len(found)):
        found[offer] = bonus[offer] + worth_beside(counted, offer, none, 0, table)
    return found


@inner
def _spreads(
    home: Words, rows: Words, picked: Numbers, chosen: Numbers, linked: Flags, network: Words
) -> bool:
    """Whether the network from home reaches every chosen offer, each touching what its picked row says."""
    for word in range(len(network)):
        network[word] = home[word]
    for number in range(len(chosen)):
        linked[number] = chosen[number] == NOTHING
    grown = True
    while grown:
        grown = False
        for number in range(len(chosen)):
            if linked[number]:
                continue
            for word in range(len(network)):
                if network[word] & rows[picked[number], word]:
                    linked[number] = True
            if linked[number]:
                grown = True
                for word in range(len(network)):
                    network[word] |= rows[picked[number], word]
    apart = 0
    for number in range(len(chosen)):
        apart += not linked[number]
    return apart == 0


@inner
def _keep_apart(pool: Pool, chosen: Numbers, ways: Numbers) -> bool:
    """Whether no longer run of freight trains ends or is joined where another is, and none comes to a stop again."""
    for number in range(len(chosen)):
        if chosen[number] == NOTHING:
            continue
        if comes_again(pool.course, ways[number]):
            return False
        for other in range(number):
            if chosen[other] != NOTHING:
                for word in range(pool.ends.shape[1]):
                    if pool.ends[ways[number], word] & pool.ends[ways[other], word]:
                        return False
    return True


@inner
def _could_link(pool: Pool, chosen: Numbers, linked: Flags, network: Words) -> bool:
    """Whether the offers chosen would be connected if each could go all its ways at once."""
    return _spreads(pool.home, pool.any_way, chosen, chosen, linked, network)


class Workspace(NamedTuple):
    """Buffers of the connection check.

    `ways` are those tried last, `meeting` the first of which longer runs meet, if the check `meets` any; `tries` counts its
    ways. `given_up` counts checks that were given up because there was too much to try, `work` what all checks compared.
    """

    ways: Numbers
    meeting: Numbers
    linked: Flags
    network: Words
    tries: Numbers
    meets: Numbers
    given_up: Numbers
    work: Numbers
    orders: Orders


def workspace_for(pool: Pool, slots: int) -> Workspace:
    """Workspace for the choices of so many trains."""
    tries, meets, given_up = np.zeros((3, 1), np.int64)
    orders = orders_for(slots)
    return Workspace(
        ways=np.zeros(slots, np.int64),
        meeting=np.zeros(slots, np.int64),
        linked=np.zeros(slots, np.bool_),
        network=np.zeros(len(pool.home), np.uint64),
        tries=tries,
        meets=meets,
        given_up=given_up,
        work=orders.work,
        orders=orders,
    )


@inner
def _copy(numbers: Numbers, to: Numbers) -> None:
    for number in range(len(numbers)):
        to[number] = numbers[number]


@tight
def begin_check(pool: Pool, chosen: Numbers, workspace: Workspace) -> bool:
    """Whether the offers chosen could be connected; if so, `check` finds out whether some ways of them are."""
    workspace.work[0] += _words_compared(pool, chosen)
    if not _could_link(pool, chosen, workspace.linked, workspace.network):
        return False
    workspace.tries[0], workspace.meets[0], workspace.orders.given_up[0] = 0, 0, 0
    for number in range(len(chosen)):
        workspace.ways[number] = pool.first[chosen[number]] if chosen[number] != NOTHING else 0
    return True


@inner
def _words_compared(pool: Pool, chosen: Numbers) -> int:
    words: int = len(pool.home) + pool.ends.shape[1]
    return words * len(chosen) * len(chosen)


@tight
def check(pool: Pool, chosen: Numbers, workspace: Workspace, tries_most: int, work_at: int) -> int:
    """Whether some ways of the offers chosen make one network from home; the ways are then in `workspace`.

    Ways by which no two longer runs of freight trains meet come before those for which the runs need an order.
    `UNDECIDED`: so much work is done; the check can be continued.
    """
    ways, tries, meets = workspace.ways, workspace.tries, workspace.meets
    compared, more = _words_compared(pool, chosen), True
    while more and tries[0] < tries_most:
        if workspace.work[0] >= work_at:
            return UNDECIDED
        apart = _keep_apart(pool, chosen, ways)
        possible = apart or not (meets[0] or share_free_end(pool.course, chosen, ways))
        if possible and _spreads(pool.home, pool.touched, ways, chosen, workspace.linked, workspace.network):
            if apart:
                return CONNECTED
            if run_in_some_order(pool.course, chosen, ways, workspace.orders):
                meets[0] = 1
                _copy(ways, workspace.meeting)
        tries[0] += 1
        workspace.work[0] += compared
        more = _next_ways(pool, chosen, ways)
    if meets[0]:
        _copy(workspace.meeting, ways)
        return CONNECTED
    workspace.given_up[0] += tries[0] == tries_most or workspace.orders.given_up[0] > 0
    return APART


@inner
def _next_ways(pool: Pool, chosen: Numbers, ways: Numbers) -> bool:
    """Go on to the next ways of these offers; false where there are none."""
    for number in range(len(chosen)):
        if chosen[number] != NOTHING:
            ways[number] += 1
            if ways[number] < pool.first[chosen[number] + 1]:
                return True
            ways[number] = pool.first[chosen[number]]
    return False


@tight
def is_soon_connected(pool: Pool, chosen: Numbers, workspace: Workspace) -> bool:
    """Whether a short check finds ways of the offers chosen that make one network; they are then in `workspace`."""
    if not begin_check(pool, chosen, workspace):
        return False
    found = check(pool, chosen, workspace, FEW_TRIES, workspace.work[0] + FEW_WORK)
    if found == UNDECIDED and workspace.meets[0]:
        _copy(workspace.meeting, workspace.ways)
        return True
    return bool(found == CONNECTED)


def is_connected(pool: Pool, chosen: Numbers, workspace: Workspace, budget: Budget) -> bool:
    """The same by a check that is only given up after many tries."""
    if not begin_check(pool, chosen, workspace):
        return False
    found = UNDECIDED
    while found == UNDECIDED:
        found = check(pool, chosen, workspace, TRIES_MOST, int(workspace.work[0]) + WORK_AT_ONCE)
        budget.spend(WORK_AT_ONCE // WORK_PER_STEP if found == UNDECIDED else 0)
    return found == CONNECTED
