"""Least cuts of a network whose ways have capacities: a compiled kernel (augmenting along shortest ways)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.routing.domain.kernel import inner, tight
from services.routing.domain.network import Flags, Numbers

LEAST_LEFT = 1e-9


class Ways(NamedTuple):
    """Ways in pairs, each the other's opposite. Those that leave node n are `order[first[n]]` to `order[first[n + 1]]`."""

    first: Numbers
    order: Numbers
    target: Numbers
    capacity: NDArray[np.float64]


class Workspace(NamedTuple):
    """Memory of a search: what is left of each way; by which way a node was met, the nodes met in order, and whether."""

    left: NDArray[np.float64]
    before: Numbers
    met: Numbers
    inside: Flags


def ways_between(pairs: Numbers, capacity: NDArray[np.float64], nodes: int) -> tuple[Ways, Workspace]:
    """Ways between these pairs of nodes, with capacities there and back."""
    source, target = pairs.reshape(-1), pairs[:, ::-1].reshape(-1).copy()
    order = np.argsort(source, kind="stable")
    first = np.searchsorted(source[order], np.arange(nodes + 1)).astype(np.int64)
    ways = Ways(first, order, target, capacity.reshape(-1).copy())
    memory = np.empty(nodes, np.int64), np.empty(nodes, np.int64), np.zeros(nodes, np.bool_)
    return ways, Workspace(np.empty(len(target), np.float64), *memory)


@inner
def _is_met(ways: Ways, work: Workspace, source: int, sink: int) -> bool:
    """Follow capacity that is left from `source` until `sink` is reached."""
    for node in range(len(work.inside)):
        work.inside[node] = False
    work.inside[source] = True
    work.met[0] = source
    begin, end = 0, 1
    while begin < end:
        node = work.met[begin]
        begin += 1
        for place in range(ways.first[node], ways.first[node + 1]):
            way = ways.order[place]
            other = ways.target[way]
            if work.inside[other] or work.left[way] <= LEAST_LEFT:
                continue
            work.inside[other] = True
            work.before[other] = way
            if other == sink:
                return True
            work.met[end] = other
            end += 1
    return False


@tight
def is_cut_off(ways: Ways, work: Workspace, source: int, sink: int, enough: float) -> bool:
    """Whether less than `enough` can pass from `source` to `sink`; `work.inside` is then the source's side of the cut."""
    for way in range(len(work.left)):
        work.left[way] = ways.capacity[way]
    passed = 0.0
    while passed < enough:
        if not _is_met(ways, work, source, sink):
            return True
        most, node = enough - passed, sink
        while node != source:
            most = min(most, work.left[work.before[node]])
            node = ways.target[work.before[node] ^ 1]
        node = sink
        while node != source:
            work.left[work.before[node]] -= most
            work.left[work.before[node] ^ 1] += most
            node = ways.target[work.before[node] ^ 1]
        passed += most
    return False
