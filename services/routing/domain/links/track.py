"""The cheapest track for a link: from one city to every other, and the k cheapest between two.

A path is searched hex by hex; what it may do next depends on the side by which it came into a hex, so a node of the search
is a hex with that side. Every search is exact and gives equal answers to equal questions."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from services.routing.domain.links.grid import SIDES, TURNS, Grid, Laid

UNREACHABLE = 1 << 60


class TrackPath(NamedTuple):
    """Track from city to city: what it costs and its hexes, both cities included."""

    cost: int
    hexes: tuple[int, ...]


def cheapest_to_all(grid: Grid, laid: Laid, source: int, limit: int) -> dict[int, TrackPath]:
    """The cheapest track from `source` to each city that can be reached for at most `limit`.

    A city that can be reached at that cost only by track that comes through a hex twice is left out."""
    if source in laid.shut:
        return {}
    best, parents = {}, {}
    arrivals: dict[int, tuple[int, int]] = {}
    queue: list[tuple[int, int]] = []
    for node, cost in _first_nodes(grid, laid, source):
        if cost <= limit and cost < best.get(node, UNREACHABLE):
            best[node], parents[node] = cost, -1
            heappush(queue, (cost, node))
    while queue:
        cost, node = heappop(queue)
        if cost > best[node]:
            continue
        for after, more in _next_nodes(grid, laid, node):
            total = cost + more
            if total > limit:
                continue
            if after < 0:
                city = -after - 1
                if city != source and total < arrivals.get(city, (UNREACHABLE, 0))[0]:
                    arrivals[city] = (total, node)
            elif total < best.get(after, UNREACHABLE):
                best[after], parents[after] = total, node
                heappush(queue, (total, after))
    found = {
        city: TrackPath(cost, (source, *_hexes_to(parents, node), city))
        for city, (cost, node) in arrivals.items()
    }
    return {city: path for city, path in found.items() if len(set(path.hexes)) == len(path.hexes)}


def cheapest_between(grid: Grid, laid: Laid, source: int, target: int, count: int) -> tuple[TrackPath, ...]:
    """The `count` cheapest tracks between two cities, or all where there are fewer, the cheapest first; of equals the one
    with the smaller hexes.

    Paths grow from `source` in order of what they cost at least altogether; that is exact, as the rest of the way is
    searched from `target` beforehand."""
    if source in laid.shut or target in laid.shut or source == target:
        return ()
    rest = _costs_to(grid, laid, target)
    queue: list[tuple[int, tuple[int, ...], int]] = []
    for node, cost in _first_nodes(grid, laid, source):
        if node in rest:
            heappush(queue, (cost + rest[node], (source, node // SIDES), node))
    found: list[TrackPath] = []
    while queue and len(found) < count:
        total, hexes, node = heappop(queue)
        if node < 0:
            found.append(TrackPath(total, hexes))
            continue
        spent = total - rest[node]
        for after, more in _next_nodes(grid, laid, node):
            if after < 0 and -after - 1 == target:
                heappush(queue, (spent + more, (*hexes, target), -1))
            elif after >= 0 and after in rest and after // SIDES not in hexes:
                heappush(queue, (spent + more + rest[after], (*hexes, after // SIDES), after))
    return tuple(found)


def _first_nodes(grid: Grid, laid: Laid, source: int) -> Iterator[tuple[int, int]]:
    """Where track goes from a city, with what that costs."""
    for side in range(SIDES):
        here = source * SIDES + side
        after = grid.beside[here]
        if after < 0 or here in laid.closed or after in grid.cities or after in laid.full:
            continue
        cost = grid.side_cost[here] + grid.hex_cost[after] + laid.more.get(after, 0)
        yield after * SIDES + (side + SIDES // 2) % SIDES, cost


def _next_nodes(grid: Grid, laid: Laid, node: int) -> Iterator[tuple[int, int]]:
    """Where track goes on from a node, with what that costs; a city `c` in which a link may end is `-c - 1`."""
    hex_number, came_by = divmod(node, SIDES)
    for turn in TURNS:
        side = (came_by + turn) % SIDES
        here = hex_number * SIDES + side
        after = grid.beside[here]
        if after < 0 or here in laid.closed:
            continue
        if after in grid.cities:
            if after not in laid.shut:
                yield -after - 1, grid.side_cost[here]
        elif after not in laid.full:
            cost = grid.side_cost[here] + grid.hex_cost[after] + laid.more.get(after, 0)
            yield after * SIDES + (side + SIDES // 2) % SIDES, cost


def _costs_to(grid: Grid, laid: Laid, target: int) -> dict[int, int]:
    """What it costs at least from each node on to `target`, for the nodes from which it can be reached."""
    best: dict[int, int] = {}
    queue: list[tuple[int, int]] = []

    def reach(hex_number: int, side_out: int, cost: int) -> None:
        for turn in TURNS:
            node = hex_number * SIDES + (side_out + turn) % SIDES
            if cost < best.get(node, UNREACHABLE):
                best[node] = cost
                heappush(queue, (cost, node))

    for side in range(SIDES):
        there = grid.beside[target * SIDES + side]
        here = target * SIDES + side
        if there >= 0 and there not in grid.cities and there not in laid.full and here not in laid.closed:
            reach(there, (side + SIDES // 2) % SIDES, grid.side_cost[here])
    while queue:
        cost, node = heappop(queue)
        if cost > best[node]:
            continue
        hex_number, came_by = divmod(node, SIDES)
        here = hex_number * SIDES + came_by
        before = grid.beside[here]
        if before < 0 or here in laid.closed or before in grid.cities or before in laid.full:
            continue
        through = grid.side_cost[here] + grid.hex_cost[hex_number] + laid.more.get(hex_number, 0)
        reach(before, (came_by + SIDES // 2) % SIDES, cost + through)
    return best


def _hexes_to(parents: dict[int, int], node: int) -> tuple[int, ...]:
    hexes = []
    while node >= 0:
        hexes.append(node // SIDES)
        node = parents[node]
    return tuple(reversed(hexes))
