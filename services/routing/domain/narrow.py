"""An order of the nodes of a graph in which few of them are open at the same time, for sweeps over it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import compiled
from services.routing.domain.network import Numbers


@compiled
def narrow_order(linked: NDArray[np.bool_], start: int) -> tuple[Numbers, float]:
    """An order of the nodes from `start` that keeps the frontier narrow, and what it costs to sweep.

    The cost of a step is three to the number of nodes that are then open.
    """
    count = len(linked)
    done, order = np.zeros(count, np.bool_), np.full(count, -1)
    undone = linked.sum(axis=1)
    cost, current = 0.0, start
    for position in range(count):
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
    return order, cost


@compiled
def narrower_order(linked: NDArray[np.bool_], order: Numbers, tries: int) -> Numbers:
    """An order that is at least as narrow: nodes are moved to other places as long as that costs no more.
    Which are tried is the same for equal graphs."""
    count = len(order)
    best, tried = order.copy(), np.empty_like(order)
    cost = _cost(linked, best)
    drawn = np.uint64(1)
    for _ in range(tries):
        drawn = drawn * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        source = int((drawn >> np.uint64(33)) % np.uint64(count))
        target = int((drawn >> np.uint64(45)) % np.uint64(count))
        step = 1 if target > source else -1
        tried[:] = best
        for place in range(source, target, step):
            tried[place] = best[place + step]
        tried[target] = best[source]
        other_cost = _cost(linked, tried)
        if other_cost <= cost:
            best[:], cost = tried, other_cost
    return best


@compiled
def _cost(linked: NDArray[np.bool_], order: Numbers) -> float:
    """The cost of an order, see `narrow_order`."""
    count = len(order)
    changes = np.zeros(count, np.int64)
    for place in range(count):
        for last in range(count - 1, place, -1):
            if linked[order[place], order[last]]:
                changes[place] += 1
                changes[last] -= 1
                break
    cost, width = 0.0, 0
    for place in range(count):
        width += changes[place]
        cost += 3.0**width
    return cost
