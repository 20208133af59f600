"""Rounds of up to 16 players are paired as cheaply as is possible."""

import pytest

from services.lobby.domain.tournaments.pairing.pair import pair_round
from services.lobby.domain.tournaments.pairing.problem import PairingProblem
from services.lobby.domain.tournaments.pairing.sizes import allowed_sizes, table_sizes
from services.lobby.domain.tournaments.rejections import TournamentRejected
from tests.lobby.pairing.exact_pairing import TERMS, least_cost, least_seat_cost, table_terms
from tests.lobby.pairing.problems import random_problem, small_problem


@pytest.mark.parametrize("count", [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
def test_up_to_16_players_are_paired_at_the_least_cost(count: int) -> None:
    """HiGHS, from costs of its own, finds no cheaper tables."""
    check_least(random_problem(count, seed=count))


@pytest.mark.parametrize("seed", range(24))
def test_small_rounds_of_every_kind_are_paired_at_the_least_cost(seed: int) -> None:
    """With and without points, preferences, hours, ratings and forbidden pairs; where every arrangement has a table that is not
    allowed, none is proposed."""
    check_least(small_problem(seed))


def check_least(problem: PairingProblem) -> None:
    """The oracle finds nothing cheaper, and at no table better seats."""
    sizes = table_sizes(len(problem.entrants), allowed_sizes(problem))
    least = least_cost(problem, sizes)
    if least[0]:
        with pytest.raises(TournamentRejected, match="no arrangement"):
            pair_round(problem)
        return
    proposal = pair_round(problem)
    assert sorted(len(table.seats) for table in proposal.tables) == sorted(sizes)
    terms = [table_terms(problem, table.seats) for table in proposal.tables]
    found = tuple(map(sum, zip(*terms, strict=True)))
    assert found == least
    assert found == tuple(getattr(proposal.cost, term) for term in TERMS)
    assert [table.cost.seats for table in proposal.tables] == [
        least_seat_cost(problem, table.seats) for table in proposal.tables
    ]
