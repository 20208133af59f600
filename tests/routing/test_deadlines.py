"""Searches end at their deadline, whatever the problem, with an answer that stands: none works long without a look."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from services.routing.domain import finder, narrow, network, packer
from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.joint import choosing, hauls, improving, offers, plans, pool, visits
from services.routing.domain.network import Numbers
from services.routing.domain.problem import NETWORK_TRAIN_COUNT_MAX, Family, RouteProblem, Train
from services.routing.domain.solution import RouteSolution, maximised_value
from services.routing.domain.solver import solve, warm_up
from services.routing.domain.verify import verify_solution
from tests.routing.joint_boards import TRAIN_MIXES, random_meeting, random_network
from tests.routing.term_boards import MIXED, term_board
from tests.routing.wide_boards import SHAPES, wide_board

FAMILIES: tuple[Family, ...] = ("separate_track", "one_network", "direct_routes")
BOARDS, BOARDS_CUT_SMALL = range(3), range(40)
# Seconds of one core: what a search is granted, and by how much it may be late on a board of any kind.
GRANTED, LATE_MOST, TRIES_MOST = 0.1, 0.15, 3


def solved_late(problem: RouteProblem) -> tuple[RouteSolution, float]:
    """The answer of a search that is granted so long, and how late it is, in seconds of one core."""
    end = time.thread_time() + GRANTED
    answer = solve(problem, lambda: time.thread_time() >= end)
    return answer, time.thread_time() - end


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_deadline_is_kept_on_wide_boards(family: Family, shape: str) -> None:
    """With runs that are legal, and a bound that is not below them."""
    warm_up()
    for seed in BOARDS:
        problem, late = wide_board(seed, family, shape), LATE_MOST + 1
        for _ in range(TRIES_MOST):
            answer, seconds = solved_late(problem)
            late = min(late, seconds)
            if late <= LATE_MOST:
                break
        assert late <= LATE_MOST, seed
        assert verify_solution(problem, answer) is None, seed
        value = maximised_value(answer, problem.parameters.compare_treasury_income)
        assert family == "direct_routes" or value <= answer.upper_bound, seed


class Looks:
    """Counts the looks of a budget that never ends."""

    def __init__(self) -> None:
        self.count = 0
        self.budget = Budget(1 << 60, self._look)

    def _look(self) -> bool:
        self.count += 1
        return False


def test_packings_that_are_looked_through_step_by_step_are_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the look ahead over many candidates that are not free is continued."""
    draw = random.Random(4)
    for _ in range(100):
        catalogues = [_catalogue(draw, draw.randint(1, 30)) for _ in range(3)]
        monkeypatch.setattr(packer, "STEPS_AT_ONCE", 250_000)
        whole = packer.best_packing(catalogues, 0, 0, Looks().budget)
        monkeypatch.setattr(packer, "STEPS_AT_ONCE", 1)
        looks = Looks()
        assert packer.best_packing(catalogues, 0, 0, looks.budget) == whole
        assert looks.count > sum(len(each.score) > 1 for each in catalogues)


def _catalogue(draw: random.Random, count: int) -> finder.Catalogue:
    """So many routes, each with four of twelve pieces of track."""
    worth = np.sort(np.array([draw.randrange(10, 100) for _ in range(count)], np.int64))[::-1].copy()
    track = np.array([[sum(1 << bit for bit in draw.sample(range(12), 4))] for _ in range(count)], np.uint64)
    nothing: Numbers = np.zeros(count, np.int64)
    return finder.Catalogue(worth, worth, track, nothing, nothing, nothing, nothing)


@pytest.mark.parametrize("joins", [True, False])
@pytest.mark.parametrize("rule", ["one_route", "ends_meet"])
def test_too_many_ways_of_joining_are_given_up_before_they_are_listed(joins: bool, rule: str) -> None:
    """Sixteen million sets of trains that must join, and more partitions of those that need not."""
    trains = [
        Train(f"T{number}", "freight", 1 + number, joins=joins) for number in range(NETWORK_TRAIN_COUNT_MAX)
    ]
    looks = Looks()
    with pytest.raises(BudgetSpent):
        plans.plans_of(trains, "one_route" if rule == "one_route" else "ends_meet", looks.budget)
    assert looks.count <= plans.PLANS_MOST


def test_ways_of_joining_are_listed_with_looks_at_the_clock() -> None:
    """At every so many of them, also where a single partition has thousands."""
    trains = [Train(f"T{number}", "freight", 1 + number, joins=number > 0) for number in range(13)]
    looks = Looks()
    found = plans.plans_of(trains, "one_route", looks.budget)
    assert len(found) > 2 * plans.PLANS_PER_LOOK
    assert looks.count >= len(found) // plans.PLANS_PER_LOOK


def _of_term(seed: int) -> RouteProblem:
    return term_board(seed, MIXED)


def _of_mix(seed: int) -> RouteProblem:
    return random_network(seed, TRAIN_MIXES[seed % len(TRAIN_MIXES)])


@pytest.mark.parametrize("board", [_of_term, _of_mix, random_meeting])
def test_work_in_the_smallest_parts_comes_to_the_same(
    monkeypatch: pytest.MonkeyPatch, board: Callable[[int], RouteProblem]
) -> None:
    """Tables of bounds, choices of what to count, comparisons and checks that are continued at every look."""
    whole = [solve(board(seed)) for seed in BOARDS_CUT_SMALL]
    for module, name in (
        (finder, "READ_AT_ONCE"),
        (choosing, "WORK_AT_ONCE"),
        (improving, "WORK_AT_ONCE"),
        (pool, "WORK_AT_ONCE"),
        (offers, "CHOICES_PER_LOOK"),
        (offers, "COMPARED_PER_LOOK"),
        (offers, "COUNTED_PER_LOOK"),
        (finder, "WORDS_AT_ONCE"),
        (narrow, "COMPARED_PER_LOOK"),
        (network, "ENTRIES_PER_LOOK"),
        (packer, "STEPS_AT_ONCE"),
        (visits, "STEPS_AT_ONCE"),
        (hauls, "STEPS_AT_ONCE"),
    ):
        monkeypatch.setattr(module, name, 1)
    monkeypatch.setattr(offers, "SORTED_AT_ONCE", 0)
    for seed, answer in zip(BOARDS_CUT_SMALL, whole, strict=True):
        again = solve(board(seed))
        assert again.proven, seed
        assert replace(again, nodes_explored=0) == replace(answer, nodes_explored=0), seed
