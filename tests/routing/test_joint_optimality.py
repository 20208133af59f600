"""The solver of one network against the slow truth."""

from __future__ import annotations

from itertools import islice

import pytest

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from tests.routing.joint_boards import TRAIN_MIXES, random_network
from tests.routing.joint_oracle import best_network_money, choice_count, rank

COMBINATIONS_MOST = 4_000
BOARDS = 40


def boards(mix: str, count: int, first: int = 0) -> list[tuple[int, RouteProblem]]:
    """Boards of a mix that the truth can be found for in time."""
    drawn = ((seed, random_network(seed, mix)) for seed in range(first, first + 100_000))
    return list(islice((each for each in drawn if choice_count(each[1]) <= COMBINATIONS_MOST), count))


@pytest.mark.parametrize("mix", TRAIN_MIXES)
def test_the_best_of_all_combinations_is_found_and_proven(mix: str) -> None:
    """Total and tie-break are those of the truth, the answer is proven and passes its check."""
    earning = 0
    for seed, problem in boards(mix, BOARDS):
        answer = solve(problem)
        assert verify_solution(problem, answer) is None, seed
        assert answer.proven, seed
        truth = best_network_money(problem)
        assert rank(problem, (answer.revenue, answer.treasury_income)) == rank(problem, truth), seed
        earning += answer.revenue > 0
    assert earning > BOARDS // 4
