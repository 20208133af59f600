"""The cheapest track for a link: from one city to every other, and the k cheapest between two.

A path is searched hex by hex; what it may do next depends on the side by which it came into a hex, so a node of the search
is a hex with that side. Every search is exact and gives equal answers to equal questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from services.routing.domain.links.grid import SIDES, TURNS, Grid, Laid, opposite

UNLIMITED = 1 << 60
STEPS = 200_000
# A path that is grown is copied and looked through: one longer than on any board that is played counts as several steps.
STEP_HEXES = 50
# By what part the search for further paths is widened each time.
WIDEN_BY = 4


class TrackPath(NamedTuple):
    """Track from city to city: what it costs and its hexes, both cities included."""

    cost: int
    hexes: tuple[int, ...]


class Tracks(NamedTuple):
    """The cheapest tracks between two cities, the cheapest first. `proven`: there are no cheaper ones, and where there are
    fewer than asked for no others."""

    paths: tuple[TrackPath, ...]
    proven: bool


class TrackSearch:
    """Searches on one board with its track. Made once for many questions: where track goes on from a node is found once, and
    so is what is asked again, for as much or less."""

    __slots__ = ("_known", "_moves", "grid", "laid")

    def __init__(self, grid: Grid, laid: Laid, other: TrackSearch | None = None) -> None:
        """`other`: a search on the same grid with other track; what is the same there is not found once more."""
        self.grid = grid
        self.laid = laid
        self._moves: list[tuple[tuple[int, int], ...] | None] = [None] * len(grid.beside)
        if other is not None:
            self._moves = list(other._moves)
            for hex_number in _with_other_moves(grid, laid, other.laid):
                self._moves[hex_number * SIDES : (hex_number + 1) * SIDES] = [None] * SIDES
        self._known: dict[int, tuple[int, tuple[TrackPath, ...]]] = {}

    def cheapest_to_all(self, source: int, limit: int) -> Iterator[TrackPath]:
        """The cheapest track from `source` to each city that can be reached for at most `limit`, searched one by one as
        they are asked for: the cheaper ones first, but for the rare one that would come through a hex twice, to turn
        round, whose place another takes."""
        known_to, known = self._known.get(source, (-1, ()))
        if limit <= known_to:
            yield from (path for path in known if path.cost <= limit)
            return
        found = []
        for path in self._searched_to_all(source, limit):
            found.append(path)
            yield path
        self._known[source] = limit, tuple(found)

    def _searched_to_all(self, source: int, limit: int) -> Iterator[TrackPath]:
        """A city `c` is node `-c - 1`, whose place in a list is behind all others. What is queued is a number, with the cost
        in front: cities come before other nodes that cost as much."""
        moves, cities = self._moves, len(self.grid.hex_cost)
        width = len(moves) + cities
        parents = [-1] * width
        least = [limit + 1] * width
        queue: list[int] = []
        for node, cost in self._first_nodes(source):
            if cost <= limit:
                least[node] = cost
                queue.append(cost * width + node + cities)
        reached = {source}
        heapify(queue)
        while queue:
            cost, place = divmod(heappop(queue), width)
            node = place - cities
            if node < 0:
                city = -node - 1
                if city not in reached:
                    reached.add(city)
                    path = TrackPath(cost, (source, *_hexes_to(parents, parents[node]), city))
                    yield from self._without_loop(path, limit)
                continue
            if cost > least[node]:
                continue
            following = moves[node]
            for after, more in self.next_nodes(node) if following is None else following:
                there = cost + more
                if there < least[after]:
                    least[after], parents[after] = there, node
                    heappush(queue, there * width + after + cities)
                elif there == least[after] and node < parents[after]:
                    # Of ways that cost the same the one from the lower node is taken.
                    parents[after] = node

    def _without_loop(self, path: TrackPath, limit: int) -> Iterator[TrackPath]:
        """The path, or where it comes through a hex twice the cheapest one between its ends that does not."""
        if len(set(path.hexes)) == len(path.hexes):
            yield path
        else:
            found = self.cheapest_between(path.hexes[0], path.hexes[-1], 1).paths
            yield from (each for each in found if each.cost <= limit)

    def cheapest_between(self, source: int, target: int, count: int, steps: int = STEPS) -> Tracks:
        """The `count` cheapest tracks between two cities, or all where there are fewer; of equals the one with the smaller hexes.

        Paths grow from `source` in order of what they cost at least altogether; that is exact, as the rest of the way is
        searched from `target` beforehand. After `steps` paths that were grown, long ones counted more than once, the search
        ends with what it has found: on boards where hardly any way leads through without coming to a hex twice, or all cost
        the same."""
        if target in self.laid.shut or source == target:
            return Tracks((), True)
        first = [*self._first_nodes(source)]
        rest = _CostsTo(self, target)
        rest.settle_one_of({node for node, _ in first})
        limit = rest.settled_to
        while True:
            most = UNLIMITED if rest.is_complete else limit + min((cost for _, cost in first), default=0)
            found, steps = self._grown(source, target, first, rest.best, most, count, steps)
            if len(found) == count or rest.is_complete or steps <= 0:
                return Tracks(found, steps > 0)
            # What is dearer than all that was searched so far may still be missing.
            limit += max(1, limit // WIDEN_BY)
            rest.settle_to(limit)

    def _grown(
        self,
        source: int,
        target: int,
        first: list[tuple[int, int]],
        rest: dict[int, int],
        most: int,
        count: int,
        steps: int,
    ) -> tuple[tuple[TrackPath, ...], int]:
        """The cheapest paths of at most `most`, as far as `rest` was searched for, and how many steps are left."""
        queue: list[tuple[int, tuple[int, ...], int]] = [
            (cost + rest[node], (source, node // SIDES), node) for node, cost in first if node in rest
        ]
        heapify(queue)
        found: list[TrackPath] = []
        while queue and len(found) < count and steps > 0:
            total, hexes, node = heappop(queue)
            steps -= 1 + len(hexes) // STEP_HEXES
            if total > most:
                break
            if node < 0:
                found.append(TrackPath(total, hexes))
                continue
            spent = total - rest[node]
            for after, more in self.next_nodes(node):
                if after == -target - 1:
                    heappush(queue, (spent + more, (*hexes, target), -1))
                elif after in rest and after // SIDES not in hexes:
                    heappush(queue, (spent + more + rest[after], (*hexes, after // SIDES), after))
        return tuple(found), steps

    def _first_nodes(self, source: int) -> Iterator[tuple[int, int]]:
        """Where track goes from a city, with what that costs; nowhere where no more links can end."""
        if source in self.laid.shut:
            return
        for side in range(SIDES):
            after = self.grid.beside[source * SIDES + side]
            if after not in self.grid.cities and self._is_open(source * SIDES + side):
                yield self._enter(source * SIDES + side)

    def next_nodes(self, node: int) -> tuple[tuple[int, int], ...]:
        """Where track goes on from a node, with what that costs; a city `c` in which a link may end is `-c - 1`."""
        moves = self._moves[node]
        if moves is None:
            hex_number, came_by = divmod(node, SIDES)
            sides = (hex_number * SIDES + (came_by + turn) % SIDES for turn in TURNS)
            moves = self._moves[node] = tuple(self._enter(here) for here in sides if self._is_open(here))
        return moves

    def _is_open(self, here: int) -> bool:
        """Whether track can cross a side into what is beyond it."""
        after = self.grid.beside[here]
        closed = here in self.laid.closed or after in self.laid.full or after in self.laid.shut
        return after >= 0 and not closed

    def _enter(self, here: int) -> tuple[int, int]:
        """The node beyond a side, with what it costs to get there."""
        after, cost = self.grid.beside[here], self.grid.side_cost[here]
        if after in self.grid.cities:
            return -after - 1, cost
        return after * SIDES + opposite(here % SIDES), cost + self.cost(after)

    def cost(self, hex_number: int) -> int:
        """What track in a hex costs."""
        return self.grid.hex_cost[hex_number] + self.laid.more.get(hex_number, 0)


def _with_other_moves(grid: Grid, laid: Laid, other: Laid) -> set[int]:
    """The hexes from which track goes on elsewhere, or for another price, with the one track than with the other."""
    differ = laid.full ^ other.full | laid.shut ^ other.shut
    differ |= {each for each, _ in laid.more.items() ^ other.more.items()}
    beside = {grid.beside[each * SIDES + side] for each in differ for side in range(SIDES)}
    return {each for each in beside if each >= 0} | {side // SIDES for side in laid.closed ^ other.closed}


class _CostsTo:
    """What it costs at least from nodes on to a city, searched from there as far as it is asked for."""

    __slots__ = ("_grid", "_laid", "_queue", "_search", "best", "settled_to")

    def __init__(self, search: TrackSearch, target: int) -> None:
        self._search, self._grid, self._laid = search, search.grid, search.laid
        self._queue: list[tuple[int, int]] = []
        self.best: dict[int, int] = {}
        self.settled_to = 0
        for side in range(SIDES):
            there, here = self._grid.beside[target * SIDES + side], target * SIDES + side
            if there >= 0 and here not in self._laid.closed:
                self._reach(there, opposite(side), self._grid.side_cost[here])

    @property
    def is_complete(self) -> bool:
        """Whether every node is known from which the city can be reached."""
        return not self._queue

    def settle_one_of(self, nodes: set[int]) -> None:
        """Search until the first of these nodes is known, and all that is not dearer."""
        while self._queue and not (nodes and nodes & self.best.keys()):
            self.settle_to(self._queue[0][0])

    def settle_to(self, limit: int) -> None:
        """Search until all nodes are known that cost no more than `limit`."""
        self.settled_to = max(self.settled_to, limit)
        while self._queue and self._queue[0][0] <= limit:
            cost, node = heappop(self._queue)
            if node in self.best:
                continue
            self.best[node] = cost
            before = self._grid.beside[node]
            if before >= 0 and node not in self._laid.closed:
                through = self._grid.side_cost[node] + self._search.cost(node // SIDES)
                self._reach(before, opposite(node % SIDES), cost + through)

    def _reach(self, hex_number: int, side_out: int, cost: int) -> None:
        """Queue the nodes of a hex from which track can leave by a side."""
        if hex_number not in self._grid.cities and hex_number not in self._laid.full:
            for turn in TURNS:
                heappush(self._queue, (cost, hex_number * SIDES + (side_out + turn) % SIDES))


def _hexes_to(parents: Sequence[int], node: int) -> tuple[int, ...]:
    hexes = []
    while node >= 0:
        hexes.append(node // SIDES)
        node = parents[node]
    return tuple(reversed(hexes))
