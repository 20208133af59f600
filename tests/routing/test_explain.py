"""Why an answer is the best: bounds that fall to it, the best of each train alone, and the second best."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from services.routing.domain import choice
from services.routing.domain.canonical import problem_key, reordered_for
from services.routing.domain.problem import RouteProblem, Train
from services.routing.domain.solution import Explanation, RouteSolution, maximised_value
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.boards import SMALL_FAMILIES, random_trains, small_board
from tests.routing.joint_boards import TRAIN_MIXES, random_network
from tests.routing.joint_oracle import best_network_money
from tests.routing.oracle import Chain
from tests.routing.term_boards import MIXED, term_board
from tests.routing.term_oracle import best_term_money

BOARD_COUNT, DIESELS_COUNT = 120, 60
NETWORK_COUNT = 15
DIFFERENT_LEAST = 20
DIESELS = (Train("D", "normal", 0), Train("E", "normal", 0))
replace = msgspec.structs.replace


def explained(problem: RouteProblem) -> tuple[RouteSolution, Explanation]:
    """The answer with its explanation, verified; but for the explanation it is that of the problem without."""
    asked = replace(problem, options=replace(problem.options, explain=True))
    solution = solve(asked)
    assert verify_solution(asked, solution) is None
    assert solution.explanation is not None
    assert replace(solution, explanation=None) == solve(problem)
    return solution, solution.explanation


def value_of(problem: RouteProblem, revenue: int, income: int) -> int:
    """What is maximised."""
    return revenue + income if problem.parameters.compare_treasury_income else revenue


def best_without(problem: RouteProblem, train: Train, stops: tuple[str, ...]) -> int:
    """By plain search what the best runs are worth if no train like this one comes to just these stops."""

    def may_run(other: Train, chain: Chain) -> bool:
        alike = replace(other, id="") == replace(train, id="")
        return not alike or {stop.id for stop in chain.stops} != set(stops)

    return value_of(problem, *best_term_money(problem, may_run))


def small(family: str) -> Callable[[int], RouteProblem]:
    """Small boards of a family by seed."""
    if family == MIXED:
        return lambda seed: term_board(seed, MIXED)
    return lambda seed: small_board(seed, random_trains(seed, "mixed"))


@pytest.mark.parametrize("family", [MIXED, "plain"])
def test_second_best_and_trains_alone_equal_plain_search(family: str) -> None:
    """On random boards; where nothing else can run there is no second best."""
    losing = 0
    for seed in range(BOARD_COUNT):
        problem = small(family)(seed)
        solution, explanation = explained(problem)
        assert explanation.complete, seed
        for train, alone in zip(problem.trains, explanation.alone, strict=True):
            money = (0, 0) if alone.run is None else (alone.run.revenue, alone.run.treasury_income)
            assert (alone.train, alone.proven) == (train.id, True), seed
            assert money == best_term_money(replace(problem, trains=(train,))), seed
        trains = {train.id: train for train in problem.trains}
        value = maximised_value(solution, problem.parameters.compare_treasury_income)
        others = [best_without(problem, trains[run.train], run.stops) for run in solution.runs]
        second = explanation.second
        if second is None:
            assert max(others, default=0) == 0, seed
        else:
            assert value - second.loses == max(others), seed
            losing += second.loses > 0
    assert losing >= DIFFERENT_LEAST


@pytest.mark.parametrize("term", ["plain", "once", "ends", "counted token", "few runs"])
def test_second_best_of_several_diesels_equals_plain_search(
    monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    """Where programs find and prove the best, they find the second best too."""
    monkeypatch.setattr(choice, "FLOW_SEGMENTS_LEAST", 0)
    losing, by_flows = 0, 0
    for seed in range(DIESELS_COUNT):
        board = small_board(seed, DIESELS) if term == "plain" else term_board(seed, term)
        problem = replace(board, trains=DIESELS)
        solution, explanation = explained(problem)
        assert explanation.complete, seed
        value = maximised_value(solution, problem.parameters.compare_treasury_income)
        most = max((best_without(problem, DIESELS[0], run.stops) for run in solution.runs), default=0)
        assert most == (value - explanation.second.loses if explanation.second else 0), seed
        losing += explanation.second is not None and explanation.second.loses > 0
        by_flows += explanation.bounds[-1].by == "flows"
    assert losing >= DIFFERENT_LEAST
    assert by_flows >= DIFFERENT_LEAST


def test_bounds_fall_to_that_of_the_answer() -> None:
    """However the bound was reached, the last step is the answer's; each is at least the truth."""
    for family in SMALL_FAMILIES:
        for seed in range(DIFFERENT_LEAST):
            solution, explanation = explained(small_board(seed, random_trains(seed, family)))
            bounds = [step.bound for step in explanation.bounds]
            assert bounds == sorted(bounds, reverse=True)
            assert bounds[-1] == solution.upper_bound


@pytest.mark.parametrize("mix", TRAIN_MIXES)
def test_trains_of_a_network_alone(mix: str) -> None:
    """In one network each train is shown as if it were the only one; there is no second best."""
    for seed in range(NETWORK_COUNT):
        problem = random_network(seed, mix)
        _, explanation = explained(problem)
        assert explanation.second is None
        for train, alone in zip(problem.trains, explanation.alone, strict=True):
            money = (0, 0) if alone.run is None else (alone.run.revenue, alone.run.treasury_income)
            assert money == best_network_money(replace(problem, trains=(train,))), seed


def test_an_explanation_cut_short_says_so() -> None:
    """A search that ends early has no second best, and what it has is verified."""
    problem = term_board(3, MIXED)
    cut = replace(problem, options=replace(problem.options, node_budget=1, explain=True))
    solution = solve(cut)
    assert verify_solution(cut, solution) is None
    assert solution.explanation is not None
    assert not solution.explanation.complete


def test_wrong_explanations_are_found() -> None:
    """The verifier computes all sums of an explanation itself."""
    problem = next(
        each
        for each in map(small("plain"), range(BOARD_COUNT))
        if (found := explained(each)[1].second) is not None and found.loses and len(found.runs) > 1
    )
    asked = replace(problem, options=replace(problem.options, explain=True))
    solution, explanation = explained(problem)
    second, alone = explanation.second, explanation.alone
    assert second is not None
    run = next(each.run for each in alone if each.run is not None)
    richer = replace(run, revenue=run.revenue + 10)
    for wrong in (
        replace(explanation, second=replace(second, loses=second.loses + 10)),
        replace(explanation, second=replace(second, revenue=second.revenue + 10)),
        replace(explanation, second=replace(second, runs=second.runs * 2)),
        replace(explanation, bounds=()),
        replace(explanation, alone=tuple(replace(each, run=richer) for each in alone if each.run == run)),
    ):
        assert verify_solution(asked, replace(solution, explanation=wrong)) is not None


def test_an_explained_answer_is_kept_apart_and_in_the_order_of_the_trains() -> None:
    """It has a key of its own; for the same problem with its trains in another order its parts are in that order."""
    problem = small("plain")(4)
    asked = replace(problem, options=replace(problem.options, explain=True))
    assert problem_key(asked) != problem_key(problem)
    turned = replace(asked, trains=asked.trains[::-1])
    assert problem_key(turned) == problem_key(asked)
    assert reordered_for(turned, solve(asked)) == solve(turned)
