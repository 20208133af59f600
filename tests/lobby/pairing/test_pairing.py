"""The pairing of one round."""

from collections import Counter

import pytest
from hypothesis import Phase, given, settings, strategies as st
from msgspec.structs import replace

from services.lobby.domain.tournaments.pairing.costs import Cost
from services.lobby.domain.tournaments.pairing.pair import pair_round
from services.lobby.domain.tournaments.pairing.problem import (
    Entrant,
    OfferedTitle,
    PairingProblem,
    PastTable,
    SizePolicy,
)
from services.lobby.domain.tournaments.pairing.proposal import Proposal, ProposedTable, proposal_digest
from services.lobby.domain.tournaments.pairing.writing import override
from services.lobby.domain.tournaments.rejections import Reason, TournamentRejected
from tests.lobby.pairing.problems import random_problem


def problem_of(count: int, **changes: object) -> PairingProblem:
    """A first round of players `a`, `b`, ..."""
    problem = PairingProblem(tuple(Entrant(chr(97 + number)) for number in range(count)), seed=5)
    return replace(problem, **changes)


def companions(proposal: Proposal, player: str) -> set[str]:
    """Who sits at the table of a player."""
    return next(set(table.seats) - {player} for table in proposal.tables if player in table.seats)


@settings(max_examples=8, deadline=None, phases=[Phase.generate])
@given(st.integers(17, 60), st.integers(0, 1000))
def test_everybody_is_seated_once_and_the_order_of_entry_has_no_effect(count: int, seed: int) -> None:
    """Each player has one seat or a bye; entrants in another order give the same tables."""
    problem = random_problem(count, seed, rounds_before=2, steps_max=1000)
    proposal = pair_round(problem)
    seated = [player for table in proposal.tables for player in table.seats]
    assert sorted([*seated, *proposal.byes]) == sorted(entrant.player for entrant in problem.entrants)
    shuffled = replace(problem, entrants=tuple(reversed(problem.entrants)))
    again = pair_round(shuffled)
    assert [table.seats for table in again.tables] == [table.seats for table in proposal.tables]


def test_an_equal_problem_gives_an_equal_proposal() -> None:
    """The digest is the same, and the one of another seed is not."""
    problem = random_problem(30, 4)
    assert proposal_digest(pair_round(problem)) == proposal_digest(pair_round(problem))
    assert proposal_digest(pair_round(replace(problem, seed=8))) != proposal_digest(pair_round(problem))


def test_players_of_one_score_meet() -> None:
    """Four leaders of a round of eight sit at one table."""
    entrants = tuple(Entrant(name, points=int(name in "aceg")) for name in "abcdefgh")
    assert companions(pair_round(PairingProblem(entrants, seed=2)), "a") == {"c", "e", "g"}


@pytest.mark.parametrize("seed", range(10))
def test_one_of_a_forbidden_pair_sits_out_where_all_others_would_sit_together(seed: int) -> None:
    """Of five players four are at the table; of the two, who has had the fewest byes and points sits out."""
    entrants = tuple(
        Entrant(name, points=points) for name, points in zip("abcde", (5, 3, 0, 1, 2), strict=True)
    )
    problem = PairingProblem(entrants, seed=seed, sizes=SizePolicy(4, (4,)), forbidden=(("a", "b"),))
    assert pair_round(problem).byes == ("b",)
    assert pair_round(replace(problem, past_byes=("b",))).byes == ("a",)
    assert pair_round(replace(problem, forbidden=(("a", "c"),))).byes == ("c",)


def test_forbidden_pairs_are_kept_apart() -> None:
    """Also where everything else speaks for one table."""
    entrants = tuple(Entrant(name, points=int(name in "aceg")) for name in "abcdefgh")
    proposal = pair_round(PairingProblem(entrants, seed=2, forbidden=(("c", "a"), ("g", "h"))))
    assert "c" not in companions(proposal, "a")
    assert "h" not in companions(proposal, "g")


def test_a_round_that_cannot_be_paired_is_rejected() -> None:
    """Two who must not meet, and one table."""
    with pytest.raises(TournamentRejected) as rejected:
        pair_round(problem_of(4, forbidden=(("a", "b"),)))
    assert rejected.value.reason is Reason.NO_ARRANGEMENT


def test_players_share_hours() -> None:
    """Two groups that play on different evenings do not mix."""
    entrants = tuple(
        Entrant(chr(97 + number), hours=(18, 19, 20) if number % 2 else (40, 41, 42)) for number in range(8)
    )
    proposal = pair_round(PairingProblem(entrants, seed=1, hours_min=2))
    assert companions(proposal, "a") == set("ceg")
    assert proposal.cost.hours == 2 * (168 - 3)


def test_titles_follow_preferences_and_fall_back() -> None:
    """A table plays the title that its players want most; one whose title does not fit its size plays another."""
    titles = (OfferedTitle("1824", 3, 6), OfferedTitle("1862", 2, 8), OfferedTitle("quartet", 5, 5))
    entrants = tuple(
        Entrant(chr(97 + n), preferences=("quartet", "1862") if n % 2 else ("1824",)) for n in range(8)
    )
    proposal = pair_round(PairingProblem(entrants, seed=3, titles=titles))
    chosen = {frozenset(table.seats): table.title for table in proposal.tables}
    assert chosen == {frozenset("aceg"): "1824", frozenset("bdfh"): "1862"}
    assert proposal.cost.preference == 4


def test_seats_go_round() -> None:
    """Who has always begun sits elsewhere."""
    past = (PastTable(("a", "b", "c", "d")), PastTable(("a", "c", "d", "b")))
    (table,) = pair_round(problem_of(4, past=past)).tables
    assert table.seats[0] in "bcd"
    assert table.seats[3] == "a" or table.seats[3] == "c"
    assert table.cost.seats == 4


def test_ratings_are_spread_within_a_score_group() -> None:
    """Each table has one player of each quarter of the list."""
    entrants = tuple(Entrant(f"p{number:02}", rating=1000 + number) for number in range(16))
    for table in pair_round(PairingProblem(entrants, seed=1)).tables:
        assert {int(player[1:]) // 4 for player in table.seats} == {0, 1, 2, 3}


def test_who_withdraws_is_not_paired_and_who_has_sat_out_plays() -> None:
    """A table of four only: of nine one has a bye, and the next bye is another's."""
    sizes = SizePolicy(4, (4,))
    first = pair_round(problem_of(9, sizes=sizes))
    second = pair_round(problem_of(9, sizes=sizes, past_byes=first.byes, round=2))
    assert len(first.byes) == len(second.byes) == 1
    assert first.byes != second.byes
    assert pair_round(problem_of(8, sizes=sizes)).byes == ()


def test_the_alternative_is_the_exchange_that_costs_least() -> None:
    """It is dearer than the proposal, and so is each other exchange."""
    problem = random_problem(12, 9)
    proposal = pair_round(problem)
    assert proposal.alternative is not None
    assert replace(proposal.alternative.cost, seats=0) > replace(proposal.cost, seats=0)
    one, other = proposal.alternative.exchanged
    swap = {one: other, other: one}
    tables = [
        ProposedTable(0, tuple(swap.get(player, player) for player in table.seats), "", Cost())
        for table in proposal.tables
    ]
    titled = [replace(table, title=title.title) for table in tables for title in problem.titles[:1]]
    changed = override(problem, proposal, titled, "dora", "to compare")
    assert replace(changed.cost, seats=0, preference=0, hours=0, rating=0) >= replace(
        proposal.alternative.cost, seats=0, preference=0, hours=0, rating=0
    )


class TestOverride:
    """A director's own tables."""

    problem = problem_of(8)
    proposal = pair_round(problem)

    def swapped(self) -> list[ProposedTable]:
        """The first players of both tables exchanged."""
        one, other = self.proposal.tables
        return [
            replace(one, seats=(other.seats[0], *one.seats[1:])),
            replace(other, seats=(one.seats[0], *other.seats[1:])),
        ]

    def test_is_recorded_with_author_and_reason(self) -> None:
        """The tables are the director's, the seed and the problem those of the proposal."""
        changed = override(self.problem, self.proposal, self.swapped(), "dora", " a couple ")
        assert changed.override is not None
        assert (changed.override.author, changed.override.reason) == ("dora", "a couple")
        assert changed.override.proposal_digest == proposal_digest(self.proposal)
        assert [table.seats for table in changed.tables] == [table.seats for table in self.swapped()]

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (lambda one, other: (one, one), Reason.PLAYER_TWICE),
            (lambda one, other: (one,), Reason.PLAYER_MISSING),
            (lambda one, other: (one, replace(other, seats=("z", *other.seats[1:]))), Reason.PLAYER_UNKNOWN),
            (
                lambda one, other: (
                    replace(one, seats=one.seats[:2]),
                    replace(other, seats=other.seats + one.seats[2:]),
                ),
                Reason.TABLE_SIZE_NOT_ALLOWED,
            ),
        ],
    )
    def test_with_other_players_is_rejected(self, change, reason) -> None:  # type: ignore[no-untyped-def]
        """Every player of the round once, at a size that is allowed."""
        with pytest.raises(TournamentRejected) as rejected:
            override(self.problem, self.proposal, change(*self.proposal.tables), "dora", "why not")
        assert rejected.value.reason is reason

    def test_without_a_reason_is_rejected(self) -> None:
        """Blanks are none."""
        with pytest.raises(TournamentRejected) as rejected:
            override(self.problem, self.proposal, self.swapped(), "dora", "  ")
        assert rejected.value.reason is Reason.OVERRIDE_WITHOUT_REASON


@pytest.mark.parametrize(
    ("entrants", "changes", "reason"),
    [
        ((Entrant("a"), Entrant("a"), Entrant("b")), {}, Reason.PLAYER_TWICE),
        ((Entrant("a", preferences=("1830",)), Entrant("b"), Entrant("c")), {}, Reason.TITLE_NOT_OFFERED),
        ((Entrant("a", hours=(168,)), Entrant("b"), Entrant("c")), {}, Reason.HOURS_DO_NOT_OVERLAP),
        ((Entrant("a"), Entrant("b"), Entrant("c")), {"forbidden": (("a", "a"),)}, Reason.PAIR_FORBIDDEN),
        ((Entrant("a"), Entrant("b")), {}, Reason.TOO_FEW_PLAYERS),
    ],
)
def test_a_problem_that_contradicts_itself_is_rejected(entrants, changes, reason) -> None:  # type: ignore[no-untyped-def]
    """Each fault has its reason."""
    with pytest.raises(TournamentRejected) as rejected:
        pair_round(PairingProblem(entrants, seed=1, **changes))
    assert rejected.value.reason is reason


def test_repeats_are_charged_by_how_often_players_have_met() -> None:
    """Four players with one past table of three of them: three pairs that meet the second time."""
    past = (PastTable(("a", "b", "c")), PastTable(("a", "b", "d")))
    proposal = pair_round(problem_of(4, past=past))
    assert proposal.cost.repeats == 2 * 3 + 4 * 2
    assert Counter(len(table.seats) for table in proposal.tables) == {4: 1}
