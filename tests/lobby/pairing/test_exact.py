"""Rounds of up to 16 players are paired as cheaply as is possible."""

import pytest

from services.lobby.domain.tournaments.pairing.pair import pair_round
from services.lobby.domain.tournaments.pairing.sizes import allowed_sizes, table_sizes
from tests.lobby.pairing.exact_pairing import TERMS, least_cost, table_terms
from tests.lobby.pairing.problems import random_problem


@pytest.mark.parametrize("count", [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
def test_up_to_16_players_are_paired_at_the_least_cost(count: int) -> None:
    """HiGHS, from costs of its own, finds no cheaper tables."""
    problem = random_problem(count, seed=count)
    proposal = pair_round(problem)
    assert sorted(len(table.seats) for table in proposal.tables) == sorted(
        table_sizes(count, allowed_sizes(problem))
    )
    terms = [table_terms(problem, table.seats) for table in proposal.tables]
    found = tuple(map(sum, zip(*terms, strict=True)))
    assert found == least_cost(problem, [len(table.seats) for table in proposal.tables])
    assert found == tuple(getattr(proposal.cost, term) for term in TERMS)
