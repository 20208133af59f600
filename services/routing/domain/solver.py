"""The best runs of a company for a problem, proven, or the best found with a bound when the search was cut short."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.choice import RunChoice
from services.routing.domain.direct.solver import solve_direct
from services.routing.domain.explain import explain
from services.routing.domain.flow.search import warm_up_flows
from services.routing.domain.joint.solver import solve_network, warm_up_network
from services.routing.domain.links.every import warm_up_sweeps
from services.routing.domain.network import Network, Scores, Words
from services.routing.domain.problem import (
    NODE_BUDGET_DEFAULT,
    ProblemError,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.runs import runs_of
from services.routing.domain.solution import (
    RouteSolution,
    Run,
    maximised_value,
    solution_from,
    unsearched,
)
from services.routing.domain.validation import validate_problem
from services.routing.domain.verify import RunFault, check_runs


def never_stop() -> bool:
    """The `should_stop` of a caller without a deadline."""
    return False


def ignore_solution(_answer: RouteSolution) -> None:
    """The `on_better` of a caller that wants only the final answer."""


def warm_up() -> None:
    """Solve small problems, so that the kernels are compiled or loaded before the first question."""
    stops = (
        Stop("a", "city", "a", 10),
        Stop("b", "city", "b", 20),
        Stop("c", "town", "c", 10),
        Stop("d", "mine", "d", 10),
    )
    segments = (
        Segment("ab", "a", "b", ("side",)),
        Segment("bc", "b", "c", ("side", "lane")),
        Segment("ca", "c", "a", ("lane",)),
        Segment("da", "d", "a"),
    )
    trains = (
        Train("2", "normal", 2),
        Train("3", "normal", 3),
        Train("1g", "goods", 1, "free"),
        Train("D", "normal", 0),
    )
    for choice in (trains[:3], trains):
        solve(RouteProblem("X", stops, segments, choice, ("a",)))
    warm_up_network()
    warm_up_sweeps()
    warm_up_flows(
        RouteProblem("X", stops, segments, (Train("D", "normal", 0), Train("E", "normal", 0)), ("a",))
    )


def solve(
    problem: RouteProblem,
    should_stop: Callable[[], bool] = never_stop,
    on_better: Callable[[RouteSolution], None] = ignore_solution,
) -> RouteSolution:
    """The best runs for `problem`, proven, or the best found with an upper bound when the search was cut short.

    `should_stop` is polled; true ends the search. `on_better` gets every answer with a higher value or a lower bound
    than the one before. Raises `ProblemError` if the problem is invalid or a locked run is illegal,
    `InvalidAnswerError` if the search's result fails verification.
    """
    validate_problem(problem)
    if problem.family == "direct_routes":
        return solve_direct(problem, should_stop)
    if problem.family == "one_network":
        return solve_network(problem, should_stop, None if on_better is ignore_solution else on_better)
    locked = check_runs(problem, problem.options.locked_runs) if problem.options.locked_runs else ()
    if isinstance(locked, RunFault):
        raise ProblemError("options.locked_runs", locked.reason, locked.message)
    kept = {run.train for run in locked}
    trains = sorted(
        (train for train in problem.trains if train.id not in kept),
        key=lambda train: (
            train.kind,
            train.reach,
            train.towns,
            train.counts,
            train.measure,
            train.tariff,
            train.town_reach,
            train.factor,
            train.only_tokens,
            train.id,
        ),
    )
    budget = Budget(problem.options.node_budget or NODE_BUDGET_DEFAULT, should_stop)
    scores = Scores(problem)

    def answer(choice: RunChoice) -> RouteSolution:
        return _solution(problem, network, trains, choice, locked, budget.steps)

    def tell(choice: RunChoice) -> None:
        if on_better is not ignore_solution:
            found = answer(choice)
            budget.look()
            on_better(found)

    try:
        network = Network(problem, scores, budget)
        choice = RunChoice(network, trains, _track_of(network, locked), budget, tell)
    except BudgetSpent:
        return unsearched(problem, locked, len(trains) * scores.run_most, budget.steps)
    choice.make()
    found = answer(choice)
    if not problem.options.explain:
        return found
    return msgspec.structs.replace(
        found, explanation=explain(problem, network, trains, choice, locked, found, budget)
    )


def _track_of(network: Network, runs: Sequence[Run]) -> Words:
    number = {segment.id: index for index, segment in enumerate(network.segments)}
    taken: Words = np.zeros(network.track.shape[1], np.uint64)
    for run in runs:
        stops, segments = (
            [network.number[stop] for stop in run.stops],
            [number[name] for name in run.segments],
        )
        taken |= network.track_of(stops, segments, ())
    return taken


def _solution(
    problem: RouteProblem,
    network: Network,
    trains: Sequence[Train],
    choice: RunChoice,
    locked: Sequence[Run],
    steps: int,
) -> RouteSolution:
    runs = runs_of(problem, network, zip(trains, choice.packing, strict=True), locked)
    found = solution_from(runs, choice.proven, steps)
    value = maximised_value(found, problem.parameters.compare_treasury_income)
    gap = network.scores.value(choice.bound) - network.scores.value(choice.score)
    return msgspec.structs.replace(found, upper_bound=value + gap)
