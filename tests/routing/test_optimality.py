"""The solver against plain search on small boards of every family: the total, the bound, locked runs, early ends.

`make test` takes 500 boards of each family, `make soak` SIGNALBOX_BOARDS (20,000 by default) over all families.
"""

from __future__ import annotations

import os
import random
from itertools import islice, pairwise

import msgspec
import pytest

from services.routing.domain.problem import LockedRun, Options, RouteProblem, Train
from services.routing.domain.solution import RouteSolution, maximised_value
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.boards import SMALL_FAMILIES, SmallFamily, random_trains, small_board
from tests.routing.oracle import best_money, chains_of, earnings

BOARD_COUNT = 500
CHUNK_COUNT = 10
SOAK_BOARD_COUNT = int(os.environ.get("SIGNALBOX_BOARDS", "20000")) // len(SMALL_FAMILIES)
FIRST_SOAK_SEED = 1_000_000


def check_answer(problem: RouteProblem, solution: RouteSolution, seed: int) -> None:
    """The answer is legal, proven and exactly as rich as the oracle's."""
    assert verify_solution(problem, solution) is None, seed
    assert solution.proven, seed
    assert (solution.revenue, solution.treasury_income) == best_money(problem), seed


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_equals_plain_search_on_small_boards(family: SmallFamily) -> None:
    """On random boards the answer is proven, legal and as rich as the best of all combinations of all routes."""
    earning = 0
    for seed in range(BOARD_COUNT):
        problem = small_board(seed, random_trains(seed, family))
        solution = solve(problem)
        check_answer(problem, solution, seed)
        earning += solution.revenue > 0
    assert earning > BOARD_COUNT // 4


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNK_COUNT))
@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_equals_plain_search_on_many_boards(family: SmallFamily, chunk: int) -> None:
    """The same on as many boards as time allows."""
    for seed in range(FIRST_SOAK_SEED + chunk, FIRST_SOAK_SEED + SOAK_BOARD_COUNT, CHUNK_COUNT):
        problem = small_board(seed, random_trains(seed, family))
        check_answer(problem, solve(problem), seed)


def with_locked_run(problem: RouteProblem, seed: int) -> RouteProblem | None:
    """The problem with one train locked to some legal run, None where its trains have none."""
    draw = random.Random(seed)
    train = draw.choice(problem.trains)
    legal = [chain for chain in chains_of(problem) if earnings(problem, train, chain) is not None]
    if not legal:
        return None
    chain = draw.choice(legal)
    locked = LockedRun(
        train.id, tuple(stop.id for stop in chain.stops), tuple(segment.id for segment in chain.segments)
    )
    return msgspec.structs.replace(problem, options=Options(locked_runs=(locked,)))


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_the_rest_is_solved_around_a_locked_run(family: SmallFamily) -> None:
    """With one run settled the total is the best of all combinations that hold that run."""
    problems = (
        (seed, with_locked_run(small_board(seed, random_trains(seed, family)), seed)) for seed in range(1_000)
    )
    for seed, problem in islice((each for each in problems if each[1] is not None), 60):
        assert problem is not None
        check_answer(problem, solve(problem), seed)


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_a_search_cut_short_stays_below_the_truth_and_its_bound_above(family: SmallFamily) -> None:
    """However early the budget ends, the runs are legal, the truth lies between them and the bound, and proof is true."""
    for seed in range(120):
        options = Options(node_budget=random.Random(seed).choice((1, 2, 5, 20, 100)))
        problem = msgspec.structs.replace(small_board(seed, random_trains(seed, family)), options=options)
        check_early_answer(problem, solve(problem), best_value(problem), seed)


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_every_answer_on_the_way_is_legal_and_better(family: SmallFamily) -> None:
    """Answers reported on the way are legal, enclose the truth, and each is richer or under a lower bound than the last."""
    for seed in range(120):
        problem = small_board(seed, random_trains(seed, family))
        reported: list[RouteSolution] = []
        reported.append(solve(problem, on_better=reported.append))
        truth = best_value(problem)
        for answer in reported:
            check_early_answer(problem, answer, truth, seed)
        for before, after in pairwise(reported):
            assert value_of(problem, after) >= value_of(problem, before), seed
            assert after.upper_bound <= before.upper_bound, seed


def check_early_answer(problem: RouteProblem, answer: RouteSolution, truth: int, seed: int) -> None:
    """The answer is legal and the best value lies between it and its bound."""
    assert verify_solution(problem, answer) is None, seed
    assert value_of(problem, answer) <= truth <= answer.upper_bound, seed
    assert not answer.proven or value_of(problem, answer) == truth, seed


def best_value(problem: RouteProblem) -> int:
    """The oracle's best, in the unit that is maximised."""
    revenue, income = best_money(problem)
    return revenue + (income if problem.parameters.compare_treasury_income else 0)


def value_of(problem: RouteProblem, answer: RouteSolution) -> int:
    """What an answer reaches, in the unit that is maximised."""
    return maximised_value(answer, problem.parameters.compare_treasury_income)


def test_trains_of_one_sort_and_trains_of_all_sorts_are_drawn() -> None:
    """The mixed family puts goods and normal trains with every town rule, measure and tariff on its boards."""
    trains: list[Train] = [train for seed in range(200) for train in random_trains(seed, "mixed")]
    sorts = {(train.kind, train.towns, train.measure) for train in trains}
    kinds, towns = ("normal", "goods"), ("stop", "skip", "free")
    assert {(kind, rule, "stops") for kind in kinds for rule in towns} <= sorts
    assert {(kind, rule, "hexes") for kind in kinds for rule in ("stop", "free")} <= sorts
    assert any(train.counts for train in trains)
    assert any(train.tariff for train in trains)
