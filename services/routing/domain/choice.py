"""Chooses the runs of all trains together: from the best of each alone to a proven best set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

import msgspec
import numpy as np

from services.routing.domain.arcs import Arcs
from services.routing.domain.budget import Budget, BudgetSpent, EffortSpent
from services.routing.domain.casefinder import finder_for, is_swept, without_stops
from services.routing.domain.cases import first_case
from services.routing.domain.finder import Catalogue, Route, RouteFinder, Terms
from services.routing.domain.flow.search import FlowSearch
from services.routing.domain.network import Network, Words
from services.routing.domain.packer import NO_ROUTE, best_packing, packings_within
from services.routing.domain.prices import Priced, PriceSearch
from services.routing.domain.problem import Train
from services.routing.domain.solution import BoundBy
from services.routing.domain.turns import orders_that_differ

ORDERS_TRIED_MOST = 6
FIRST_GAP_FRACTION = 20
SECOND_GAP_FRACTION = 100
# Steps of closing the gap before switching to rounds of pricing, their growth, and the rounds.
EFFORT_FIRST, EFFORT_GROWTH, ROUNDS_AT_ONCE = 300_000, 3, 12
EFFORT_MOST = 1 << 60
# From so many segments on several trains without a limit are flows from the start.
FLOW_SEGMENTS_LEAST = 40
# Steps of the last effort, shared by all sorts of trains, how far it looks, and over how many arcs all trains together.
LAST_EFFORT_STEPS, LAST_EFFORT_REACH_MOST, LAST_EFFORT_ARCS = 20_000, 30, 40_000

Packing = tuple[Route | None, ...]


class RunChoice:
    """The search for the best runs: `packing` of `score` is the best found, nothing scores more than `bound`.

    `bounds`: how that bound was reached, the last of each kind in the order in which they fell.
    """

    def __init__(
        self,
        network: Network,
        trains: Sequence[Train],
        taken: Words,
        budget: Budget,
        on_change: Callable[[RunChoice], None],
    ) -> None:
        """`trains`: grouped by sort. `taken`: track they may not use. Raises `BudgetSpent`."""
        self._network = network
        self._terms = Terms(
            taken,
            np.zeros(len(network.track), np.int64),
            np.zeros(len(network.stops), np.int64),
            is_free=True,
        )
        self._budget = budget
        self._on_change = on_change
        sorts = [msgspec.structs.replace(train, id="") for train in trains]
        self._finders = {sort: finder_for(sort, network, budget) for sort in dict.fromkeys(sorts)}
        self._sorts = sorts
        self._alone = {sort: finder.bound for sort, finder in self._finders.items()}
        self._first: dict[Train, Route | None] = {}
        self.packing: Packing = (None,) * len(trains)
        self.score = 0
        self.bound = self._most()
        self.bounds: dict[BoundBy, int] = {"alone": self.bound}
        self._priced = Priced(self._terms, self._alone, 0)
        self._flows = FlowSearch(
            network,
            sorts,
            self._finders,
            taken,
            budget,
            self._take_routes,
            lambda bound: self._lower(max(self.score, bound), "flows"),
        )

    @property
    def proven(self) -> bool:
        """Whether nothing better exists."""
        return self.score == self.bound

    def make(self) -> None:
        """Search until proven or until the budget ends."""
        try:
            has_flows = self._flows.unlimited_count > 1
            has_flows &= len(self._network.segments) >= FLOW_SEGMENTS_LEAST
            if has_flows and not self._flows.has_terms:
                self._choose_by_flows()
            if not self.proven:
                self._solve_each_alone()
                self._choose_in_turn()
                self._improve()
            if has_flows and self._flows.has_terms and not self.proven:
                self._choose_by_flows()
            if not self.proven:
                self._prove()
        except BudgetSpent:
            if not self.score:
                self._keep(self._from_what_was_found())

    def alone(self, number: int) -> tuple[Route | None, bool]:
        """The best route of train `number` beside nothing but what is taken, and whether that is proven."""
        finder = self._finders[self._sorts[number]]
        route = finder.best(self._terms)
        return route, finder.bound == (route.score if route else 0)

    def second(self) -> tuple[int, Packing] | None:
        """The best packing in which a train, whose number is given, has a route by other stops; none if there is none.

        For a proven choice. Raises `EffortSpent` where it needs too many routes.
        """
        found: tuple[int, Packing] | None = None
        least, seen = 0, set[tuple[Train, frozenset[int]]]()
        for number, route in enumerate(self.packing):
            if route is None or (self._sorts[number], frozenset(route.stops)) in seen:
                continue
            seen.add((self._sorts[number], frozenset(route.stops)))
            packing = self._best_without(self._sorts[number], route, least)
            if packing is not None:
                found, least = (number, packing), sum(each.score for each in packing if each)
        return found

    def _best_without(self, sort: Train, route: Route, score_more_than: int) -> Packing | None:
        """The best packing without the stops of `route` for trains of this sort, if it scores more than given."""
        if self._flows.are_all_unlimited and next(reversed(self.bounds)) == "flows":
            routes = self._flows.best_without(sort, route.stops, score_more_than)
            return None if routes is None else self._packed(routes)
        priced, score, packing = self._priced, score_more_than, None
        most = priced.bound(self._sorts)
        gap = min(most, most - self.score + most // SECOND_GAP_FRACTION)
        while True:
            by_sort = self._by_sort(self._sorts, priced, gap)
            by_sort[sort] = without_stops(self._finders[sort], by_sort[sort], route)
            catalogues = [by_sort[each] for each in self._sorts]
            better = best_packing(catalogues, priced.price_total, score, self._budget)
            if better is not None:
                score, packing = better[0], self._routes(self._sorts, catalogues, better[1])
            if max(score, 0) >= most - gap:
                return packing
            gap = most - score if packing is not None else min(most, 2 * gap + 1)

    def _most(self) -> int:
        return sum(self._alone[sort] for sort in self._sorts)

    def _solve_each_alone(self) -> None:
        for sort, finder in self._finders.items():
            try:
                route = finder.best(self._terms)
                if finder.bound == (route.score if route else 0):
                    self._first[sort] = route
            finally:
                self._alone[sort] = finder.bound
                self._lower(self._most(), "alone")

    def _choose_in_turn(self) -> None:
        """Greedy start: trains choose one after the other, in several orders."""
        for order in self._orders():
            packing: list[Route | None] = [None] * len(self._sorts)
            taken, score = self._terms.taken, 0
            hoped = self._most()
            for number in order:
                if score + hoped <= self.score:
                    break
                sort = self._sorts[number]
                hoped -= self._alone[sort]
                packing[number] = route = self._best_beside(sort, taken, max(0, self.score - score - hoped))
                if route is not None:
                    score += route.score
                    taken = taken | self._track(route)
            self._keep(tuple(packing))
            if self.proven:
                return

    def _best_beside(self, sort: Train, taken: Words, worth_more_than: int) -> Route | None:
        """The best route beside this track, if it is worth more than given. If that of the train alone keeps off it, none is
        better."""
        if sort in self._first:
            first = self._first[sort]
            if first is None or first.score <= worth_more_than:
                return None
            if not np.any(self._track(first) & taken):
                return first
        return self._finders[sort].best(self._terms._replace(taken=taken), worth_more_than)

    def _orders(self) -> Iterator[tuple[int, ...]]:
        """Orders of the trains that differ in their sorts, starting with the highest earner first."""
        richest_first = sorted(
            range(len(self._sorts)), key=lambda number: (-self._alone[self._sorts[number]], number)
        )
        return islice(orders_that_differ(tuple(richest_first), self._sorts), ORDERS_TRIED_MOST)

    def _improve(self) -> None:
        """Let each train choose again, the others fixed, until none improves."""
        numbers = list(range(len(self._sorts)))
        unchanged = 0
        while numbers and unchanged < len(numbers) and not self.proven:
            number = numbers.pop(0)
            numbers.append(number)
            others = [route for other, route in enumerate(self.packing) if other != number]
            old = self.packing[number]
            if old is not None and old.score >= self._alone[self._sorts[number]]:
                unchanged += 1
                continue
            route = self._finders[self._sorts[number]].best(self._beside(others), old.score if old else 0)
            if route is None:
                unchanged += 1
                continue
            unchanged = 0
            self._keep((*self.packing[:number], route, *self.packing[number + 1 :]))

    def _beside(self, routes: Sequence[Route | None]) -> Terms:
        """The terms for a train that may not use the track of these routes."""
        taken = self._terms.taken
        for route in routes:
            taken = taken | self._track(route)
        return self._terms._replace(taken=taken)

    def _track(self, route: Route | None) -> Words:
        if route is None:
            return np.zeros_like(self._terms.taken)
        return self._network.track_of(route.stops, route.segments, route.claims)

    def _keep(self, packing: Packing) -> None:
        score = sum(route.score for route in packing if route)
        if score > self.score:
            self.score, self.packing = score, packing
            self._on_change(self)

    def _lower(self, bound: int, by: BoundBy) -> None:
        if bound < self.bound:
            self.bound = bound
            self.bounds.pop(by, None)
            self.bounds[by] = bound
            self._on_change(self)

    def _prove(self) -> None:
        """Close the gap between score and bound; where that takes too long, narrow it by prices on track first."""
        prices = PriceSearch(
            self._network, self._priced, self._sorts, self._finders, self._take_up, self._budget
        )
        effort = EFFORT_FIRST
        while not self.proven:
            last_try = prices.exhausted
            try:
                with self._budget.at_most(EFFORT_MOST if last_try else effort):
                    self._close_the_gap(prices.best)
            except EffortSpent:
                if effort == EFFORT_FIRST:
                    self._choose_by_flows()
                if prices.exhausted and self._is_one_swept():
                    with suppress(EffortSpent):
                        self._go_around(prices.best)
                    return
                if last_try:
                    return
                prices.go_on(ROUNDS_AT_ONCE)
                self._priced = prices.best
                self._improve()
                self._lower(max(self.score, prices.best.bound(self._sorts)), "prices")
                effort = effort * EFFORT_GROWTH

    def _choose_by_flows(self) -> None:
        """Choose by programs in which trains without a limit are flows, where the problem can be put so."""
        if not self._flows.suits(self._most()):
            return
        with suppress(EffortSpent):
            self._flows.run()

    def _take_routes(self, routes: Mapping[Train, Sequence[Route]]) -> int:
        """Make a packing of routes by sort of train, none of which conflict; returns the best score known."""
        self._keep(self._packed(routes))
        return self.score

    def _packed(self, routes: Mapping[Train, Sequence[Route]]) -> Packing:
        left = {
            sort: sorted(some, key=lambda route: (-route.score, route.stops, route.segments))
            for sort, some in routes.items()
        }
        return tuple(left[sort].pop(0) if left.get(sort) else None for sort in self._sorts)

    def _close_the_gap(self, priced: Priced) -> None:
        """Collect the routes of possible better packings, within a growing gap until the best is proven."""
        most = priced.bound(self._sorts)
        gap = min(most - self.score, most // FIRST_GAP_FRACTION)
        while not self.proven:
            catalogues = self._catalogues(self._sorts, priced, gap)
            better = best_packing(catalogues, priced.price_total, self.score, self._budget)
            if better is not None:
                self._keep(self._routes(self._sorts, catalogues, better[1]))
            self._lower(max(self.score, most - gap - 1), "routes")
            gap = min(2 * gap + 1, most - self.score)

    def _is_one_swept(self) -> bool:
        return sum(is_swept(self._finders[sort]) for sort in self._sorts) == 1

    def _go_around(self, priced: Priced) -> None:
        """Let the one train without a limit choose with every packing of the others that leaves enough to gain.

        Raises `EffortSpent` where the others have too many routes to store.
        """
        swept = next(sort for sort in self._sorts if is_swept(self._finders[sort]))
        place = self._sorts.index(swept)
        others = [sort for sort in self._sorts if sort != swept]
        most = priced.bound(self._sorts)
        catalogues = self._catalogues(others, priced, most - self.score - 1)
        worths = [priced.worth[sort] for sort in others]
        hoped = 0
        for chosen in packings_within(catalogues, worths, lambda: most - self.score - 1, self._budget):
            packing = self._routes(others, catalogues, chosen)
            scored = sum(route.score for route in packing if route)
            missing = self.score - scored
            if missing < self._alone[swept]:
                route = self._finders[swept].best(self._beside(packing), max(0, missing))
                self._keep((*packing[:place], route, *packing[place:]))
                hoped = max(hoped, scored + self._finders[swept].bound)
        self._lower(max(self.score, hoped), "beside")

    def _take_up(self, routes: Mapping[Train, Route | None]) -> int:
        """Make a packing from independently chosen routes; trains whose routes conflict choose again.

        Returns the best score known."""
        packing: list[Route | None] = [None] * len(self._sorts)
        taken, homeless = self._terms.taken, []
        for number, sort in enumerate(self._sorts):
            track = self._track(routes[sort])
            if np.any(track & taken):
                homeless.append(number)
            else:
                packing[number] = routes[sort]
                taken = taken | track
        for number in homeless:
            packing[number] = route = self._finders[self._sorts[number]].best(
                self._terms._replace(taken=taken)
            )
            taken = taken | self._track(route)
        self._keep(tuple(packing))
        return self.score

    def _catalogues(self, sorts: Sequence[Train], priced: Priced, gap: int) -> list[Catalogue]:
        """By train of these sorts the routes within the gap; trains of one sort share theirs."""
        by_sort = self._by_sort(sorts, priced, gap)
        return [by_sort[sort] for sort in sorts]

    def _by_sort(self, sorts: Sequence[Train], priced: Priced, gap: int) -> dict[Train, Catalogue]:
        return {
            sort: self._finders[sort].collect(priced.worth[sort] - gap, priced.terms)
            for sort in dict.fromkeys(sorts)
        }

    def _routes(
        self, sorts: Sequence[Train], catalogues: Sequence[Catalogue], chosen: Sequence[int]
    ) -> Packing:
        return tuple(
            None if number == NO_ROUTE else self._finders[sort].route(catalogue, number)
            for sort, catalogue, number in zip(sorts, catalogues, chosen, strict=True)
        )

    def _from_what_was_found(self) -> Packing:
        """Fallback when the budget ended before any packing was found: each train takes the best route it found, or on a board
        that is not too large some route beside the others'."""
        packing: list[Route | None] = []
        taken, arcs_left = self._terms.taken, LAST_EFFORT_ARCS
        arcs_of: dict[Train, Arcs] = {}
        for sort in self._sorts:
            route = self._finders[sort].found
            if route is None or np.any(self._track(route) & taken):
                arcs_left -= 2 * len(self._network.segments)
                route = self._first_met(sort, taken, arcs_of) if arcs_left >= 0 or not packing else None
            packing.append(route)
            taken = taken | self._track(route)
        return tuple(packing)

    def _first_met(self, sort: Train, taken: Words, arcs_of: dict[Train, Arcs]) -> Route | None:
        """Some route found in bounded time."""
        budget = Budget(LAST_EFFORT_STEPS // len(self._finders), lambda: False)
        if not 0 < sort.reach <= LAST_EFFORT_REACH_MOST:
            sort = msgspec.structs.replace(sort, reach=LAST_EFFORT_REACH_MOST)
        if sort not in arcs_of:
            arcs_of[sort] = Arcs(self._network, sort, first_case(self._network, sort))
            self._budget.look()
        finder = RouteFinder(arcs_of[sort], self._network, budget, is_quick=True)
        with suppress(BudgetSpent):
            finder.best(self._terms._replace(taken=taken))
        self._budget.look()
        if finder.found is not None and not np.any(self._track(finder.found) & taken):
            return finder.found
        return None
