"""Bonuses, requirements and the trains that other titles have: the solver against plain search and another program."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from services.routing.domain.canonical import problem_key
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.peer_boards import peer_boards
from tests.routing.term_boards import MIXED, TERMS, term_board
from tests.routing.term_oracle import best_term_money

BOARD_COUNT = 500
ORDERED_COUNT = 60
DIFFERENT_LEAST = 10
replace = msgspec.structs.replace


def without(term: str, problem: RouteProblem) -> RouteProblem:
    """The problem without what the term adds, as far as it can be left out."""
    plain = replace(problem.parameters, bonuses=(), requirements=(), places_once="run")
    segments = tuple(replace(segment, revenue=0) for segment in problem.segments)
    trains = tuple(
        replace(train, factor=1, only_tokens=False, town_reach=0, towns="stop")
        if term in ("own tokens", "extra towns", "skipped towns")
        else train
        for train in problem.trains
    )
    return replace(problem, parameters=plain, segments=segments, trains=trains)


@pytest.mark.parametrize("term", [*TERMS, MIXED])
def test_equals_plain_search_with_each_term(term: str) -> None:
    """On random boards the answer is proven, legal and as rich as the best of all ways to count all sets of runs."""
    different = 0
    for seed in range(BOARD_COUNT):
        problem = term_board(seed, term)
        solution = solve(problem)
        assert verify_solution(problem, solution) is None, seed
        assert solution.proven, seed
        money = (solution.revenue, solution.treasury_income)
        assert money == best_term_money(problem), seed
        if different < DIFFERENT_LEAST:
            plain = solve(without(term, problem))
            different += money != (plain.revenue, plain.treasury_income)
    assert different == DIFFERENT_LEAST


def test_a_search_cut_short_with_bonuses_keeps_its_bound() -> None:
    """However early the budget ends, the runs are legal and the truth lies between them and the bound."""
    for seed in range(ORDERED_COUNT):
        whole = term_board(seed, MIXED)
        budget = random.Random(seed).choice((1, 3, 10, 40, 200))
        problem = replace(whole, options=replace(whole.options, node_budget=budget))
        answer, truth = solve(problem), solve(whole)
        assert verify_solution(problem, answer) is None, seed
        income = problem.parameters.compare_treasury_income
        value, most = (each.revenue + (each.treasury_income if income else 0) for each in (answer, truth))
        assert value <= most <= answer.upper_bound, seed
        assert not answer.proven or value == most, seed


def test_the_order_of_bonuses_means_nothing() -> None:
    """Bonuses, requirements, groups and their stops in another order: the same key and the same answer."""
    for seed in range(ORDERED_COUNT):
        problem = term_board(seed, MIXED)
        parameters = problem.parameters
        bonuses = tuple(
            replace(bonus, groups=tuple(dict(reversed(group.items())) for group in bonus.groups[::-1]))
            for bonus in parameters.bonuses[::-1]
        )
        requirements = tuple(replace(each, stops=each.stops[::-1]) for each in parameters.requirements[::-1])
        turned = replace(problem, parameters=replace(parameters, bonuses=bonuses, requirements=requirements))
        assert problem_key(turned) == problem_key(problem), seed
        assert solve(turned) == solve(problem), seed


def test_boards_of_another_program_with_their_bonuses(shared: Path) -> None:
    """Every board of 1846 and 1889 is proven at the value that the other program proves."""
    boards = peer_boards(shared / "fixtures" / "routes18xx")
    assert boards
    for board, problem in boards:
        solution = solve(problem)
        assert verify_solution(problem, solution) is None, board.file
        assert (solution.revenue, solution.proven) == (board.peer_value, True), board.file
