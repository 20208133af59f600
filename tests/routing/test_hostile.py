"""Problems at the limits of the format: the work between two looks at the clock is counted, so that no clock matters."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from services.routing.adapters.search import Search
from services.routing.domain.problem import Family
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve, warm_up
from services.routing.domain.validation import validate_problem
from services.routing.domain.verify import verify_solution
from services.routing.ports import SHARE_RESERVED
from tests.routing.hostile_boards import FAMILIES, SHAPES, hostile_board

# Calls and returns of functions of Python and C between two looks: a few milliseconds. From the end of the search to its answer,
# checked, by the names of resources, the track and the stops of the problem.
CALLS_MOST, CALLS_PER_PART = 100_000, 12
LOOKS = 60
SEEDS, SOAK_SEEDS = range(1), range(1, 60)


class Calls:
    """Counts calls and returns between looks, in a search that is to end after so many."""

    def __init__(self, looks: int) -> None:
        self._left = looks
        self.since = 0
        self.most = 0

    def count(self, _frame: FrameType, _event: str, _argument: object) -> None:
        """As `sys.setprofile` wants it."""
        self.since += 1

    def look(self) -> bool:
        """Whether the search is to end."""
        self.most, self.since = max(self.most, self.since), 0
        self._left -= 1
        return self._left < 0


@pytest.mark.parametrize(
    "seed", [*SEEDS, *(pytest.param(seed, marks=pytest.mark.soak) for seed in SOAK_SEEDS)]
)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("family", FAMILIES)
def test_little_is_done_between_two_looks_at_the_limits_of_the_format(
    family: Family, shape: str, seed: int
) -> None:
    """And what is found by then is legal, with a bound."""
    warm_up()
    problem = hostile_board(seed, family, shape)
    validate_problem(problem)
    calls = Calls(LOOKS)
    sys.setprofile(calls.count)
    try:
        answer = solve(problem, calls.look)
    finally:
        sys.setprofile(None)
    assert calls.most <= CALLS_MOST
    assert verify_solution(problem, answer) is None


class Clock:
    """A clock that goes on by a second at each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def read(self) -> float:
        """The time."""
        self.now += 1.0
        return self.now


def test_a_search_ends_before_its_deadline_by_what_its_answer_takes() -> None:
    """The longer the problem took to read, the earlier."""
    looks = 0

    def count() -> bool:
        nonlocal looks
        looks += 1
        return False

    def report(_answer: RouteSolution) -> None:
        """Nobody waits for it."""

    granted, clock = 20.0, Clock()
    answer = Search(
        hostile_board(0, "separate_track", "all joined"), granted, count, report, clock.read
    ).run()
    assert not answer.proven
    assert granted * (1 - SHARE_RESERVED) - 3 <= looks < granted - 2
