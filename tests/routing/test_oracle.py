"""The oracle and the verifier were written apart from each other; on every chain of every small board they agree."""

from __future__ import annotations

import pytest

from services.routing.domain.problem import RouteProblem, Train
from services.routing.domain.solution import Run
from services.routing.domain.verify import evaluate_run
from tests.routing.boards import SMALL_FAMILIES, SmallFamily, random_trains, small_board
from tests.routing.oracle import Chain, Money, chains_of, earnings

BOARD_COUNT = 40


def money_of_verifier(problem: RouteProblem, train: Train, chain: Chain) -> Money | None:
    """What the verifier says that `train` earns on `chain`, None where it refuses the run."""
    stops = tuple(stop.id for stop in chain.stops)
    run = evaluate_run(problem, train.id, stops, tuple(segment.id for segment in chain.segments))
    return (run.revenue, run.treasury_income) if isinstance(run, Run) else None


@pytest.mark.parametrize("family", SMALL_FAMILIES)
def test_oracle_and_verifier_agree_on_every_chain(family: SmallFamily) -> None:
    """Every chain of track, legal or not, is allowed or refused by both and is worth the same to both."""
    legal = refused = 0
    for seed in range(BOARD_COUNT):
        problem = small_board(seed, random_trains(seed, family))
        for chain in chains_of(problem):
            for train in problem.trains:
                money = earnings(problem, train, chain)
                assert money_of_verifier(problem, train, chain) == money, (seed, train, chain)
                legal += money is not None
                refused += money is None
    assert min(legal, refused) > 500
