"""The best runs of trains of which some have no limit: a program bounds them, and proves them where it can."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from services.routing.domain.budget import Budget, EffortSpent
from services.routing.domain.casefinder import CaseFinder, Finder, finder_for, is_unlimited
from services.routing.domain.finder import Catalogue, Route, Terms
from services.routing.domain.flow.crew import (
    STEPS_FIRST,
    STEPS_MOST,
    TRIES_MOST,
    routes_apart,
    routes_together,
    rows_of,
    scored_route,
)
from services.routing.domain.flow.model import MARGIN, Flow, FlowModel, flow_of
from services.routing.domain.flow.program import Values
from services.routing.domain.network import Network, Numbers, Scores, Words
from services.routing.domain.problem import RouteProblem, Train, concerns

# Programs compute in floating point: beyond this a unit of the score would be lost in it.
SCORE_MOST = 500_000
# Routes of a limited sort: added at once while prices are looked for, and all that one program takes.
ROUTES_AT_ONCE, ROUTES_MOST = 50, 5_000
WORTH_PART = 8
# Flows that make no runs which are left out before each train has a flow of its own; so few where much is missing to the
# bound, more than one part of so many.
LEFT_OUT_MOST, LEFT_OUT_FAR, FAR_PART = 30, 3, 33
# Tries of the local search beside a flow that surely does not come apart.
TRIES_BESIDE = 1

Routes = Mapping[Train, Sequence[Route]]


class _Relaxed(NamedTuple):
    """What no choice scores more than, and why: prices of track, and what a route of each limited sort is worth at most."""

    most: float
    terms: Terms
    worths: Sequence[float]


class FlowSearch:
    """The search by programs; see `suits`."""

    def __init__(
        self,
        network: Network,
        sorts: Sequence[Train],
        finders: Mapping[Train, Finder | CaseFinder],
        taken: Words,
        budget: Budget,
        on_routes: Callable[[Routes], int],
        on_bound: Callable[[int], None],
    ) -> None:
        """`on_routes` gets routes by sort and returns the best score known; `on_bound` what no routes score more than."""
        self._network = network
        self._finders = finders
        self._taken = taken
        self._budget = budget
        self._on_routes = on_routes
        self._on_bound = on_bound
        self._best, self._best_score = dict[Train, list[Route]](), 0
        self._known = 0
        counts = Counter(sorts)
        self._unlimited = [
            each
            for sort, count in counts.items()
            if is_unlimited(sort, network)
            for each in _flows(network, sort, count)
        ]
        self._limited = [(sort, count) for sort, count in counts.items() if not is_unlimited(sort, network)]

    @property
    def has_terms(self) -> bool:
        """Whether there are bonuses or requirements: then trains have a flow each, which takes longer."""
        return bool(self._network.bonuses or self._network.requirements)

    @property
    def are_all_unlimited(self) -> bool:
        """Whether no train has a limit."""
        return not self._limited

    @property
    def unlimited_count(self) -> int:
        """How many of the trains have no limit."""
        return sum(count for _, count in self._unlimited)

    def suits(self, score_most: int) -> bool:
        """Whether these trains can be put as a program, where no choice scores more than that; with terms several of them
        must have no limit."""
        return self.unlimited_count > self.has_terms and score_most <= SCORE_MOST

    def run(self) -> None:
        """Find the best routes and prove them.

        Raises `BudgetSpent`, and `EffortSpent` where limited trains have too many routes.
        """
        flows = [flow_of(self._network, sort, count, self._taken) for sort, count in self._unlimited]
        sorts = [sort for sort, _ in self._unlimited]
        model = FlowModel(self._network, flows, [count for _, count in self._limited], self._budget)
        relaxed = self._relaxed(model)
        self._on_bound(int(relaxed.most + MARGIN))
        catalogues = self._catalogues(model, sorts, relaxed) if self._limited else []
        score, bound = self._run_together(model, sorts)
        if score < bound and self.unlimited_count > len(flows):
            apart = [
                (sort, flow._replace(trains=1))
                for sort, flow in zip(sorts, flows, strict=True)
                for _ in range(flow.trains)
            ]
            self._run_apart(apart, catalogues, bound)

    def best_without(self, sort: Train, stops: Collection[int], score_more_than: int) -> Routes | None:
        """The best routes of which none of this sort comes to exactly these stops, if they score more than given.

        For trains without a limit alone. Raises `BudgetSpent`, and `EffortSpent` where the program fails.
        """
        sorts = [each for each, count in self._unlimited for _ in range(count)]
        flows = [flow_of(self._network, each, 1, self._taken) for each in sorts]
        model = FlowModel(self._network, flows, (), self._budget)
        for number, each in enumerate(sorts):
            if each == sort:
                model.avoid(number, stops)
        values, bound = _whole(model, lambda _: None)
        routes: dict[Train, list[Route]] = {each: [] for each in sorts}
        for number, (each, flow) in enumerate(zip(sorts, flows, strict=True)):
            used = model.used(number, values)
            if len(used):
                routes[each].append(self._route(model, number, flow.segments[used], values))
        score = sum(map(_score_of, routes.values()))
        if score < bound:
            raise EffortSpent
        return routes if score > score_more_than else None

    def _route(self, model: FlowModel, number: int, segments: Numbers, values: Values) -> Route:
        """The route of flow `number`, of one train, over these segments."""
        route = scored_route(self._network, model.flows[number], segments)
        return route._replace(score=model.score_of(number, values), claims=model.claims_of(number, values))

    def _run_together(self, model: FlowModel, sorts: Sequence[Train]) -> tuple[int, int]:
        """The best score known and the bound by flows; those that surely make no better runs are left out one by one."""
        several = [place for place, flow in enumerate(model.flows) if flow.trains > 1]
        tries_most, score, most = TRIES_MOST, 0, 0
        for number in range(LEFT_OUT_MOST):
            values, most = _whole(model, self._lower)
            score, is_certain = self._report(model, sorts, values, tries_most)
            self._lower(most)
            is_far = number + 1 >= LEFT_OUT_FAR and most - score > most // FAR_PART
            if score >= most or not is_certain or len(several) != 1 or is_far:
                break
            model.exclude(several[0], values)
            tries_most = 0
        return score, most

    def _lower(self, bound: int) -> None:
        """Nothing scores more, but for the best known."""
        self._on_bound(max(bound, self._known))

    def _run_apart(
        self, apart: Sequence[tuple[Train, Flow]], catalogues: Sequence[Catalogue], bound: int
    ) -> None:
        """The same with a flow for each train."""
        counts = [count for _, count in self._limited]
        model = FlowModel(self._network, [flow for _, flow in apart], counts, self._budget)
        for number, catalogue in enumerate(catalogues):
            model.add_routes(number, catalogue, ROUTES_MOST)
        model.limit(bound)
        while model.connect(model.program.relaxed().values):
            pass
        sorts = [sort for sort, _ in apart]
        values, _ = _whole(model, self._lower, self._start(model, sorts))
        self._report(model, sorts, values, 0)

    def _start(self, model: FlowModel, sorts: Sequence[Train]) -> Values | None:
        """The best routes so far as values of a program with a flow for each train."""
        left = {sort: list(routes) for sort, routes in self._best.items()}
        flows = [left[sort].pop(0) if left.get(sort) else None for sort in sorts]
        return model.values_of(flows, [left.get(sort, []) for sort, _ in self._limited])

    def _relaxed(self, model: FlowModel) -> _Relaxed:
        """The program without whole numbers, connected, with all routes of limited trains that matter to it."""
        through = np.zeros(len(self._network.stops), np.int64)
        while True:
            optimum = model.program.relaxed()
            changed = model.connect(optimum.values)
            by_row, places = model.prices(optimum)
            terms = Terms(self._taken, by_row, through)
            worths, most = [], model.score(optimum.worth)
            for number, (sort, count) in enumerate(self._limited):
                finder, worth = self._finders[sort], places[number]
                if finder.best(terms, int(worth)) is not None:
                    least = finder.bound - (finder.bound - int(worth)) // WORTH_PART
                    found = finder.collect(least, terms)
                    changed |= model.add_routes(number, found, ROUTES_AT_ONCE) > 0
                    worth = max(worth, float(finder.bound))
                worths.append(worth)
                most += count * (worth - places[number])
            if not changed:
                return _Relaxed(most, terms, worths)

    def _catalogues(self, model: FlowModel, sorts: Sequence[Train], relaxed: _Relaxed) -> list[Catalogue]:
        """All routes of limited trains that a better choice may have, added to the program."""
        values, _ = _whole(model, lambda _: None)
        score, _ = self._report(model, sorts, values, TRIES_MOST)
        catalogues = []
        for number, (sort, _) in enumerate(self._limited):
            least = int(score + relaxed.worths[number] - relaxed.most - MARGIN)
            catalogue = self._finders[sort].collect(least, relaxed.terms)
            if len(catalogue.score) > ROUTES_MOST:
                raise EffortSpent
            model.add_routes(number, catalogue, ROUTES_MOST)
            catalogues.append(catalogue)
        return catalogues

    def _report(
        self, model: FlowModel, sorts: Sequence[Train], values: Values, tries_most: int
    ) -> tuple[int, bool]:
        """The routes that these values stand for; where flows of several trains do not come apart, others near them.

        Returns the best score known, and whether it is sure that no better routes use the same track.
        """
        routes: dict[Train, list[Route]] = {
            sort: [] for sort in (*sorts, *(sort for sort, _ in self._limited))
        }
        taken = self._taken
        for (sort, _), columns in zip(self._limited, model.columns, strict=True):
            for column, (catalogue, number) in columns.items():
                if values[column] > MARGIN:
                    routes[sort].append(self._finders[sort].route(catalogue, number))
                    taken = taken | catalogue.track[number]
        several = []
        for number, (sort, flow) in enumerate(zip(sorts, model.flows, strict=True)):
            used = model.used(number, values)
            if flow.trains > 1:
                several.append((number, sort, flow, used))
            elif len(used):
                route = self._route(model, number, flow.segments[used], values)
                routes[sort].append(route)
                taken = taken | self._network.track_of(route.stops, route.segments, route.claims)
        score, are_certain = self._take(routes), True
        for number, sort, flow, used in several:
            if self._network.places_once:
                routes[sort] = rows_of(self._network, flow, used)
                continue
            enough = model.score_of(number, values)
            found, is_certain = routes_apart(self._network, flow, used, enough, STEPS_FIRST, self._budget)
            score = self._take({**routes, sort: found})
            routes[sort] = list(found)
            tries = min(tries_most, TRIES_BESIDE) if is_certain else tries_most
            most = _score_of(found)
            for better in routes_together(
                self._network, flow, taken, used, most, enough, tries, self._budget
            ):
                routes[sort] = list(better)
                score = self._take(routes)
            if not is_certain and _score_of(routes[sort]) < enough:
                found, is_certain = routes_apart(self._network, flow, used, enough, STEPS_MOST, self._budget)
                score = self._take({**routes, sort: found})
            for route in routes[sort]:
                taken = taken | self._network.track_of(route.stops, route.segments, ())
            are_certain = are_certain and is_certain
        if self._network.places_once:
            score = self._take(routes)
        return score, are_certain

    def _take(self, routes: Routes) -> int:
        score = sum(map(_score_of, routes.values()))
        if score > self._best_score:
            self._best_score = score
            self._best = {sort: list(some) for sort, some in routes.items()}
        self._known = self._on_routes(routes)
        return self._known


def _flows(network: Network, sort: Train, count: int) -> list[tuple[Train, int]]:
    """How many trains of this sort are one flow. Only a flow of its own shows what a single run comes to, which terms need.
    Where runs keep apart what hangs together must be one: else one of goods trains could have the mines of two."""
    has_terms = any(concerns(bonus, sort) for bonus in network.bonuses)
    has_terms |= any(concerns(requirement, sort) for requirement in network.requirements)
    is_alone = has_terms or (network.places_once and sort.kind == "goods")
    return [(sort, 1)] * count if is_alone else [(sort, count)]


def _score_of(routes: Iterable[Route]) -> int:
    return sum(route.score for route in routes)


def _whole(
    model: FlowModel, on_bound: Callable[[int], None], start: Values | None = None
) -> tuple[Values, int]:
    """The best connected whole values, and what none scores more than."""
    while True:
        values, most = model.program.whole(model.accuracy, start)
        bound = int(model.score(most) + MARGIN)
        on_bound(bound)
        if not model.connect(values):
            return values, bound


def warm_up_flows(problem: RouteProblem) -> None:
    """Search a small problem, so that the kernels are compiled or loaded before the first question."""
    budget = Budget(1 << 60, lambda: False)
    network = Network(problem, Scores(problem), budget)
    sorts = [msgspec.structs.replace(train, id="") for train in problem.trains]
    finders = {sort: finder_for(sort, network, budget) for sort in sorts}
    taken = np.zeros(network.track.shape[1], np.uint64)
    FlowSearch(network, sorts, finders, taken, budget, lambda routes: 0, lambda bound: None).run()
    # As where trains compete: a small problem is solved without prices.
    nothing = np.zeros(len(network.track), np.int64), np.zeros(len(network.stops), np.int64)
    finder_for(Train("", "normal", 2), network, budget).best(Terms(taken, *nothing))
    flow = flow_of(network, sorts[0], len(sorts), taken)
    for _ in routes_together(network, flow, taken, np.zeros(0, np.int64), 0, SCORE_MOST, 1, budget):
        pass
