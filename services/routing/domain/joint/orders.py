"""In which order freight runs must be given so that a choice of longer runs is what they make, if there is one.

See `longer_runs` for the rule. Of the runs left the first starts a longer run, one that must join before others; it goes on
at the first end of that run, then at its last, as long as a run is left there: into one from which a run that must join is
reached, else along the most runs. So a set of longer runs has an order exactly if they can be taken away one after
the other, the one with trains that must join first, such that each has a run to start from at both of whose ends no such
train is reached but along it, and no more of the runs left can follow each other than do. Taking one away allows all
that was possible before, so it does not matter which of several comes next. Among equals the order decides: the start,
what follows at its first end, what follows at its last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from services.routing.domain.joint.course import JOINS, NODES, NONE, PAID, PARTS
from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Numbers
from services.routing.domain.problem import NETWORK_TRAIN_COUNT_MAX

# Runs tried in one search for a longer row of them.
TRIES_MOST = 20_000
FAILED = -1


class Orders(NamedTuple):
    """An order for the longer runs of some slots, and buffers for finding it.

    `rank`: when each slot is taken away, `NONE` for a slot without freight runs. `start`: the part that starts it.
    `turned`: whether that part is given from its end further along the way. `one`, `other`: the ends of each run, numbered
    from `begin[slot]`; `joins`: the runs that must join. `given_up` counts searches that were given up, `work` what was compared.
    """

    rank: Numbers
    start: Numbers
    turned: Numbers
    one: Numbers
    other: Numbers
    begin: Numbers
    stop: Numbers
    option: Numbers
    run: Numbers
    joins: Numbers
    given_up: Numbers
    work: Numbers


def orders_for(slots: int) -> Orders:
    """Buffers for so many slots."""
    of_slots, of_runs = (
        np.zeros((4, slots + 1), np.int64),
        np.zeros((5, NETWORK_TRAIN_COUNT_MAX + 1), np.int64),
    )
    rank, start, turned, begin = of_slots
    one, other, stop, option, run = of_runs
    counts = np.zeros((3, 1), np.int64)
    return Orders(
        rank=rank[:slots],
        start=start[:slots],
        turned=turned[:slots],
        one=one[:-1],
        other=other[:-1],
        begin=begin,
        stop=stop,
        option=option,
        run=run,
        joins=counts[0],
        given_up=counts[1],
        work=counts[2],
    )


@inner
def share_free_end(course: Numbers, chosen: Numbers, ways: Numbers) -> bool:
    """Whether two of these ways have the same free end. No order makes both: the first would go on into the other."""
    for slot in range(len(chosen)):
        way = ways[slot]
        if chosen[slot] < 0 or not course[way, PARTS] or course[way, PAID] != NONE:
            continue
        one, two = course[way, NODES], course[way, NODES + course[way, PARTS]]
        for before in range(slot):
            other = ways[before]
            if chosen[before] < 0 or not course[other, PARTS] or course[other, PAID] != NONE:
                continue
            first, last = course[other, NODES], course[other, NODES + course[other, PARTS]]
            if one in (first, last) or two in (first, last):
                return True
    return False


@tight
def run_in_some_order(course: Numbers, chosen: Numbers, ways: Numbers, orders: Orders) -> bool:
    """Whether the longer runs of these ways are what their runs make in some order, which is then in `orders`."""
    left, waiting = _lay_out(course, chosen, ways, orders), 0
    for slot in range(len(chosen)):
        waiting += orders.rank[slot] != NONE
    rank, grown = 0, True
    while grown:
        grown = False
        for slot in range(len(chosen)):
            of_slot = (1 << orders.begin[slot + 1]) - (1 << orders.begin[slot])
            if not left & of_slot or (rank == 0 and orders.joins[0] and not of_slot & orders.joins[0]):
                continue
            if _take(course, ways[slot], slot, left, orders):
                left &= ~of_slot
                orders.rank[slot] = rank
                rank += 1
                grown = True
    return rank == waiting


@inner
def _lay_out(course: Numbers, chosen: Numbers, ways: Numbers, orders: Orders) -> int:
    """Number the runs of all ways; returns all of them as bits."""
    count = 0
    orders.joins[0] = 0
    for slot in range(len(chosen)):
        orders.begin[slot], orders.rank[slot] = count, NONE
        if chosen[slot] < 0 or not course[ways[slot], PARTS]:
            continue
        orders.rank[slot] = 0
        orders.joins[0] |= course[ways[slot], JOINS] << count
        for part in range(course[ways[slot], PARTS]):
            orders.one[count] = course[ways[slot], NODES + part]
            orders.other[count] = course[ways[slot], NODES + part + 1]
            count += 1
    orders.begin[len(chosen)] = count
    return (1 << count) - 1


@inner
def _take(course: Numbers, way: int, slot: int, left: int, orders: Orders) -> bool:
    """Whether the runs left make this longer run from one of its parts; notes from which and in which direction."""
    low, past = orders.begin[slot], orders.begin[slot + 1]
    paid = course[way, PAID]
    if paid != NONE and orders.one[low] == orders.other[past - 1]:
        orders.start[slot], orders.turned[slot] = 0, 0
        if orders.joins[0] & left and not orders.joins[0] >> low & 1:
            return False
        rest = _followed(orders.one[low], past - 1, -1, past - 1 - low, left & ~(1 << low), orders)
        return bool(rest != FAILED and _followed(orders.other[low], low, 1, 0, rest, orders) != FAILED)
    for run in range(low, past):
        if orders.joins[0] & left and not orders.joins[0] >> run & 1:
            continue
        before, after, others = run - low, past - 1 - run, left & ~(1 << run)
        orders.start[slot] = run - low
        orders.turned[slot] = 0
        if paid == NONE or paid == orders.one[run]:
            rest = _followed(orders.one[run], run - 1, -1, before, others, orders)
            if rest != FAILED and _followed(orders.other[run], run + 1, 1, after, rest, orders) != FAILED:
                return True
        orders.turned[slot] = 1
        if paid == NONE or paid == orders.other[run]:
            rest = _followed(orders.other[run], run + 1, 1, after, others, orders)
            if rest != FAILED and _followed(orders.one[run], run - 1, -1, before, rest, orders) != FAILED:
                return True
    return False


@inner
def _followed(stop: int, run: int, step: int, count: int, left: int, orders: Orders) -> int:
    """The runs left when `count` of them, from `run` on by `step`, follow each other from this stop on; `FAILED` where the
    rule would not go on like that."""
    plain = 0
    for place in range(count):
        plain = 0 if orders.joins[0] >> (run + place * step) & 1 else plain + 1
    for place in range(count):
        if place == count - plain and not _is_most(stop, plain, left, orders):
            return FAILED
        stop = orders.one[run] + orders.other[run] - stop
        left &= ~(1 << run)
        run += step
    if not plain and not _is_most(stop, 0, left, orders):
        return FAILED
    return left


@inner
def _is_most(stop: int, count: int, left: int, orders: Orders) -> bool:
    """Whether from this stop none of the runs left that must join is reached, and no more than `count` follow each other."""
    return not _joins_reached(stop, left, orders) and not _more_follow(stop, count, left, orders)


@inner
def _ends_at(orders: Orders, run: int, stop: int) -> bool:
    return bool(orders.one[run] == stop or orders.other[run] == stop)


@inner
def _joins_reached(stop: int, left: int, orders: Orders) -> bool:
    if not left & orders.joins[0]:
        return False
    reached, grown = 0, True
    while grown:
        grown = False
        orders.work[0] += len(orders.one) * len(orders.one)
        for run in range(len(orders.one)):
            if not left >> run & 1 or reached >> run & 1:
                continue
            touches = _ends_at(orders, run, stop)
            for other in range(len(orders.one)):
                if reached >> other & 1:
                    touches |= _ends_at(orders, run, orders.one[other])
                    touches |= _ends_at(orders, run, orders.other[other])
            if touches:
                reached |= 1 << run
                grown = True
    return bool(reached & orders.joins[0])


@inner
def _more_follow(stop: int, count: int, left: int, orders: Orders) -> bool:
    """Whether more than `count` of the runs left can follow each other from this stop on; yes where it takes too long."""
    depth, tries = 0, 0
    orders.stop[0], orders.option[0] = stop, 0
    while depth >= 0:
        if depth > count:
            return True
        orders.work[0] += len(orders.one)
        here, run = orders.stop[depth], orders.option[depth]
        while run < len(orders.one) and not (left >> run & 1 and _ends_at(orders, run, here)):
            run += 1
        if run < len(orders.one):
            tries += 1
            if tries == TRIES_MOST:
                orders.given_up[0] += 1
                return True
            orders.option[depth], orders.run[depth] = run + 1, run
            left &= ~(1 << run)
            depth += 1
            orders.stop[depth] = orders.one[run] + orders.other[run] - here
            orders.option[depth] = 0
        else:
            depth -= 1
            if depth >= 0:
                left |= 1 << orders.run[depth]
    return False
