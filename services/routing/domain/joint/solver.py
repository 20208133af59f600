"""The best runs of a company whose runs make one network, proven, or the best found with a bound."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.joint.board import Board
from services.routing.domain.joint.choice import NetworkChoice
from services.routing.domain.joint.judge import judge_network
from services.routing.domain.joint.money import most_of
from services.routing.domain.problem import (
    NODE_BUDGET_DEFAULT,
    Parameters,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.shape import InvalidAnswerError, RunFault
from services.routing.domain.solution import (
    AloneRun,
    BoundStep,
    Explanation,
    RouteSolution,
    maximised_value,
    solution_from,
    unsearched,
)


def warm_up_network() -> None:
    """Solve small problems, so that the kernels are compiled or loaded before the first question."""
    stops = tuple(
        Stop(name, "town" if name == "b" else "city", name, 10, position=(0, number))
        for number, name in enumerate("abcd")
    )
    segments = tuple(
        Segment(f"{one}{other}", one, other, hexes=(one, other)) for one, other in ("ab", "bc", "cd", "da")
    )
    trains = (
        Train("1F", "freight", 1, joins=True),
        Train("2F", "freight", 2, joins=True),
        Train("2L", "local", 2),
        Train("2E", "express", 3, counts=2),
        Train("3E", "express", 3, counts=2),
    )
    parameters = Parameters(home="a", bonus_per_hex=1, bonus_per_hex_port=1, subsidy_per_hex=1)
    problem = RouteProblem("X", stops, segments, trains, ("a", "d"), "one_network", parameters)
    solve_network(problem, lambda: False, None)
    # Two competing trains: their prices leave a gap that branch and bound has to close, in cities whose values have no
    # common factor to which bounds could be rounded.
    cities = tuple(
        msgspec.structs.replace(stop, kind="city", revenue=value)
        for stop, value in zip(stops, (10, 11, 30, 29), strict=True)
    )
    pair = Train("2E", "express", 2), Train("2E'", "express", 2)
    apart = RouteProblem("X", cities, segments[:3], pair, tuple("abcd"), "one_network", parameters)
    solve_network(apart, lambda: False, None)


def solve_network(
    problem: RouteProblem,
    should_stop: Callable[[], bool],
    on_better: Callable[[RouteSolution], None] | None,
) -> RouteSolution:
    """The best runs for a valid `problem`; see `solve`."""
    budget = Budget(problem.options.node_budget or NODE_BUDGET_DEFAULT, should_stop)

    def tell(choice: NetworkChoice) -> None:
        if on_better is not None:
            found = _solution(problem, choice, budget.steps)
            budget.look()
            on_better(found)

    try:
        choice = NetworkChoice(Board(problem, budget), budget, tell)
    except BudgetSpent:
        return unsearched(problem, (), most_of(problem), budget.steps)
    choice.make()
    budget.look()
    found = _solution(problem, choice, budget.steps)
    budget.look()
    if not problem.options.explain:
        return found
    return msgspec.structs.replace(found, explanation=_explanation(problem, choice, should_stop))


def _explanation(
    problem: RouteProblem, choice: NetworkChoice, should_stop: Callable[[], bool]
) -> Explanation:
    """How the bound was reached, and the best run of each train if it were the only one."""
    bounds = tuple(BoundStep(by, choice.money.value(bound)) for by, bound in choice.bounds.items())
    options = msgspec.structs.replace(problem.options, explain=False)
    alone = []
    for train in problem.trains:
        if should_stop():
            break
        by_itself = msgspec.structs.replace(problem, trains=(train,), options=options)
        found = solve_network(by_itself, should_stop, None)
        alone.append(AloneRun(train.id, found.runs[0] if found.runs else None, found.proven))
    complete = choice.proven and len(alone) == len(problem.trains) and all(each.proven for each in alone)
    return Explanation(bounds, tuple(alone), None, complete)


def _solution(problem: RouteProblem, choice: NetworkChoice, steps: int) -> RouteSolution:
    place = {train.id: number for number, train in enumerate(problem.trains)}
    joined = {claim.joined_trains for claim in choice.claims}
    judged = judge_network(problem, choice.claims, joined)
    if isinstance(judged, RunFault):
        raise InvalidAnswerError(judged)
    runs = tuple(sorted(judged.runs, key=lambda run: place[run.train]))
    found = msgspec.structs.replace(solution_from(runs, choice.proven, steps), order=judged.order)
    value = maximised_value(found, problem.parameters.compare_treasury_income)
    if value < choice.money.value(choice.score):
        message = f"runs found for {choice.money.value(choice.score)} are worth {value}"
        raise InvalidAnswerError(RunFault("value_wrong", "", message))
    return msgspec.structs.replace(found, upper_bound=choice.money.value(choice.bound))
