"""Routes of trains without a limit, or with one too long for joining arms: a depth-first walk cut by a bound.

The walk starts at every stop that can be an end. What can still be gained is bounded by the stops that remain
reachable: all that can be passed, and the best one of those that can only end a route.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from services.routing.domain.budget import Budget
from services.routing.domain.network import Arc, Network, Route, bit_numbers
from services.routing.domain.problem import Train

# A stop walked costs as much time as so many pairs of arms compared.
STEPS_PER_STOP = 20

FoundRoute = tuple[int, int, tuple[int, ...], tuple[int, ...]]


class RouteWalker:
    """The routes of one train of any reach."""

    def __init__(self, train: Train, network: Network, budget: Budget) -> None:
        self.found: Route | None = None
        self._train = train
        self.is_goods = train.kind == "goods"
        self.network = network
        self.budget = budget
        self.cost = network.limit_cost(train.kind)
        score = network.stop_score
        self._arcs = tuple(
            tuple(sorted(arcs, key=lambda arc: (-score[arc.target], arc.segment)))
            for arcs in network.arcs_for(train.kind)
        )
        self._reach = train.reach or len(network.stops)
        self._by_score = sorted(range(len(network.stops)), key=lambda stop: (-score[stop], stop))
        through = [[arc for arc in arcs if not arc.leaves_terminal] for arcs in self._arcs]
        self._passable = tuple(_targets(arc for arc in arcs if not arc.ends_route) for arcs in through)
        self._final = tuple(_targets(arc for arc in arcs if arc.ends_route) for arcs in through)
        self.same_place = tuple(
            sum(1 << other for other, bit in enumerate(network.place_bit) if bit == own)
            for own in network.place_bit
        )
        self._token_bits = sum(1 << stop for stop, held in enumerate(network.has_token) if held)

    def best(self, taken: int) -> Route | None:
        """The best route that keeps off the track in `taken`; between equals the first found.

        `found` holds the best so far, also when the budget ends the walk.
        """
        self.found = None

        def keep(found: FoundRoute) -> int:
            self.found = self._route(found)
            return found[0] + 1

        self._walk_all(taken, 0, keep)
        return self.found

    def collect(self, score_least: int, taken: int) -> list[Route]:
        """All routes of at least `score_least` that keep off the track in `taken`."""
        needed = score_least - 1
        routes: list[Route] = []

        def keep(found: FoundRoute) -> int:
            routes.append(self._route(found))
            return needed

        self._walk_all(taken, needed, keep)
        return routes

    def _route(self, found: FoundRoute) -> Route:
        return self.network.route(self._train, *found)

    def _walk_all(self, taken: int, needed: int, keep: Callable[[FoundRoute], int]) -> None:
        """Call `keep` with every route that scores what is needed; it answers what is needed from then on."""
        network = self.network
        for start in self._by_score:
            if network.is_mine[start] is not self.is_goods or self.cost[start] > self._reach:
                continue
            walk = _Walk(self, start, needed, keep)
            walk.go_on(
                start,
                network.stop_score[start],
                taken | network.place_bit[start],
                self.same_place[start],
                self._reach - self.cost[start],
                network.has_token[start],
            )
            needed = walk.needed

    def gain(self, stop: int, seen: int, reach_left: int, has_token: bool) -> int:
        """No way onwards from `stop` adds more than this to the score; -1 if none can hold a token."""
        free = ~seen
        passable, final, frontier = 0, self._final[stop] & free, self._passable[stop] & free
        while frontier:
            passable |= frontier
            following = 0
            for number in bit_numbers(frontier):
                following |= self._passable[number]
                final |= self._final[number]
            frontier = following & free & ~passable
        final &= free & ~passable
        if not has_token and not (passable | final) & self._token_bits:
            return -1
        score = self.network.stop_score
        last = max((score[number] for number in bit_numbers(final)), default=0)
        if passable.bit_count() <= reach_left:
            return last + sum(score[number] for number in bit_numbers(passable))
        total = last
        for number in self._by_score:
            if passable >> number & 1 and (reach_left or not self.cost[number]):
                total += score[number]
                reach_left -= self.cost[number]
        return total

    def arcs_from(self, stop: int) -> tuple[Arc, ...]:
        """The arcs that leave `stop`, richest target first."""
        return self._arcs[stop]


class _Walk:
    """The walk from one start; holds the way gone so far."""

    def __init__(
        self, walker: RouteWalker, start: int, needed: int, keep: Callable[[FoundRoute], int]
    ) -> None:
        self._walker = walker
        self._start = start
        self._keep = keep
        self._stops = [start]
        self._segments: list[int] = []
        self.needed = needed

    def go_on(self, stop: int, score: int, mask: int, seen: int, reach_left: int, has_token: bool) -> None:
        """Try every way onwards from `stop`, the last stop so far."""
        walker = self._walker
        network, cost, same_place = walker.network, walker.cost, walker.same_place
        walker.budget.spend(STEPS_PER_STOP)
        goods = walker.is_goods
        for arc in walker.arcs_from(stop):
            target = arc.target
            if arc.mask & mask or cost[target] > reach_left or (arc.leaves_terminal and self._segments):
                continue
            if goods and network.is_mine[target]:
                continue
            reached = score + network.stop_score[target]
            token = has_token or network.has_token[target]
            self._stops.append(target)
            self._segments.append(arc.segment)
            if token and reached >= self.needed and (goods or self._start < target):
                self.needed = self._keep(
                    (reached, mask | arc.mask, tuple(self._stops), tuple(self._segments))
                )
            if not arc.ends_route:
                left, then_seen = reach_left - cost[target], seen | same_place[target]
                gain = walker.gain(target, then_seen, left, token)
                if gain >= 0 and reached + gain >= self.needed:
                    self.go_on(target, reached, mask | arc.mask, then_seen, left, token)
            self._stops.pop()
            self._segments.pop()


def _targets(arcs: Iterable[Arc]) -> int:
    mask = 0
    for arc in arcs:
        mask |= 1 << arc.target
    return mask
