"""The solver by examples: the canonical answer, locked runs, large boards, early ends, empty problems."""

from __future__ import annotations

import random

import msgspec
import pytest

from services.routing.domain.problem import (
    LockedRun,
    Options,
    Parameters,
    ProblemError,
    RouteProblem,
    Segment,
    Stop,
    Train,
)
from services.routing.domain.solution import RouteSolution, maximised_value
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.boards import SMALL_FAMILIES, SmallFamily, late_game_board, random_trains, small_board
from tests.routing.test_input_laws import reordered, turned


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_order_and_direction_of_the_input_change_nothing(family: SmallFamily) -> None:
    """Stops, segments and tokens in any order, segments turned around: the same runs by the same steps."""
    for seed in range(60):
        problem = small_board(seed, random_trains(seed, family))
        solution = solve(problem)
        assert solve(shuffled(problem, seed)) == solution, seed
        reversed_trains = msgspec.structs.replace(problem, trains=problem.trains[::-1])
        assert sorted(solve(reversed_trains).runs, key=by_train) == sorted(solution.runs, key=by_train), seed


def by_train(run: msgspec.Struct) -> str:
    """Sort key of a run."""
    return str(run)


def shuffled(problem: RouteProblem, seed: int) -> RouteProblem:
    """The same problem in another order, its trains excepted."""
    draw = random.Random(seed)
    return msgspec.structs.replace(reordered(turned(problem, draw), draw), trains=problem.trains)


def test_among_equal_totals_the_smallest_ids_win() -> None:
    """Of three equal ways the one by the smallest stops, then segments, is given, whatever the order."""
    stops = tuple(Stop(name, "city", name, 10) for name in "dabc")
    segments = tuple(Segment(f"{end}{lane}", "a", end) for lane in "21" for end in "dcb")
    trains = (Train("U", "normal", 2), Train("T", "normal", 2))
    solution = solve(RouteProblem("X", stops, segments, trains, ("a",)))
    assert [(run.train, run.segments) for run in solution.runs] == [("U", ("b2",)), ("T", ("b1",))]


def test_mine_income_decides_only_as_the_parameters_say() -> None:
    """Rich mine or rich city: revenue decides first, unless mine income is compared too; it breaks ties either way."""
    stops = (
        Stop("poor", "mine", "poor", 10),
        Stop("rich", "mine", "rich", 60),
        Stop("big", "city", "big", 30),
        Stop("small", "city", "small", 20),
    )
    segments = (Segment("pb", "poor", "big"), Segment("rs", "rich", "small"))
    problem = RouteProblem("X", stops, segments, (Train("1g", "goods", 1, "free"),), ("big", "small"))
    assert (solve(problem).revenue, solve(problem).treasury_income) == (30, 10)
    compared = msgspec.structs.replace(problem, parameters=Parameters(compare_treasury_income=True))
    assert (solve(compared).revenue, solve(compared).treasury_income, solve(compared).upper_bound) == (
        20,
        60,
        80,
    )
    equal = msgspec.structs.replace(problem, stops=(*stops[:3], Stop("small", "city", "small", 30)))
    assert (solve(equal).revenue, solve(equal).treasury_income) == (30, 60)


def test_a_locked_run_stays_and_the_others_go_around_it() -> None:
    """A locked run is part of the answer, and its track is not available to the other trains."""
    stops = tuple(Stop(name, "city", name, value) for name, value in (("a", 10), ("b", 50), ("c", 20)))
    segments = (Segment("ab", "a", "b"), Segment("ac", "a", "c"))
    trains = (Train("S", "normal", 2), Train("T", "normal", 2))
    problem = RouteProblem("X", stops, segments, trains, ("a",))
    lock = Options(locked_runs=(LockedRun("T", ("b", "a"), ("ab",)),))
    solution = solve(msgspec.structs.replace(problem, options=lock))
    assert [(run.train, run.segments) for run in solution.runs] == [("S", ("ac",)), ("T", ("ab",))]
    assert (solution.revenue, solution.proven) == (90, True)
    broken = Options(locked_runs=(LockedRun("T", ("b", "c"), ("ab",)),))
    with pytest.raises(ProblemError, match="does not join") as refused:
        solve(msgspec.structs.replace(problem, options=broken))
    assert (refused.value.field, refused.value.reason) == ("options.locked_runs", "route_not_connected")


LATE_TRAINS = {
    "5+6": (Train("5", "normal", 5), Train("6", "normal", 6)),
    "8+10": (Train("8", "normal", 8), Train("10", "normal", 10)),
    "4g+5g": (Train("4g", "goods", 4, "free"), Train("5g", "goods", 5, "free")),
    "6+5g": (Train("6", "normal", 6), Train("5g", "goods", 5, "free")),
}


@pytest.mark.parametrize("trains", LATE_TRAINS.values(), ids=LATE_TRAINS)
def test_late_game_positions_are_proven(trains: tuple[Train, ...]) -> None:
    """45 stops with nearly all track laid are proven within the default budget, and in any order alike."""
    for seed in range(3):
        problem = late_game_board(seed, trains)
        solution = solve(problem)
        assert solution.proven
        assert verify_solution(problem, solution) is None
        assert solve(shuffled(problem, seed)) == solution


@pytest.mark.parametrize(
    "trains", [*LATE_TRAINS.values(), (Train("D", "normal", 0), Train("E", "normal", 0))]
)
@pytest.mark.parametrize("node_budget", [1, 300, 5_000])
def test_a_spent_budget_gives_a_legal_answer_with_a_valid_bound(
    trains: tuple[Train, ...], node_budget: int
) -> None:
    """Cut short anywhere, the answer is legal, repeatable and below its bound, which is above the best found."""
    problem = late_game_board(1, trains)
    cut = msgspec.structs.replace(problem, options=Options(node_budget=node_budget))
    solution = solve(cut)
    assert verify_solution(cut, solution) is None
    assert solution.revenue > 0
    assert solve(cut) == solution
    longer = solve(msgspec.structs.replace(problem, options=Options(node_budget=400_000)))
    assert solution.upper_bound >= longer.revenue
    assert longer.upper_bound >= solution.revenue


def test_a_caller_who_stops_the_search_gets_what_was_found() -> None:
    """A search stopped from outside is not called proven and still gives legal runs under a bound."""
    problem = late_game_board(2, LATE_TRAINS["8+10"])
    answers = iter([False] * 3)
    solution = solve(problem, lambda: next(answers, True))
    assert not solution.proven
    assert 0 < solution.revenue <= solution.upper_bound
    assert verify_solution(problem, solution) is None


def test_a_train_without_limit_is_proven_on_a_small_board() -> None:
    """A diesel takes every stop it can and the answer is proven."""
    problem = late_game_board(3, (Train("D", "normal", 0),), segment_count=56)
    solution: RouteSolution = solve(problem)
    assert solution.proven
    assert maximised_value(solution, compare_treasury_income=False) == solution.upper_bound


def test_a_train_must_run_even_for_nothing() -> None:
    """Every train that has a route runs, also one that earns nothing."""
    stops = (Stop("a", "city", "a", 0), Stop("b", "city", "b", 0))
    problem = RouteProblem("X", stops, (Segment("ab", "a", "b"),), (Train("T", "normal", 2),), ("a",))
    assert [run.segments for run in solve(problem).runs] == [("ab",)]


def test_empty_problems_have_empty_proven_answers() -> None:
    """No trains, no stops or no tokens: no runs, proven."""
    trains = (Train("T", "normal", 2), Train("G", "goods", 1, "free"), Train("D", "normal", 0))
    for problem in (
        RouteProblem("X", (), (), (), ()),
        RouteProblem("X", (), (), trains, ()),
        RouteProblem("X", (Stop("a", "city", "a", 10),), (Segment("aa", "a", "a"),), trains, ("a",)),
    ):
        solution = solve(problem)
        assert (solution.runs, solution.proven, solution.upper_bound) == ((), True, 0)
