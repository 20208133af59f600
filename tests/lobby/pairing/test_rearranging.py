"""Tables that a format gives, changed until nobody sits with whom they must not meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from services.lobby.domain.tournaments.formats.seeding import seeded_tables
from services.lobby.domain.tournaments.pairing import rearranging
from services.lobby.domain.tournaments.pairing.problem import Entrant, PairingProblem, SizePolicy
from services.lobby.domain.tournaments.pairing.rearranging import rearranged_groups, rearranged_tables

SEEDS = tuple(str(rank) for rank in range(1, 17))
SEEDED = seeded_tables(SEEDS, SizePolicy())


def problem_of(players: Sequence[str], *forbidden: tuple[str, str]) -> PairingProblem:
    """A round of these players, best first."""
    return PairingProblem(tuple(map(Entrant, players)), seed=1, forbidden=forbidden)


def is_allowed(problem: PairingProblem, tables: Sequence[Sequence[str]]) -> bool:
    """Whether no table has a forbidden pair, and each shares enough hours."""
    hours = {each.player: set(each.hours) for each in problem.entrants}
    return all(
        not any(set(pair) <= set(table) for pair in problem.forbidden)
        and len(set.intersection(*(hours[player] for player in table))) >= problem.hours_min
        for table in tables
    )


def test_allowed_tables_stay_as_they_are() -> None:
    """Nobody is moved without need."""
    assert rearranged_tables(problem_of(SEEDS, ("1", "2")), SEEDED).tables == SEEDED
    assert rearranged_tables(problem_of(()), ()).tables == ()


def test_the_weaker_seed_changes_places_with_an_equal_one() -> None:
    """12 leaves the table of 5 for that of 3, and 11 comes."""
    found = rearranged_tables(problem_of(SEEDS, ("5", "12")), SEEDED)
    assert found.tables == (*SEEDED[:2], ("3", "6", "12", "14"), ("4", "5", "11", "13"))


def test_anybody_sits_anywhere_where_equal_seeds_cannot() -> None:
    """4 sits with nobody of the third row: a table has two of the fourth."""
    forbidden = [("4", other) for other in ("9", "10", "11", "12")]
    problem = problem_of(SEEDS, *forbidden)
    found = rearranged_tables(problem, SEEDED)
    assert found.tables is not None
    assert is_allowed(problem, found.tables)
    assert sorted(map(len, found.tables)) == [4, 4, 4, 4]
    assert found == rearranged_tables(problem, SEEDED)


@pytest.mark.parametrize("seed", range(20))
def test_tables_are_found_wherever_there_are_any(seed: int) -> None:
    """As trying all arrangements of eight or nine players shows."""
    random = Random(seed)
    players = SEEDS[: random.choice((8, 9))]
    tables = seeded_tables(players, SizePolicy(random.choice((3, 4)), (3, 4, 5)))
    pairs = list(combinations(players, 2))
    hours_min = random.choice((0, 1))
    entrants = [Entrant(each, hours=tuple(random.sample(range(4), 3))) for each in players]
    problem = PairingProblem(
        tuple(entrants),
        seed=1,
        forbidden=tuple(random.sample(pairs, random.randrange(4, 16))),
        hours_min=hours_min,
    )
    found = rearranged_tables(problem, tables)
    assert found.has_tried_all
    if found.tables is not None:
        assert is_allowed(problem, found.tables)
        assert [len(table) for table in found.tables] == [len(table) for table in tables]
        assert sorted(player for table in found.tables for player in table) == sorted(players)
        return
    assert not any(
        is_allowed(problem, each) for each in arrangements(players, [len(table) for table in tables])
    )


def arrangements(players: Sequence[str], sizes: Sequence[int]) -> Iterator[list[Sequence[str]]]:
    """All ways to seat the players at tables of these sizes."""
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        others = [each for each in players if each not in table]
        yield from ([table, *rest] for rest in arrangements(others, sizes[1:]))


def test_a_search_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is not known whether there are other tables."""
    monkeypatch.setattr(rearranging, "STEPS_MAX", 20)
    found = rearranged_tables(problem_of(SEEDS, *combinations(SEEDS[:5], 2)), SEEDED)
    assert (found.tables, found.has_tried_all) == (None, False)


def test_groups_need_hours_for_each_pair_alone() -> None:
    """All three share no hour, each two of them do: one group, but not one table."""
    entrants = tuple(
        Entrant(name, hours=hours) for name, hours in (("a", (1, 2)), ("b", (2, 3)), ("c", (3, 1)))
    )
    problem = PairingProblem(entrants, seed=1, hours_min=1)
    assert rearranged_groups(problem, [("a", "b", "c")]).tables == (("a", "b", "c"),)
    assert rearranged_tables(problem, [("a", "b", "c")]).tables is None


def test_the_largest_event_is_searched_within_the_bound() -> None:
    """5,000 players, each with a forbidden pair at the table."""
    players = [f"p{number:04}" for number in range(5000)]
    tables = seeded_tables(players, SizePolicy())
    problem = problem_of(players, *((table[1], table[2]) for table in tables[:1000]))
    found = rearranged_tables(problem, tables)
    assert found.tables is not None
    assert is_allowed_of_many(problem, found.tables)


def is_allowed_of_many(problem: PairingProblem, tables: Sequence[Sequence[str]]) -> bool:
    """The same without hours, for many tables."""
    at = {player: number for number, table in enumerate(tables) for player in table}
    return all(at[first] != at[second] for first, second in problem.forbidden)
