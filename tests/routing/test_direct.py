"""Direct routes: all that no other one dominates, against brute force and the verifier."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from services.routing.convert import (
    problem_from_message,
    problem_to_message,
    solution_from_message,
    solution_to_message,
)
from services.routing.domain.canonical import problem_key, reordered_for
from services.routing.domain.direct.answer import Covered, DirectRoute, Goal
from services.routing.domain.direct.verify import evaluate_direct
from services.routing.domain.problem import (
    Options,
    Parameters,
    ProblemError,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.shape import FaultReason, RunFault
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.domain.validation import validate_problem
from services.routing.domain.verify import verify_solution
from services.routing.json_form import problem_from_json, problem_to_json
from tests.routing.direct_boards import dense_board, small_boards
from tests.routing.direct_oracle import best_direct

BOARDS = 500


def worth(solution: RouteSolution) -> dict[str, list[tuple[int, int]]]:
    """Cost and traffic of every route by its goal."""
    return {goal.stop: [(each.cost, each.traffic) for each in goal.routes] for goal in solution.goals}


@given(problem=small_boards())
@settings(max_examples=BOARDS, deadline=None)
def test_all_routes_are_found(problem: RouteProblem) -> None:
    """On small random boards the routes are those of brute force, and the verifier agrees."""
    validate_problem(problem)
    solution = solve(problem)
    assert solution.proven
    assert worth(solution) == best_direct(problem)
    assert verify_solution(problem, solution) is None
    assert solution_from_message(solution_to_message(solution)) == solution
    assert problem_from_message(problem_to_message(problem)) == problem
    assert problem_from_json(problem_to_json(problem)) == problem


@given(problem=small_boards())
@settings(max_examples=BOARDS // 5, deadline=None)
def test_the_order_of_parts_means_nothing(problem: RouteProblem) -> None:
    """Parts in another order make the same problem with the same answer, trains in their own order."""
    chance = random.Random(5)
    mixed = replace(
        problem,
        stops=tuple(chance.sample(problem.stops, len(problem.stops))),
        segments=tuple(chance.sample(problem.segments, len(problem.segments))),
        trains=tuple(chance.sample(problem.trains, len(problem.trains))),
        token_stops=tuple(chance.sample(problem.token_stops, len(problem.token_stops))),
    )
    assert problem_key(mixed) == problem_key(problem)
    assert reordered_for(problem, solve(mixed)) == solve(problem)


@given(problem=small_boards())
@settings(max_examples=BOARDS // 5, deadline=None)
def test_bounds_hold_wherever_a_search_is_cut(problem: RouteProblem) -> None:
    """After any number of steps every route is legal, and no route lies outside the bounds of its goal."""
    truth = best_direct(problem)
    steps = solve(problem).nodes_explored
    for budget in range(1, max(steps, 1)):
        cut = solve(replace(problem, options=Options(node_budget=budget)))
        assert verify_solution(problem, cut) is None
        goals = {goal.stop: goal for goal in cut.goals}
        for stop, routes in truth.items():
            goal = goals[stop]
            assert goal.least_cost <= routes[0][0]
            assert goal.most_traffic >= routes[-1][1]
            if goal.proven:
                assert [(each.cost, each.traffic) for each in goal.routes] == routes


def test_a_search_without_end_is_stopped() -> None:
    """Among many towns a search ends soon after it is to stop, with routes and bounds."""
    problem = dense_board(towns=40, cities=8, seed=1)
    looks = iter(range(10_000))
    cut = solve(problem, should_stop=lambda: next(looks) > 200)
    assert not cut.proven
    assert verify_solution(problem, cut) is None
    assert any(goal.routes for goal in cut.goals)
    assert all(goal.least_cost > 0 for goal in cut.goals)


@pytest.mark.parametrize("seed", range(20))
def test_boards_of_the_size_of_a_title_are_proven(seed: int) -> None:
    """Twelve towns joined with each other, more than lie together on an island, are searched to the end."""
    problem = dense_board(towns=12, cities=6, seed=seed)
    solution = solve(problem)
    assert solution.proven
    assert verify_solution(problem, solution) is None


def board() -> RouteProblem:
    """A has a token; B lies behind the towns T and U or straight along dear track; C is full; M is a mine."""
    stops = (
        Stop("A", "city", "A", 3, ("X",)),
        Stop("B", "city", "B", 3, ("", "Y")),
        Stop("C", "city", "C", 3, ("Y",)),
        Stop("M", "mine", "M", 2, ("",)),
        Stop("T", "town", "T", 1),
        Stop("U", "town", "U", 2),
    )
    segments = (
        Segment("A-T", "A", "T", hexes=("h1", "h2"), cost=10),
        Segment("T-B", "T", "B", hexes=("h2", "h3"), cost=40),
        Segment("T-U", "T", "U", cost=60),
        Segment("U-B", "U", "B", cost=10),
        Segment("A-B", "A", "B", cost=100),
        Segment("A-C", "A", "C", cost=10),
        Segment("C-M", "C", "M", cost=10),
        Segment("U-M", "U", "M", cost=20),
    )
    return RouteProblem(
        "X",
        stops,
        segments,
        (Train("2", "normal", 8), Train("3", "normal", 14)),
        ("A",),
        family="direct_routes",
        parameters=Parameters(traffic=24, coverage_beside=8),
    )


def test_routes_of_a_small_board() -> None:
    """Cheaper routes and those that bring more, each with its way; what the trains cover."""
    solution = solve(board())
    assert worth(solution) == {"B": [(50, 4), (80, 6)], "M": [(90, 5)]}
    assert solution.goals[0].routes[0] == DirectRoute(
        ("A", "T", "B"), ("A-T", "T-B"), ("h1", "h2", "h3"), 50, 4
    )
    assert solution.covered == (Covered("2", 8), Covered("3", 14), Covered("", 2))
    assert (solution.revenue, solution.upper_bound) == (24, 24)


def test_without_a_train_nothing_is_covered() -> None:
    """What lies beside the trains covers nothing by itself."""
    solution = solve(replace(board(), trains=()))
    assert (solution.covered, solution.revenue) == ((), 0)


def test_goals_can_be_named() -> None:
    """A full city, and one with a token, are goals if they are asked for."""
    problem = replace(board(), token_stops=("A", "B"), parameters=Parameters(goals=("C", "B")))
    assert worth(solve(problem)) == {
        "B": [(50, 4), (80, 6)],
        "C": [(10, 3)],
        "M": [(30, 4), (90, 5)],
    }


WRONG_DIRECT_ANSWERS: dict[str, tuple[FaultReason, Callable[[RouteSolution], RouteSolution]]] = {
    "a route is missing": (
        "route_missing",
        lambda solution: _with_goal(solution, 0, routes=solution.goals[0].routes[:1], most_traffic=4),
    ),
    "a goal is missing": ("route_missing", lambda solution: replace(solution, goals=solution.goals[:1])),
    "the cost is another": ("value_wrong", lambda solution: _with_route(solution, cost=40)),
    "the traffic is another": ("value_wrong", lambda solution: _with_route(solution, traffic=5)),
    "the hexes are others": ("value_wrong", lambda solution: _with_route(solution, hexes=())),
    "track that does not join": (
        "route_not_connected",
        lambda solution: _with_route(solution, segments=("A-T", "A-C")),
    ),
    "an unknown stop": ("unknown_stop", lambda solution: _with_route(solution, stops=("A", "Z", "B"))),
    "unknown track": ("unknown_segment", lambda solution: _with_route(solution, segments=("A-T", "Z"))),
    "goals in another order": ("value_wrong", lambda solution: replace(solution, goals=solution.goals[::-1])),
    "a dominated route": (
        "route_dominated",
        lambda solution: _with_goal(
            solution, 0, routes=(*solution.goals[0].routes, DirectRoute(("A", "B"), ("A-B",), (), 100, 3))
        ),
    ),
    "a goal that is said to be open": ("bound_wrong", lambda solution: _with_goal(solution, 0, proven=False)),
    "a bound too high": ("bound_wrong", lambda solution: _with_goal(solution, 0, most_traffic=7)),
    "a bound too low": ("bound_wrong", lambda solution: _with_goal(solution, 0, least_cost=40)),
    "less covered": (
        "value_wrong",
        lambda solution: replace(solution, covered=(Covered("2", 8), Covered("3", 14), Covered("", 1))),
    ),
    "another sum": ("value_wrong", lambda solution: replace(solution, revenue=23)),
}


def _with_goal(solution: RouteSolution, number: int, **changes: Any) -> RouteSolution:
    goals = list(solution.goals)
    goals[number] = replace(goals[number], **changes)
    return replace(solution, goals=tuple(goals))


def _with_route(solution: RouteSolution, **changes: Any) -> RouteSolution:
    first: Goal = solution.goals[0]
    return _with_goal(solution, 0, routes=(replace(first.routes[0], **changes), *first.routes[1:]))


@pytest.mark.parametrize("name", WRONG_DIRECT_ANSWERS)
def test_the_verifier_sees_what_is_wrong(name: str) -> None:
    """Each falsehood in an answer is found, with its code."""
    code, falsify = WRONG_DIRECT_ANSWERS[name]
    fault = verify_solution(board(), falsify(solve(board())))
    assert fault is not None
    assert fault.reason == code


NO_DIRECT_ROUTES: list[tuple[tuple[str, ...], tuple[str, ...], FaultReason]] = [
    (("B", "T", "A"), ("T-B", "A-T"), "route_no_token"),
    (("A", "C", "M"), ("A-C", "C-M"), "route_passes_city"),
    (("A", "T"), ("A-T",), "goal_without_space"),
    (("A", "C"), ("A-C",), "goal_without_space"),
    (("A",), (), "route_too_short"),
]


@pytest.mark.parametrize(("stops", "segments", "code"), NO_DIRECT_ROUTES)
def test_ways_that_are_no_direct_routes(
    stops: tuple[str, ...], segments: tuple[str, ...], code: FaultReason
) -> None:
    """A way that somebody claims is judged by itself."""
    fault = evaluate_direct(board(), stops, segments)
    assert isinstance(fault, RunFault)
    assert fault.reason == code


BAD: dict[str, tuple[str, str, Callable[[RouteProblem], RouteProblem]]] = {
    "a goods train": (
        "trains[0].kind",
        "kind_not_possible",
        lambda problem: replace(problem, trains=(Train("g", "goods", 8),)),
    ),
    "a train that covers nothing": (
        "trains[0].reach",
        "reach_out_of_range",
        lambda problem: replace(problem, trains=(Train("0", "normal", 0),)),
    ),
    "towns": (
        "trains[0].towns",
        "towns_not_possible",
        lambda problem: replace(problem, trains=(Train("2", "normal", 8, "free"),)),
    ),
    "an area off the board": (
        "stops[0].kind",
        "kind_not_possible",
        lambda problem: replace(problem, stops=(Stop("O", "offboard", "O", 1), *problem.stops)),
    ),
    "a token in a town": (
        "token_stops[0]",
        "token_not_in_city",
        lambda problem: replace(problem, token_stops=("T",)),
    ),
    "a negative cost": (
        "segments[0].cost",
        "cost_out_of_range",
        lambda problem: replace(problem, segments=(Segment("A-T", "A", "T", cost=-1),)),
    ),
    "track that earns": (
        "segments[0].revenue",
        "segment_revenue_not_possible",
        lambda problem: replace(problem, segments=(Segment("A-T", "A", "T", revenue=1),)),
    ),
    "too much traffic": (
        "parameters.traffic",
        "traffic_out_of_range",
        lambda problem: replace(problem, parameters=Parameters(traffic=-1)),
    ),
    "a town as a goal": (
        "parameters.goals[0]",
        "goal_not_city",
        lambda problem: replace(problem, parameters=Parameters(goals=("T",))),
    ),
    "an unknown goal": (
        "parameters.goals[0]",
        "unknown_stop",
        lambda problem: replace(problem, parameters=Parameters(goals=("Z",))),
    ),
    "a parameter of another family": (
        "parameters.home",
        "parameter_not_possible",
        lambda problem: replace(problem, parameters=Parameters(home="A")),
    ),
    "an explanation": (
        "options.explain",
        "explain_not_possible",
        lambda problem: replace(problem, options=Options(explain=True)),
    ),
    "a cost where trains run": (
        "segments[0].cost",
        "cost_not_possible",
        lambda problem: replace(problem, family="separate_track", parameters=Parameters()),
    ),
    "traffic where trains run": (
        "parameters.traffic",
        "parameter_not_possible",
        lambda problem: replace(problem, family="one_network"),
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_problems_are_named(name: str) -> None:
    """Each bad problem is refused with the path of the field and its code."""
    field, reason, spoil = BAD[name]
    with pytest.raises(ProblemError) as refused:
        validate_problem(spoil(board()))
    assert (refused.value.field, refused.value.reason) == (field, reason)
