"""How many tables of which size."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from services.lobby.domain.tournaments.pairing.problem import (
    Entrant,
    OfferedTitle,
    PairingProblem,
    SizePolicy,
)
from services.lobby.domain.tournaments.pairing.sizes import allowed_sizes, choose_byes, table_sizes
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected


@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (3, {3: 1}),
        (5, {5: 1}),
        (6, {3: 2}),
        (7, {4: 1, 3: 1}),
        (10, {4: 1, 3: 2}),
        (23, {4: 5, 3: 1}),
        (24, {4: 6}),
        (25, {5: 1, 4: 5}),
        (41, {5: 1, 4: 9}),
        (98, {4: 23, 3: 2}),
        (1000, {4: 250}),
    ],
)
def test_tables_of_four_are_preferred(count: int, sizes: dict[int, int]) -> None:
    """As few players as possible sit at tables of three or five."""
    assert Counter(table_sizes(count, SizePolicy())) == sizes


@given(st.integers(3, 200), st.sets(st.integers(3, 6), min_size=1))
def test_as_many_as_possible_sit_at_tables_that_are_allowed(count: int, allowed: set[int]) -> None:
    """No table of another size, and one more player could not be seated."""
    policy = SizePolicy(4, tuple(allowed))
    if count < min(allowed):
        with pytest.raises(TournamentRejected):
            table_sizes(count, policy)
        return
    sizes = table_sizes(count, policy)
    assert set(sizes) <= allowed
    sums = {0}
    for total in range(1, count + 1):
        if any(total - size in sums for size in allowed):
            sums.add(total)
    assert sum(sizes) == max(sums)


def test_two_players_are_too_few() -> None:
    """They are rejected by reason."""
    with pytest.raises(TournamentRejected) as rejected:
        table_sizes(2, SizePolicy())
    assert rejected.value.reason is Reason.TOO_FEW_PLAYERS


def test_byes_go_round_from_the_bottom() -> None:
    """Of those with the fewest byes, who has the fewest points sits out."""
    entrants = tuple(Entrant(name, points) for name, points in (("ann", 0), ("bob", 1), ("cy", 2), ("di", 3)))
    problem = PairingProblem(entrants, seed=1, past_byes=("ann",))
    assert choose_byes(problem, 2) == ("bob", "cy")


def test_sizes_without_a_title_are_not_used() -> None:
    """A title for exactly four allows tables of four only."""
    problem = PairingProblem((), seed=1, titles=(OfferedTitle("1846", 4, 4),))
    assert allowed_sizes(problem).allowed == (4,)
