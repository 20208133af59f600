"""Formats and stages."""

import pytest

from services.lobby.domain.tournaments.formats.knock_out import first_round, next_round, placed_tables
from services.lobby.domain.tournaments.formats.season import SeasonRule, next_divisions, series_after
from services.lobby.domain.tournaments.formats.seeding import qualifiers, seeded_tables
from services.lobby.domain.tournaments.formats.stages import (
    DuplicateRounds,
    Groups,
    Heats,
    Stage,
    Swiss,
    round_problem,
    stage_entrants,
)
from services.lobby.domain.tournaments.pairing.pair import pair_round
from services.lobby.domain.tournaments.pairing.problem import Entrant, OfferedTitle, PastTable, SizePolicy
from services.lobby.domain.tournaments.pairing.sizes import table_sizes
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected

RANKING = [str(rank) for rank in range(1, 17)]
SIZES = SizePolicy()


def test_semifinals_are_seeded_as_published() -> None:
    """1-8-9-16, 2-7-10-15, 3-6-11-14, 4-5-12-13."""
    assert seeded_tables(RANKING, SIZES) == (
        ("1", "8", "9", "16"),
        ("2", "7", "10", "15"),
        ("3", "6", "11", "14"),
        ("4", "5", "12", "13"),
    )


@pytest.mark.parametrize("count", range(3, 60))
def test_seeded_tables_seat_everybody_once(count: int) -> None:
    """At sizes that are allowed; the first seeds are at different tables."""
    players = [str(rank) for rank in range(count)]
    tables = seeded_tables(players, SIZES)
    assert sorted(player for table in tables for player in table) == sorted(players)
    assert {len(table) for table in tables} <= {3, 4, 5, 6}
    assert {table[0] for table in tables} == set(players[: len(tables)])


def test_a_refused_place_passes_down() -> None:
    """Who is absent or refuses is passed over."""
    assert qualifiers(RANKING, 4, set(RANKING) - {"2"}, {"4"}) == ("1", "3", "5", "6")
    final = Stage("final", Swiss(1), places=4)
    assert stage_entrants(final, RANKING, set(RANKING) - {"1"}) == ("2", "3", "4", "5")
    assert stage_entrants(Stage("all", Swiss(1)), RANKING, RANKING) == tuple(RANKING)


def test_points_matter_in_swiss_rounds_and_preferences_not_in_duplicate_ones() -> None:
    """The same players, by format; the rounds to come are in the problem."""
    entrants = [Entrant("a", points=5, preferences=("1824",))]
    past = [PastTable(("a", "b", "c"))]
    swiss = round_problem(Stage("s", Swiss(5)), 2, entrants, past, 7)
    assert (swiss.entrants, swiss.rounds_left, swiss.past) == (tuple(entrants), 3, tuple(past))
    heats = round_problem(Stage("h", Heats(4)), 4, entrants, past, 7)
    assert (heats.entrants, heats.rounds_left) == ((Entrant("a", preferences=("1824",)),), 0)
    assert round_problem(Stage("d", DuplicateRounds(2)), 1, entrants, past, 7).entrants == (Entrant("a"),)
    with pytest.raises(ValueError, match="not paired round by round"):
        round_problem(Stage("g", Groups(7, 4)), 1, entrants, past, 7)


@pytest.mark.parametrize(
    ("players", "size", "title", "seated"),
    [(7, 3, "1862", 6), (8, 4, "1824", 8), (9, 3, "1862", 9), (11, 5, "1862", 10), (5, 5, "1862", 5)],
)
def test_all_tables_of_a_duplicate_round_play_one_game(
    players: int, size: int, title: str, seated: int
) -> None:
    """One title and one size, so that seats can be compared; the others sit out, also where a mixed round would seat all."""
    titles = [OfferedTitle("1824", 4, 4), OfferedTitle("1862", 3, 5)]
    entrants = [Entrant(f"p{number}") for number in range(players)]
    stage = Stage("d", DuplicateRounds(1), SizePolicy(4, (3, 4, 5)))
    drawn = pair_round(round_problem(stage, 1, entrants, (), 7, titles))
    assert {(table.title, len(table.seats)) for table in drawn.tables} == {(title, size)}
    assert len(drawn.byes) == players - seated


class TestKnockOut:
    """Sixteen players, two of each table go on."""

    first = first_round(RANKING, SIZES)

    def test_two_of_each_table_go_on_and_the_others_play_for_consolation(self) -> None:
        """The upper half wins everywhere: eight go on at two tables, eight play on for consolation."""
        following = next_round(self.first.tables, 2, RANKING, SIZES, has_consolation=True)
        assert following.tables == (("1", "4", "5", "8"), ("2", "3", "6", "7"))
        assert following.consolation == (("9", "12", "13", "16"), ("10", "11", "14", "15"))
        final = next_round(following.tables, 2, RANKING, SIZES)
        assert final.tables == (("1", "2", "3", "4"),)
        assert final.consolation == ()

    def test_best_others_fill_the_tables(self) -> None:
        """One of each of two tables goes on; two are too few for a table, so the best second goes on too."""
        following = next_round((("4", "1", "5", "8"), ("2", "3", "6", "7")), 1, RANKING, SIZES)
        assert following.tables == (("1", "2", "4"),)

    def test_somebody_of_each_table_is_out(self) -> None:
        """Three go on from a table of four, two from a table of three, though the charter says three."""
        following = next_round((("1", "4", "5", "8"), ("2", "3", "6")), 3, RANKING, SIZES)
        assert sorted(player for table in following.tables for player in table) == ["1", "2", "3", "4", "5"]

    def test_where_everybody_would_go_on_fewer_tables_are_filled(self) -> None:
        """Three of each table of four are six, and tables of four hold four or all eight: winners and seconds go on.

        Two of each table of three are four, and tables of three hold three: the winners and the better seed of the seconds."""
        tables = (("8", "1", "4", "5"), ("2", "7", "3", "6"))
        following = next_round(tables, 3, RANKING[:8], SizePolicy(4, (4,)), has_consolation=True)
        assert following.tables == (("1", "2", "7", "8"),)
        assert following.consolation == (("3", "4", "5", "6"),)
        threes = (("5", "4", "1"), ("2", "3", "6"))
        assert next_round(threes, 2, RANKING[:6], SizePolicy(3, (3,))).tables == (("2", "3", "5"),)

    def test_tables_that_hold_only_everybody_are_rejected(self) -> None:
        """Tables of six, since the charter offers no title for three any more."""
        with pytest.raises(TournamentRejected) as rejected:
            next_round((("1", "4", "5"), ("2", "3", "6")), 2, RANKING[:6], SizePolicy(6, (6,)))
        assert rejected.value.reason is Reason.TABLE_SIZE_NOT_ALLOWED

    @pytest.mark.parametrize(
        "allowed", [(3,), (4,), (5,), (6,), (3, 4), (4, 5), (2, 5), (3, 6), (3, 4, 5, 6)]
    )
    @pytest.mark.parametrize("advancing", [1, 2, 3, 4, 5])
    def test_a_knock_out_of_any_sizes_reaches_its_final(
        self, allowed: tuple[int, ...], advancing: int
    ) -> None:
        """Each round has fewer players than the one before, and the last one table."""
        sizes = SizePolicy(max(allowed), allowed)
        for count in range(2, 61):
            players = [str(rank) for rank in range(count)]
            if count < min(allowed) or sum(table_sizes(count, sizes)) < count:
                continue
            tables = first_round(players, sizes).tables
            while len(tables) > 1:
                before = sum(map(len, tables))
                tables = next_round([table[::-1] for table in tables], advancing, players, sizes).tables
                assert 0 < sum(map(len, tables)) < before

    def test_who_cannot_be_seated_is_left_out(self) -> None:
        """Where only those who go on are there, they play; nobody takes the place of one who is missing."""
        assert next_round(self.first.tables, 2, RANKING[:8], SIZES).tables == (
            ("1", "4", "5", "8"),
            ("2", "3", "6", "7"),
        )
        assert next_round(self.first.tables, 2, RANKING[:3], SIZES).tables == (("1", "2", "3"),)

    def test_too_few_are_there_for_a_table(self) -> None:
        """Two for tables of three and four."""
        with pytest.raises(TournamentRejected) as rejected:
            next_round(self.first.tables, 2, RANKING[:2], SizePolicy(4, (3, 4)))
        assert rejected.value.reason is Reason.TOO_FEW_PLAYERS

    def test_the_best_who_are_there_go_on_where_tables_do_not_hold_all(self) -> None:
        """Tables of three and four do not hold five: the last by place, then by seed, is out, and plays for consolation with
        nobody."""
        following = next_round(self.first.tables, 2, RANKING[:5], SizePolicy(4, (3, 4)), has_consolation=True)
        assert (following.tables, following.consolation) == ((("1", "2", "3", "4"),), ())
        seconds = next_round((("5", "1", "8"), ("2", "3", "6")), 2, ("1", "2", "3", "5"), SizePolicy(3, (3,)))
        assert seconds.tables == (("1", "2", "5"),)

    def test_tables_are_put_in_order_of_their_places(self) -> None:
        """Winners first."""
        places = {"1": 2, "8": 1, "9": 4, "16": 3}
        assert placed_tables((("1", "8", "9", "16"),), places) == (("8", "1", "16", "9"),)


class TestSeason:
    """Two divisions of four."""

    rule = SeasonRule(moving=1, division_size=4, series_points=(10, 6, 4, 3, 2, 1))
    standings = (("a", "b", "c", "d"), ("e", "f", "g", "h"))

    def test_the_last_and_the_first_change_places(self) -> None:
        """d goes down, e goes up."""
        assert next_divisions(self.standings, self.rule) == (("a", "b", "c", "e"), ("d", "f", "g", "h"))

    def test_who_leaves_is_replaced_from_below_and_newcomers_join_at_the_bottom(self) -> None:
        """a leaves: d stays up after all, and x is the last."""
        divisions = next_divisions(self.standings, self.rule, newcomers=("x", "y"), leaving={"a"})
        assert divisions == (("b", "c", "e", "d"), ("f", "g", "h", "x"), ("y",))

    def test_series_points_run_through_the_divisions(self) -> None:
        """The first of the second division comes after the last of the first."""
        series = series_after({"e": 5}, self.standings, self.rule)
        assert series == {"a": 10, "b": 6, "c": 4, "d": 3, "e": 7, "f": 1}
