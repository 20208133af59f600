"""An order of the nodes of a graph in which few of them are open at the same time, for sweeps over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import compiled, inner, tight
from services.routing.domain.network import Numbers

# So far a node is moved at once, and by so much of the cost an order may at first become dearer.
MOVE_MOST, TOLERANCE = 10, 0.3
# What a step costs, by how many nodes are then open; with more, an order is useless anyway.
COSTS = 3.0 ** np.arange(64)
# Pairs of nodes, and pairs of these with a third, that are compared between two looks at the clock.
COMPARED_PER_LOOK = 4_000_000


class Ordering(NamedTuple):
    """An order that is being made: which nodes are in it, how many of each one's neighbours are not, and the next node."""

    done: NDArray[np.bool_]
    order: Numbers
    undone: Numbers
    next: Numbers
    cost: NDArray[np.float64]


def narrow_order(
    linked: NDArray[np.bool_],
    start: int,
    cost_most: float = np.inf,
    look: Callable[[], object] = lambda: None,
) -> tuple[Numbers, float]:
    """An order of the nodes from `start` that keeps the frontier narrow, and what it costs to sweep; it is left as it is where it
    costs as much as `cost_most`. `look` is called in between where it takes long.

    The cost of a step is three to the number of nodes that are then open.
    """
    count = len(linked)
    made = Ordering(
        np.zeros(count, np.bool_), np.full(count, -1), linked.sum(axis=1), np.array([start]), np.zeros(1)
    )
    at_once = max(1, COMPARED_PER_LOOK // (count * count))
    for first in range(0, count, at_once):
        if first:
            look()
        _order_on(linked, made, first, min(count, first + at_once))
        if made.cost[0] >= cost_most:
            break
    return made.order, float(made.cost[0])


@tight
def _order_on(linked: NDArray[np.bool_], made: Ordering, first: int, past: int) -> None:
    """Fill these positions of the order."""
    done, order, undone, count = made.done, made.order, made.undone, len(linked)
    cost, current = made.cost[0], made.next[0]
    for position in range(first, past):
        done[current] = True
        order[position] = current
        width = 0
        for node in range(count):
            if linked[current, node]:
                undone[node] -= 1
        for node in range(count):
            width += done[node] and undone[node] > 0
        cost += 3.0**width
        current, least = -1, 2 * count + 2
        for node in range(count):
            if done[node]:
                continue
            grown = 1 if undone[node] > 0 else 0
            near = False
            for other in range(count):
                if linked[node, other] and done[other]:
                    near = True
                    grown -= undone[other] == 1
            grown += 0 if near else count
            if grown < least:
                current, least = node, grown
    made.cost[0], made.next[0] = cost, current


@compiled
def narrower_order(linked: NDArray[np.bool_], order: Numbers, tries: int) -> Numbers:
    """An order that is at least as narrow: nodes are moved to other places near by, where that costs no more, and at first also
    where it costs a little more. Which are tried is the same for equal graphs."""
    count = len(order)
    begin, beside = _neighbours(linked)
    tried, best, index_of = order.copy(), order.copy(), np.empty(count, np.int64)
    index_of[order] = np.arange(count)
    width = np.zeros(count + 1, np.int64)
    cost = least = _cost(begin, beside, tried, index_of, 0, count - 1, width)
    drawn = np.uint64(1)
    for number in range(tries):
        drawn = drawn * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        source = int(np.int64((drawn >> np.uint64(33)) % np.uint64(count)))
        move = int(np.int64((drawn >> np.uint64(45)) % np.uint64(2 * MOVE_MOST + 1))) - MOVE_MOST
        worse = TOLERANCE * (1 - number / tries) * float((drawn >> np.uint64(20)) & np.uint64(0xFFF)) / 0xFFF
        target = min(max(source + move, 0), count - 1)
        first, last = min(source, target), max(source, target)
        before = _cost(begin, beside, tried, index_of, first, last, width)
        _move(tried, index_of, source, target)
        change = _cost(begin, beside, tried, index_of, first, last, width) - before
        if change <= worse * cost:
            cost += change
            if cost < least:
                best[:], least = tried, cost
        else:
            _move(tried, index_of, target, source)
            _cost(begin, beside, tried, index_of, first, last, width)
    return best


@compiled
def _neighbours(linked: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Of each node where its neighbours begin in the list of all, and that list."""
    begin = np.zeros(len(linked) + 1, np.int64)
    beside = np.empty(linked.sum(), np.int64)
    for node in range(len(linked)):
        begin[node + 1] = begin[node]
        for other in range(len(linked)):
            if linked[node, other]:
                beside[begin[node + 1]] = other
                begin[node + 1] += 1
    return begin, beside


@inner
def _move(order: Numbers, index_of: Numbers, source: int, target: int) -> None:
    """Move the node in a place to another one; those between make room."""
    node = order[source]
    step = 1 if target > source else -1
    for place in range(source, target, step):
        order[place] = order[place + step]
        index_of[order[place]] = place
    order[target] = node
    index_of[node] = target


@inner
def _cost(
    begin: Numbers, beside: Numbers, order: Numbers, index_of: Numbers, first: int, last: int, width: Numbers
) -> float:
    """The cost of the steps of some places, see `narrow_order`. `width`: how many nodes are open before each place; written for
    those after `first`."""
    cost = 0.0
    for place in range(first, last + 1):
        node = order[place]
        now = width[place] + (_last(begin, beside, index_of, node) > place)
        for edge in range(begin[node], begin[node + 1]):
            other = beside[edge]
            now -= index_of[other] < place and _last(begin, beside, index_of, other) == place
        width[place + 1] = now
        cost += COSTS[min(now, len(COSTS) - 1)]
    return cost


@inner
def _last(begin: Numbers, beside: Numbers, index_of: Numbers, node: int) -> int:
    """The last place of a neighbour of a node; -1 if it has none."""
    last = -1
    for edge in range(begin[node], begin[node + 1]):
        last = max(last, index_of[beside[edge]])
    return last
