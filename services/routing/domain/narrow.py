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
