"""The routes of a sort of train with bonuses: those of all its cases together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from services.routing.domain.arcs import Arcs
from services.routing.domain.budget import Budget, EffortSpent
from services.routing.domain.cases import Case, cases_of
from services.routing.domain.finder import Catalogue, Route, RouteFinder, Terms, claim_price, is_taken
from services.routing.domain.joint.room import below_each_other, in_order
from services.routing.domain.network import SEGMENTS_PER_LOOK, WORD_BITS, Flags, Network, Words
from services.routing.domain.problem import Train
from services.routing.domain.sweep import SweepFinder
from services.routing.domain.sweepplan import plan_sweep, sweep_order

Finder = RouteFinder | SweepFinder
# Words of the track of all routes of all cases.
WORDS_MOST = 1 << 22


class CaseFinder:
    """Finds routes in every case; the first is the one without any bonus that could be left out.

    What finds those of another case is made when it is needed first: no route is worth more there than in the first case
    and what the bonuses claimed add.
    """

    def __init__(
        self, cases: Sequence[Case], make: Callable[[Case], Finder], network: Network, budget: Budget
    ) -> None:
        self._cases = cases
        self._make = make
        self._network = network
        self._budget = budget
        self.first = make(cases[0])
        self._finders = {0: self.first}
        self._most = [self.first.bound + case.more_most for case in cases]
        self._bounds = self._most
        self.found: Route | None = None

    @property
    def bound(self) -> int:
        """What no route is worth more than, on the terms of the last search."""
        return max(self._bounds)

    def best(self, terms: Terms, worth_more_than: int = 0) -> Route | None:
        """The best route on these terms, if it is worth more than given; see `RouteFinder.best`."""
        self.found, worth = None, worth_more_than
        self._bounds = list(self._most)
        plain: int | None = None
        for number, case in enumerate(self._cases):
            if is_taken(case, self._network, terms):
                self._bounds[number] = 0
                continue
            if plain is not None and plain + case.more_most - claim_price(case, terms) <= worth:
                self._bounds[number] = worth
                continue
            finder = self._finder(number)
            try:
                finder.best(terms, worth)
            finally:
                if finder.found is not None and finder.worth > worth:
                    self.found, worth = finder.found, finder.worth
            self._bounds[number] = finder.bound
            if not case.more_most:
                plain = finder.bound
        return self.found

    def collect(self, worth_least: int, terms: Terms) -> Catalogue:
        """All routes on these terms that are worth at least so much, in each case in which they are.

        Raises `EffortSpent` where they are too many to store.
        """
        parts: list[tuple[int, Catalogue]] = []
        words = 0
        for number, case in enumerate(self._cases):
            if not is_taken(case, self._network, terms):
                found = self._finder(number).collect(worth_least, terms)
                parts.append((number, found))
                words += found.track.size
                if words > WORDS_MOST:
                    raise EffortSpent
        return _joined(parts, self._budget)

    def _finder(self, number: int) -> Finder:
        if number not in self._finders:
            self._finders[number] = self._make(self._cases[number])
            self._budget.spend(0)
        return self._finders[number]

    def route(self, catalogue: Catalogue, number: int) -> Route:
        """Route `number` of a catalogue."""
        return self._finder(int(catalogue.case[number])).route(catalogue, number)

    def stop_sets(self, catalogue: Catalogue) -> Words:
        """The stops that each route of a catalogue comes to, as bits."""
        by_case = [
            (catalogue.case == number, finder.stop_sets(_only(catalogue, catalogue.case == number)))
            for number, finder in self._finders.items()
        ]
        sets = np.zeros((len(catalogue.case), by_case[0][1].shape[1]), np.uint64)
        for is_in_case, found in by_case:
            sets[is_in_case] = found
        return sets


def finder_for(train: Train, network: Network, budget: Budget) -> Finder | CaseFinder:
    """Finds the routes of such a train: a sweep where no limit holds it and the map is narrow enough; else a search.

    Raises `BudgetSpent`.
    """
    swept = is_unlimited(train, network)
    cases = cases_of(network, train, budget)
    order: list[int] | None = None

    def make(case: Case) -> Finder:
        nonlocal order
        arcs = Arcs(network, train, case)
        if swept and order is None:
            order = sweep_order(network, arcs, budget)
        sweep = plan_sweep(network, arcs, order, budget) if order is not None else None
        if len(network.segments) > SEGMENTS_PER_LOOK:
            budget.spend(0)
        if sweep is None:
            return RouteFinder(arcs, network, budget)
        return SweepFinder(sweep, network, budget, case)

    return make(cases[0]) if len(cases) == 1 else CaseFinder(cases, make, network, budget)


def is_unlimited(train: Train, network: Network) -> bool:
    """Whether nothing limits such a train: it visits as much as it can, and all of that counts."""
    limited = train.reach and (train.measure == "hexes" or train.reach < len(network.stops))
    return not limited and not train.counts and train.towns != "extra"


def is_swept(finder: Finder | CaseFinder) -> bool:
    """Whether its train has no limit and a sweep finds its routes."""
    return isinstance(finder.first if isinstance(finder, CaseFinder) else finder, SweepFinder)


def without_stops(finder: Finder | CaseFinder, catalogue: Catalogue, route: Route) -> Catalogue:
    """The routes of the catalogue that come to other stops than `route`."""
    sets = finder.stop_sets(catalogue)
    own = np.zeros(sets.shape[1], np.uint64)
    for stop in route.stops:
        own[stop // WORD_BITS] |= np.uint64(1 << stop % WORD_BITS)
    return _only(catalogue, np.any(sets != own, axis=1))


def _only(catalogue: Catalogue, chosen: Flags) -> Catalogue:
    rows = {
        name: getattr(catalogue, name)[chosen] for name in ("score", "worth", "track", "begin", "end", "case")
    }
    return catalogue._replace(**rows)


def _joined(parts: Sequence[tuple[int, Catalogue]], budget: Budget) -> Catalogue:
    """One catalogue of those of several cases, the worthiest first."""
    shifts = np.cumsum([0, *(len(part.arcs) for _, part in parts)])
    worth = np.concatenate([part.worth for _, part in parts])
    order = np.argsort(-worth, kind="stable")
    return Catalogue(
        score=np.concatenate([part.score for _, part in parts])[order],
        worth=worth[order],
        track=in_order(below_each_other([part.track for _, part in parts], budget), order, budget),
        begin=np.concatenate([part.begin + shift for (_, part), shift in zip(parts, shifts, strict=False)])[
            order
        ],
        end=np.concatenate([part.end + shift for (_, part), shift in zip(parts, shifts, strict=False)])[
            order
        ],
        arcs=np.concatenate([part.arcs for _, part in parts]),
        case=np.concatenate([np.full(len(part.worth), number) for number, part in parts])[order],
    )
