"""The best runs of a company, with proof: routes are listed only as far down as the proof needs them.

The best route of each train alone gives an upper bound U on the total, a greedy choice a lower one. If a packing of
total P exists, each train in a better one falls short of its own best by less than U - P, so the routes within that
gap suffice. The gap grows step by step until a packing is found that proves itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, permutations

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.joiner import ArmLists, RouteJoiner
from services.routing.domain.network import Network, Route
from services.routing.domain.packer import Catalogue, Packing, best_packing, canonical_packing
from services.routing.domain.problem import (
    NODE_BUDGET_DEFAULT,
    ProblemError,
    RouteProblem,
    Segment,
    Stop,
    Train,
    TrainKind,
    validate_problem,
)
from services.routing.domain.solution import RouteSolution, Run
from services.routing.domain.verify import RunFault, check_runs
from services.routing.domain.walker import RouteWalker

JOINED_REACH_MOST = {"normal": 12, "goods": 8}
ORDERS_TRIED_MOST = 24
LAST_EFFORT_STEPS = 20_000
CANONICAL_STEPS = 1_000_000
FIRST_GAP_FRACTION = 20

TrainSort = tuple[TrainKind, int]


def never_stop() -> bool:
    """The answer of a caller who sets no deadline."""
    return False


def tell_nobody(_answer: RouteSolution) -> None:
    """The ear of a caller who waits for the last answer."""


def warm_up() -> None:
    """Solve something small, so that the first question does not wait for what is made ready only once."""
    stops = tuple(Stop(name, "city", name, 10) for name in "ab")
    solve(RouteProblem("X", stops, (Segment("ab", "a", "b"),), (Train("2", "normal", 2),), ("a",)))


def solve(
    problem: RouteProblem,
    should_stop: Callable[[], bool] = never_stop,
    on_better: Callable[[RouteSolution], None] = tell_nobody,
) -> RouteSolution:
    """The best runs for `problem`, proven, or the best found with an upper bound when the search was cut short.

    `should_stop` is asked now and then; answering true ends the search. `on_better` is told every answer that is
    richer than the one before or stands under a lower bound, the last one excepted. Raises `ProblemError` if the
    problem has no meaning or a locked run is not legal.
    """
    validate_problem(problem)
    locked = check_runs(problem, problem.options.locked_runs)
    if isinstance(locked, RunFault):
        raise ProblemError("options.locked_runs", locked.reason, locked.message)
    network = Network(problem)
    segment_number = {segment.id: number for number, segment in enumerate(network.segments)}
    taken = 0
    for run in locked:
        for segment in run.segments:
            taken |= network.segment_track[segment_number[segment]]
    locked_trains = {run.train for run in locked}
    trains = sorted(
        (train for train in problem.trains if train.id not in locked_trains),
        key=lambda train: (train.kind, train.reach, train.id),
    )
    budget = Budget(problem.options.node_budget or NODE_BUDGET_DEFAULT, should_stop)
    search = _Search(network, trains, taken, budget)
    search.run()
    runs = list(locked)
    runs += [
        _run(network, train, route)
        for train, route in zip(trains, search.packing, strict=True)
        if route is not None
    ]
    return _solution(problem, network, runs, locked, search)


class _Search:
    """The state of one solve: what is known of the total from below (`packing`) and from above (`bound`)."""

    def __init__(self, network: Network, trains: Sequence[Train], taken: int, budget: Budget) -> None:
        self._network = network
        self._trains = trains
        self._sorts: list[TrainSort] = [(train.kind, train.reach) for train in trains]
        self._taken = taken
        self.budget = budget
        arms = {kind: ArmLists(network, kind, budget) for kind in {train.kind for train in trains}}
        self._finders: dict[TrainSort, RouteJoiner | RouteWalker] = {
            sort: self._finder(train, arms) for sort, train in zip(self._sorts, trains, strict=True)
        }
        self._best = {sort: self._simple_bound(sort) for sort in self._finders}
        self.packing: Packing = (None,) * len(trains)
        self.score = 0
        self.bound = self._best_total()
        self.proven = False

    def run(self) -> None:
        """Search until proven or until the budget ends; `packing`, `score` and `bound` stand in either case."""
        try:
            for sort, finder in self._finders.items():
                route = finder.best(self._taken)
                self._best[sort] = route.score if route else 0
            self.bound = self._best_total()
            self._choose_greedily()
            catalogues = self._close_the_gap()
        except BudgetSpent:
            if not self.score:
                self._find_something()
            self.proven = self.score == self.bound
            return
        self._choose_canonically(catalogues)

    def _finder(self, train: Train, arms: dict[TrainKind, ArmLists]) -> RouteJoiner | RouteWalker:
        if 0 < train.reach <= JOINED_REACH_MOST[train.kind]:
            return RouteJoiner(train, arms[train.kind], self.budget)
        return RouteWalker(train, self._network, self.budget)

    def _best_total(self) -> int:
        return sum(self._best[sort] for sort in self._sorts)

    def _simple_bound(self, sort: TrainSort) -> int:
        """What no route of such a train can exceed: its reach times the richest stops, all free ones, one mine."""
        kind, reach = sort
        network, cost = self._network, self._network.limit_cost(kind)
        stops = range(len(network.stops))
        limited = sorted((network.stop_score[stop] for stop in stops if cost[stop]), reverse=True)
        if kind == "normal":
            limited = sorted(
                (network.stop_score[stop] for stop in stops if not network.is_mine[stop]), reverse=True
            )
            return 1 + sum(limited[: reach or None])
        free = sum(network.stop_score[stop] for stop in stops if not cost[stop] and not network.is_mine[stop])
        mine = max((network.stop_score[stop] for stop in stops if network.is_mine[stop]), default=0)
        return 1 + sum(limited[: reach or None]) + free + mine

    def _choose_greedily(self) -> None:
        """Let the trains choose one after the other, in several orders, and keep the best packing."""
        for order in islice(_orders(self._sorts), ORDERS_TRIED_MOST):
            taken = self._taken
            packing: list[Route | None] = [None] * len(self._sorts)
            for number in order:
                route = self._finders[self._sorts[number]].best(taken)
                packing[number] = route
                taken |= route.track if route else 0
            self._keep(sum(route.score for route in packing if route), tuple(packing))
            if self.score == self.bound:
                return

    def _keep(self, score: int, packing: Packing) -> None:
        if score > self.score:
            self.score, self.packing = score, packing

    def _close_the_gap(self) -> list[Catalogue]:
        """Prove the best packing; the answer holds all routes that a packing of its total can be made of."""
        most = self.bound
        gap = min(most - self.score, most // FIRST_GAP_FRACTION)
        while True:
            catalogues = self._catalogues(gap)
            better = best_packing(catalogues, self.score, self.budget)
            if better is not None:
                self._keep(*better)
            if self.score >= most - gap:
                self.bound = self.score
                return catalogues
            self.bound = most - gap - 1
            gap = min(2 * gap + 1, most - self.score)

    def _catalogues(self, gap: int) -> list[Catalogue]:
        by_sort = {}
        for sort, finder in self._finders.items():
            routes = finder.collect(max(1, self._best[sort] - gap), self._taken)
            self.budget.spend(len(routes))
            by_sort[sort] = Catalogue(routes)
        return [by_sort[sort] for sort in self._sorts]

    def _choose_canonically(self, catalogues: list[Catalogue]) -> None:
        """Replace the packing by the canonical one of the same total.

        Ties too many for the steps allowed leave the packing as the search found it, which is as reproducible; only
        a caller's stop is not, and such an answer does not count as proven though its bound is reached.
        """
        self.proven = True
        self.budget.narrow(CANONICAL_STEPS)
        try:
            canonical = canonical_packing(catalogues, self.score, self.budget)
        except BudgetSpent as spent:
            self.proven = not spent.stopped
            return
        if canonical is None:
            raise AssertionError(f"no packing of the proven total {self.score} among its own candidates")
        self.packing = canonical

    def _find_something(self) -> None:
        """A legal answer when the budget ended before there was one: each train takes the best it has come across."""
        taken = self._taken
        packing: list[Route | None] = [None] * len(self._sorts)
        for number in _orders(self._sorts)[0]:
            finder = self._finders[self._sorts[number]]
            route = finder.found if isinstance(finder, RouteWalker) else None
            if route is None or route.track & taken:
                self.budget.grant(LAST_EFFORT_STEPS)
                route = self._walk_a_little(self._trains[number], taken)
            packing[number] = route
            taken |= route.track if route else 0
        self._keep(sum(route.score for route in packing if route), tuple(packing))

    def _walk_a_little(self, train: Train, taken: int) -> Route | None:
        walker = RouteWalker(train, self._network, self.budget)
        try:
            return walker.best(taken)
        except BudgetSpent:
            return walker.found


def _orders(sorts: Sequence[TrainSort]) -> list[tuple[int, ...]]:
    """Orders of the trains that differ in their sorts, the longest reach first to begin with."""
    longest_first = sorted(range(len(sorts)), key=lambda number: (-sorts[number][1], number))
    orders: dict[tuple[TrainSort, ...], tuple[int, ...]] = {}
    for order in islice(permutations(longest_first), 720):
        orders.setdefault(tuple(sorts[number] for number in order), order)
    return list(orders.values())


def _run(network: Network, train: Train, route: Route) -> Run:
    stop_numbers, segment_numbers = route.key
    stops = [network.stops[number] for number in stop_numbers]
    hexes: list[str] = []
    for start, number in zip(stops, segment_numbers, strict=False):
        segment = network.segments[number]
        for passed in segment.hexes if segment.a == start.id else reversed(segment.hexes):
            if not hexes or hexes[-1] != passed:
                hexes.append(passed)
    return Run(
        train=train.id,
        stops=tuple(stop.id for stop in stops),
        segments=tuple(network.segments[number].id for number in segment_numbers),
        hexes=tuple(hexes),
        revenue=sum(stop.revenue for stop in stops if stop.kind != "mine"),
        treasury_income=sum(stop.revenue for stop in stops if stop.kind == "mine"),
        counted_stops=tuple(stop.id for stop in stops if stop.kind != "mine"),
    )


def _solution(
    problem: RouteProblem, network: Network, runs: list[Run], locked: tuple[Run, ...], search: _Search
) -> RouteSolution:
    by_train = {run.train: run for run in runs}
    in_order = tuple(by_train[train.id] for train in problem.trains if train.id in by_train)
    compare = problem.parameters.compare_treasury_income
    locked_value = sum(run.revenue + (run.treasury_income if compare else 0) for run in locked)
    return RouteSolution(
        runs=in_order,
        revenue=sum(run.revenue for run in runs),
        treasury_income=sum(run.treasury_income for run in runs),
        proven=search.proven,
        upper_bound=network.scores.value(search.bound) + locked_value,
        nodes_explored=search.budget.steps,
    )
