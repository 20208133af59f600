"""Why an answer is the best: how its bound was reached, what each train earns alone, and the second best."""

from __future__ import annotations

from collections.abc import Sequence

from services.routing.domain.budget import Budget, BudgetSpent, EffortSpent
from services.routing.domain.choice import RunChoice
from services.routing.domain.network import Network
from services.routing.domain.problem import RouteProblem, Train
from services.routing.domain.runs import runs_of
from services.routing.domain.solution import (
    AloneRun,
    BoundStep,
    Explanation,
    RouteSolution,
    Run,
    SecondBest,
    maximised_value,
    solution_from,
)

# An explanation takes so many steps at most.
EFFORT_MOST = 30_000_000


def explain(
    problem: RouteProblem,
    network: Network,
    trains: Sequence[Train],
    choice: RunChoice,
    locked: Sequence[Run],
    solution: RouteSolution,
    budget: Budget,
) -> Explanation:
    """The explanation of `solution`, which is that of `choice` for `trains` beside the locked runs."""
    value = maximised_value(solution, problem.parameters.compare_treasury_income)
    apart = value - network.scores.value(choice.score)
    bounds = tuple(BoundStep(by, apart + network.scores.value(bound)) for by, bound in choice.bounds.items())
    alone: dict[str, AloneRun] = {}
    second, complete = None, False
    try:
        with budget.at_most(EFFORT_MOST):
            for number, train in enumerate(trains):
                route, proven = choice.alone(number)
                runs = runs_of(problem, network, [(train, route)])
                alone[train.id] = AloneRun(train.id, runs[0] if runs else None, proven)
            if choice.proven:
                second = _second(problem, network, trains, choice, locked, value)
                complete = True
    except (BudgetSpent, EffortSpent):
        pass
    in_order = tuple(alone[train.id] for train in problem.trains if train.id in alone)
    return Explanation(bounds, in_order, second, complete)


def _second(
    problem: RouteProblem,
    network: Network,
    trains: Sequence[Train],
    choice: RunChoice,
    locked: Sequence[Run],
    value: int,
) -> SecondBest | None:
    found = choice.second()
    if found is None:
        return None
    number, packing = found
    runs = runs_of(problem, network, zip(trains, packing, strict=True), locked)
    second = solution_from(runs, proven=True, steps=0)
    loses = value - maximised_value(second, problem.parameters.compare_treasury_income)
    return SecondBest(trains[number].id, runs, second.revenue, second.treasury_income, loses)
