"""The scoring systems, with the published examples."""

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.lobby.domain.tournaments.scoring.performances import performances_of
from services.lobby.domain.tournaments.scoring.policy import ScoringPolicy
from services.lobby.domain.tournaments.scoring.results import UNIT, SeatResult, TableResult, placings
from services.lobby.domain.tournaments.scoring.systems import Duplicate, Margin, Modifiers, table_points
from services.lobby.presets.loading import SYSTEMS


def table(*worths: int, name: str = "t") -> TableResult:
    """A table with these worths in seat order."""
    return TableResult(
        name, 1, "1824", tuple(SeatResult(f"p{seat}", worth) for seat, worth in enumerate(worths))
    )


def points(system: str, *worths: int, modifiers: Modifiers = Modifiers()) -> list[float]:  # noqa: B008
    """The points of each seat, not in millionths."""
    return [each / UNIT for each in table_points(table(*worths), SYSTEMS[system], modifiers)]


@pytest.mark.parametrize(
    ("system", "worths", "expected"),
    [
        ("place", (4000, 3000, 2000, 1000), [5, 3, 2, 1]),
        ("place", (1000, 3000, 2000), [1, 5, 2.5]),
        ("place", (5, 4, 3, 2, 1), [5, 3.5, 2.5, 1.5, 1]),
        ("place", (6, 5, 4, 3, 2, 1), [5, 3.8, 2.8, 2.2, 1.6, 1]),
        ("place", (4000, 4000, 2000, 1000), [4, 4, 2, 1]),
        ("place", (4000, 3000, 3000, 3000), [5, 2, 2, 2]),
        ("place", (7, 7, 7), [2.833333, 2.833333, 2.833333]),
        ("steep", (4, 3, 2, 1), [10, 6, 3, 1]),
        ("steep", (3, 2, 1), [10, 4.5, 1]),
        ("lexical", (4, 3, 2, 1), [1000, 100, 10, 1]),
        ("lexical", (3, 2, 1), [1000, 100, 10]),
        ("lexical", (5, 4, 3, 2, 1), [1000, 100, 10, 1, 0]),
        ("share", (6000, 3000, 1000), [0.6, 0.3, 0.1]),
        ("share", (0, 0, 0), [0.333333] * 3),
        ("share", (3000, -500, 1000), [0.75, 0, 0.25]),
        ("percent", (6000, 3000, 1000), [1, 0.5, 0.166666]),
        ("percent", (0, 0, 0), [1, 1, 1]),
        ("margin", (5000, 4000, 1000), [1.2, 0.8, 0.2]),
        ("margin", (5000, 1000, 1000), [1.5, 0.2, 0.2]),
        ("margin", (5000, 5000, 1000), [1, 1, 0.2]),
        ("wins", (5000, 4000, 1000), [1, 0, 0]),
        ("wins", (5000, 5000, 1000), [0.5, 0.5, 0]),
    ],
)
def test_points_of_each_system(system: str, worths: tuple[int, ...], expected: list[float]) -> None:
    """As published; the sizes that nobody published follow from the list for four."""
    assert points(system, *worths) == expected


def test_a_virtual_fourth_player_has_the_mean_worth() -> None:
    """A table of three counts as one of four: 3000 lies above the mean 2000, which is tied with the second."""
    fourth = Modifiers(virtual_fourth=True)
    assert points("place", 3000, 2000, 1000, modifiers=fourth) == [5, 2.5, 1]
    assert points("place", 4000, 3000, 500, modifiers=fourth) == [5, 3, 1]
    assert points("share", 3000, 2000, 1000, modifiers=fourth) == [0.375, 0.25, 0.125]
    assert points("place", 4, 3, 2, 1, modifiers=fourth) == [5, 3, 2, 1]


def test_bankrupt_players_are_last_in_the_order_of_their_bankruptcies() -> None:
    """The first to go bankrupt is last, whatever each is worth."""
    seats = (SeatResult("a", 900, 2), SeatResult("b", 5), SeatResult("c", 950, 1), SeatResult("d", 10))
    assert [placing.place for placing in placings(seats, bankrupt_last=True)] == [3, 2, 4, 1]
    assert [placing.place for placing in placings(seats, bankrupt_last=False)] == [2, 4, 1, 3]


def test_duplicate_tables_are_scored_against_the_same_seat() -> None:
    """One point for each player of the seat who has less, half for each who has as much."""
    tables = [table(10, 5, 3, name="a"), table(10, 6, 1, name="b"), table(8, 7, 2, name="c")]
    scores = [table_points(each, Duplicate(), Modifiers(), tables) for each in tables]
    assert [[point / UNIT for point in row] for row in scores] == [[1.5, 0, 2], [1.5, 1, 0], [0, 2, 1]]


def test_duplicate_tables_of_another_title_or_size_are_not_compared() -> None:
    """Theirs was another game."""
    tables = [
        table(10, 5, 3, name="a"),
        table(8, 6, 1, name="b"),
        replace(table(9, 4, 2, name="c"), title="1862"),
        table(9, 4, 2, 7, name="d"),
    ]
    scores = [table_points(each, Duplicate(), Modifiers(), tables) for each in tables]
    assert scores == [(UNIT, 0, UNIT), (0, UNIT, 0), (0, 0, 0), (0, 0, 0, 0)]


def test_a_ruling_awards_its_points_and_absence_gets_none() -> None:
    """Awarded tables are not scored by worth; a seat whose player never came gets nothing."""
    seats = (SeatResult("a", 9, awarded=3 * UNIT), SeatResult("b", 99), SeatResult("c", 1))
    awarded = TableResult("t", 1, "1824", seats, "awarded")
    assert table_points(awarded, SYSTEMS["place"], Modifiers()) == (3 * UNIT, 0, 0)
    missing = TableResult("t", 1, "1824", (*seats[:2], SeatResult("c", 500, is_no_show=True)))
    assert table_points(missing, SYSTEMS["place"], Modifiers())[2] == 0


@given(st.lists(st.integers(0, 9000), min_size=3, max_size=6), st.sampled_from(["place", "steep", "lexical"]))
def test_ties_share_and_nothing_is_lost(worths: list[int], system: str) -> None:
    """The points of a table do not depend on ties, but for less than a millionth for each player; more worth is never less."""
    found = table_points(table(*worths), SYSTEMS[system], Modifiers())
    untied = table_points(table(*range(len(worths))), SYSTEMS[system], Modifiers())
    assert 0 <= sum(untied) - sum(found) < len(worths)
    ordered = [point for _, point in sorted(zip(worths, found, strict=True))]
    assert ordered == sorted(ordered)


def test_the_margin_is_capped_where_the_charter_says() -> None:
    """2 - 1000/5000 = 1.8, or the cap."""
    assert table_points(table(5000, 1000, 0), Margin(cap=2 * UNIT), Modifiers())[0] == 1_800_000
    assert table_points(table(5000, 1000, 0), Margin(cap=1_250_000), Modifiers())[0] == 1_250_000


def test_an_absence_wins_nothing() -> None:
    """An empty seat is last whatever it is worth, without win or share; what a substitute makes of it is the substitute's."""
    absent = SeatResult("a", 900, is_no_show=True)
    seats = (absent, SeatResult("b", 500), SeatResult("c", -100))
    assert [each.place for each in placings(seats, bankrupt_last=True)] == [3, 1, 2]
    policy = ScoringPolicy(SYSTEMS["place"])
    (alone,) = performances_of([TableResult("t", 1, "1824", seats)], policy)["a"]
    assert (alone.points, alone.percent, alone.share, alone.ahead_of) == (0, 0, 0, ())
    helped = replace(absent, substitute="s", substitute_turns=10, turns=20)
    for credit, shared in (
        ("original", {"a": 0}),
        ("average", {"a": 0}),
        ("substitute", {"s": 5}),
        ("split", {"a": 0, "s": 2.5}),
    ):
        found = performances_of(
            [TableResult("t", 1, "1824", (helped, *seats[1:]))], replace(policy, credit=credit)
        )
        got = {player: games[0].points / UNIT for player, games in found.items() if player in "as"}
        assert got == shared


@pytest.mark.parametrize(
    "behind", [SeatResult("a", 1000, is_no_show=True), SeatResult("a", 1000, bankrupt_order=1)]
)
def test_nobody_is_measured_by_a_seat_that_is_last_whatever_it_is_worth(behind: SeatResult) -> None:
    """The parts, the margin and the shares of the others are those of the winner among them; so are the criteria."""
    seats = (behind, SeatResult("b", 900), SeatResult("c", 300))
    result = TableResult("t", 1, "1824", seats)
    for system, expected in (
        (SYSTEMS["percent"], (0, UNIT, 333_333)),
        (Margin(cap=2 * UNIT), (0, 2 * UNIT - 333_333, 333_333)),
        (SYSTEMS["share"], (0, 750_000, 250_000)),
    ):
        assert table_points(result, system, Modifiers()) == expected
    found = performances_of([result], ScoringPolicy(SYSTEMS["place"]))
    assert [(found[name][0].percent, found[name][0].share, found[name][0].lead) for name in "abc"] == [
        (0, 0, -750_000),
        (UNIT, 750_000, 500_000),
        (333_333, 250_000, -500_000),
    ]


def test_bankrupt_players_have_their_worth_where_they_are_not_last() -> None:
    """Without `bankrupt_last` the richest wins, bankrupt or not."""
    seats = (SeatResult("a", 1000, bankrupt_order=1), SeatResult("b", 900), SeatResult("c", 300))
    result, modifiers = TableResult("t", 1, "1824", seats), Modifiers(bankrupt_last=False)
    assert table_points(result, SYSTEMS["percent"], modifiers) == (UNIT, 900_000, 300_000)
