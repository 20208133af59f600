"""The cheapest track for a link: from one city to every other, and the k cheapest between two.

A path is searched hex by hex; what it may do next depends on the side by which it came into a hex, so a node of the search
is a hex with that side. Every search is exact and gives equal answers to equal questions."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from services.routing.domain.links.grid import SIDES, TURNS, Grid, Laid, opposite


class TrackPath(NamedTuple):
    """Track from city to city: what it costs and its hexes, both cities included."""

    cost: int
    hexes: tuple[int, ...]


class TrackSearch:
    """Searches on one board with its track. Made once for many questions: where track goes on from a node is found once."""

    __slots__ = ("_grid", "_laid", "_moves")

    def __init__(self, grid: Grid, laid: Laid) -> None:
        self._grid = grid
        self._laid = laid
        self._moves: list[tuple[tuple[int, int], ...] | None] = [None] * len(grid.beside)

    def cheapest_to_all(self, source: int, limit: int) -> dict[int, TrackPath]:
        """The cheapest track from `source` to each city that can be reached for at most `limit`.

        A city that can be reached at that cost only by track that comes through a hex twice is left out."""
        best: dict[int, int] = {}
        parents: dict[int, int] = {}
        queue = [(cost, node, -1) for node, cost in self._first_nodes(source) if cost <= limit]
        found: dict[int, TrackPath] = {}
        heapify(queue)
        while queue:
            cost, node, parent = heappop(queue)
            if node < 0:
                city = -node - 1
                if city != source and city not in found:
                    found[city] = TrackPath(cost, (source, *_hexes_to(parents, parent), city))
                continue
            if node in best:
                continue
            best[node], parents[node] = cost, parent
            for after, more in self._next_nodes(node):
                if cost + more <= limit and after not in best:
                    heappush(queue, (cost + more, after, node))
        return {city: path for city, path in found.items() if len(set(path.hexes)) == len(path.hexes)}

    def cheapest_between(self, source: int, target: int, count: int) -> tuple[TrackPath, ...]:
        """The `count` cheapest tracks between two cities, or all where there are fewer, the cheapest first; of equals the one
        with the smaller hexes.

        Paths grow from `source` in order of what they cost at least altogether; that is exact, as the rest of the way is
        searched from `target` beforehand."""
        if target in self._laid.shut or source == target:
            return ()
        rest = self._costs_to(target)
        queue: list[tuple[int, tuple[int, ...], int]] = [
            (cost + rest[node], (source, node // SIDES), node)
            for node, cost in self._first_nodes(source)
            if node in rest
        ]
        heapify(queue)
        found: list[TrackPath] = []
        while queue and len(found) < count:
            total, hexes, node = heappop(queue)
            if node < 0:
                found.append(TrackPath(total, hexes))
                continue
            spent = total - rest[node]
            for after, more in self._next_nodes(node):
                if after == -target - 1:
                    heappush(queue, (spent + more, (*hexes, target), -1))
                elif after in rest and after // SIDES not in hexes:
                    heappush(queue, (spent + more + rest[after], (*hexes, after // SIDES), after))
        return tuple(found)

    def _first_nodes(self, source: int) -> Iterator[tuple[int, int]]:
        """Where track goes from a city, with what that costs; nowhere where no more links can end."""
        if source in self._laid.shut:
            return
        for side in range(SIDES):
            after = self._grid.beside[source * SIDES + side]
            if after not in self._grid.cities and self._is_open(source * SIDES + side):
                yield self._enter(source * SIDES + side)

    def _next_nodes(self, node: int) -> tuple[tuple[int, int], ...]:
        """Where track goes on from a node, with what that costs; a city `c` in which a link may end is `-c - 1`."""
        moves = self._moves[node]
        if moves is None:
            hex_number, came_by = divmod(node, SIDES)
            sides = (hex_number * SIDES + (came_by + turn) % SIDES for turn in TURNS)
            moves = self._moves[node] = tuple(self._enter(here) for here in sides if self._is_open(here))
        return moves

    def _is_open(self, here: int) -> bool:
        """Whether track can cross a side into what is beyond it."""
        after = self._grid.beside[here]
        closed = here in self._laid.closed or after in self._laid.full or after in self._laid.shut
        return after >= 0 and not closed

    def _enter(self, here: int) -> tuple[int, int]:
        """The node beyond a side, with what it costs to get there."""
        after, cost = self._grid.beside[here], self._grid.side_cost[here]
        if after in self._grid.cities:
            return -after - 1, cost
        return after * SIDES + opposite(here % SIDES), cost + self._cost(after)

    def _cost(self, hex_number: int) -> int:
        return self._grid.hex_cost[hex_number] + self._laid.more.get(hex_number, 0)

    def _costs_to(self, target: int) -> dict[int, int]:
        """What it costs at least from each node on to `target`, for the nodes from which it can be reached."""
        best: dict[int, int] = {}
        queue: list[tuple[int, int]] = []
        for side in range(SIDES):
            there, here = self._grid.beside[target * SIDES + side], target * SIDES + side
            if there >= 0 and here not in self._laid.closed:
                self._reach(queue, there, opposite(side), self._grid.side_cost[here])
        while queue:
            cost, node = heappop(queue)
            if node in best:
                continue
            best[node] = cost
            before = self._grid.beside[node]
            if before >= 0 and node not in self._laid.closed:
                through = self._grid.side_cost[node] + self._cost(node // SIDES)
                self._reach(queue, before, opposite(node % SIDES), cost + through)
        return best

    def _reach(self, queue: list[tuple[int, int]], hex_number: int, side_out: int, cost: int) -> None:
        """Queue the nodes of a hex from which track can leave by a side."""
        if hex_number not in self._grid.cities and hex_number not in self._laid.full:
            for turn in TURNS:
                heappush(queue, (cost, hex_number * SIDES + (side_out + turn) % SIDES))


def _hexes_to(parents: dict[int, int], node: int) -> tuple[int, ...]:
    hexes = []
    while node >= 0:
        hexes.append(node // SIDES)
        node = parents[node]
    return tuple(reversed(hexes))
