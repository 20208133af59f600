"""Preset groups, exactly as tabulated."""

from collections import Counter

import pytest

from services.lobby.domain.tournaments.formats import designs
from services.lobby.domain.tournaments.formats.designs import (
    Design,
    design_tables,
    draw_groups,
    group_tables,
    meetings_of,
)
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from services.lobby.presets.loading import DESIGNS

TABULATED = {
    (7, (1, 2, 4)): 1,
    (7, (0, 3, 5, 6)): 2,
    (13, (0, 1, 3, 9)): 1,
    (11, (1, 3, 9, 5, 4)): 2,
    (21, (3, 6, 7, 12, 14)): 1,
    (11, (0, 2, 7, 6, 10, 8)): 3,
    (31, (1, 5, 11, 24, 25, 27)): 1,
}


def test_all_tabulated_designs_are_there() -> None:
    """Players and the first table in seat order, and how often each pair meets; table i adds i to each number."""
    assert {(design.players, design.first): design.meetings for design in DESIGNS} == TABULATED
    for design in DESIGNS:
        players = [str(number) for number in range(design.players)]
        assert [tuple(map(int, table.seats)) for table in design_tables(design, players)] == [
            tuple((each + added) % design.players for each in design.first) for added in range(design.players)
        ]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: f"{design.players}x{len(design.first)}")
def test_each_pair_and_each_seat(design: Design) -> None:
    """Every pair meets exactly as often as tabulated, every player sits exactly once in every seat."""
    players = [f"p{number}" for number in range(design.players)]
    tables = design_tables(design, players)
    meetings = meetings_of(tables)
    assert len(meetings) == design.players * (design.players - 1) // 2
    assert set(meetings.values()) == {design.meetings}
    seats = Counter((player, seat) for table in tables for seat, player in enumerate(table.seats))
    assert seats == Counter({(player, seat): 1 for player in players for seat in range(len(design.first))})


def test_a_design_for_others_is_rejected() -> None:
    """Eight players do not fit a design for seven."""
    with pytest.raises(TournamentRejected) as rejected:
        design_tables(DESIGNS[0], [str(number) for number in range(8)])
    assert rejected.value.reason is Reason.DESIGN_UNKNOWN


def test_a_group_without_a_design_is_searched_over_all_rounds() -> None:
    """Sixteen players, three rounds of four tables: nobody meets twice."""
    players = [f"p{number}" for number in range(16)]
    tables = group_tables(players, 4, 3, DESIGNS, seed=1)
    assert set(meetings_of(tables).values()) == {1}
    assert len(meetings_of(tables)) == 3 * 4 * 6
    assert Counter(table.round for table in tables) == {1: 4, 2: 4, 3: 4}


def test_the_draw_decides_the_numbers() -> None:
    """The same seed gives the same group in whatever order players are given."""
    players = [f"p{number}" for number in range(7)]
    assert group_tables(players, 4, 0, DESIGNS, 5) == group_tables(players[::-1], 4, 0, DESIGNS, 5)
    assert group_tables(players, 4, 0, DESIGNS, 5) != group_tables(players, 4, 0, DESIGNS, 6)


def test_groups_are_equally_strong() -> None:
    """Ranks run forwards and backwards; who is left over waits."""
    ranks = [str(rank) for rank in range(1, 16)]
    assert draw_groups(ranks, 7) == (
        ("1", "4", "5", "8", "9", "12", "13"),
        ("2", "3", "6", "7", "10", "11", "14"),
    )


@pytest.mark.parametrize(
    ("players", "size", "rounds", "most"),
    [(8, 4, 5, 3), (9, 3, 6, 2), (10, 4, 4, 2), (16, 4, 5, 1), (9, 3, 4, 1)],
)
def test_repeats_of_a_searched_group_are_shared(players: int, size: int, rounds: int, most: int) -> None:
    """No pair meets in all rounds while others meet once or never."""
    names = [f"p{number}" for number in range(players)]
    tables = group_tables(names, size, rounds, (), seed=7)
    assert max(meetings_of(tables).values()) == most
    assert Counter(each.round for each in tables) == dict.fromkeys(
        range(1, rounds + 1), len(tables) // rounds
    )
    for number in range(1, rounds + 1):
        assert sorted(player for each in tables if each.round == number for player in each.seats) == sorted(
            names
        )
    odd = Counter(player for each in tables if len(each.seats) != size for player in each.seats)
    assert max(odd[name] for name in names) - min(odd[name] for name in names) <= 1


def test_a_group_that_an_older_version_began_goes_on_as_it_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rounds were not evened out; what was played shows which plan it is."""
    names = [f"p{number}" for number in range(8)]
    new = group_tables(names, 4, 5, (), seed=7)
    monkeypatch.setattr(designs, "evened", lambda rounds, size: rounds)
    old = group_tables(names, 4, 5, (), seed=7)
    monkeypatch.undo()
    assert old != new
    for plan in (old, new):
        played = {(each.round, frozenset(each.seats)) for each in plan if each.round <= 4}
        assert group_tables(names, 4, 5, (), 7, played) == plan
