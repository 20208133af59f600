"""Appeals: against which rulings, until when, and who decides about them."""

from __future__ import annotations

from msgspec.structs import replace

from services.lobby.domain.tournaments.rounds.adjudicating import Ruling
from services.lobby.domain.tournaments.rounds.adjudication import AdjudicationKind
from services.lobby.domain.tournaments.tournament import Role
from tests.lobby.tournaments.club import ONE_ROUND, Club, WillingDirector, done, reason
from tests.lobby.tournaments.test_refusals import two_directors


def test_each_adjudication_that_counts_can_be_appealed_against() -> None:
    """One that annulled a table, though another one followed that leaves it annulled."""
    club = Club(4)
    event = club.tournament(ONE_ROUND)
    current = club.play(event.tournament_id)
    player = next(each for each in club.players if each.player_id == current.tables[1].table.seats[0])
    second, _ = two_directors(club, event.tournament_id)
    table, rounds = (current.round_id, 1), club.rounds
    for kind in (AdjudicationKind.VOID, AdjudicationKind.CONTINUE):
        done(rounds.adjudicate(club.director, *table, Ruling(kind), "the hall closes"))
    assert club.lobby.tournaments.reader.standings(event.tournament_id, 0)[1][0].points == 0
    done(rounds.appeal(player, *table, 1, "unfair"))
    done(rounds.decide_appeal(second, *table, 1, True, "it was"))
    assert club.lobby.tournaments.reader.standings(event.tournament_id, 0)[1][0].points == 5_000_000
    states = club.lobby.tournaments.rounds.get("", current.round_id).tables[1].adjudications
    assert [each.counts for each in states] == [False, True]
    club.open()
    assert club.lobby.tournaments.rounds.get("", current.round_id).tables[1].adjudications == states


def test_the_time_for_an_appeal_begins_when_the_ruling_counts() -> None:
    """Not when it was recorded: a confirmation may come later than all that time."""
    club = Club(4)
    charter = replace(ONE_ROUND, second_person_in=("stage 0",), appeal_hours=1)
    event = club.tournament(charter)
    current = club.play(event.tournament_id)
    player = next(each for each in club.players if each.player_id == current.tables[1].table.seats[0])
    second, _ = two_directors(club, event.tournament_id)
    table, rounds = (current.round_id, 1), club.rounds
    for number, waited_ms in ((1, 3_600_000), (2, 3_600_001)):
        done(rounds.adjudicate(club.director, *table, Ruling(AdjudicationKind.VOID), "the hall closes"))
        club.clock.advance(7_200_000)
        done(rounds.confirm_adjudication(second, *table, number))
        club.clock.advance(waited_ms)
        answer = rounds.appeal(player, *table, number, "unfair")
        if number == 1:
            done(answer)
        else:
            assert reason(answer) == "APPEAL_TOO_LATE"


def test_a_director_does_not_rule_on_a_table_of_their_own() -> None:
    """Who plays there, or has taken over a seat there, neither rules nor confirms, nor decides an appeal."""
    club = Club(4, director=WillingDirector())
    event = club.tournament(replace(ONE_ROUND, second_person_in=("stage 0",)))
    current = club.play(event.tournament_id)
    second, third = two_directors(club, event.tournament_id)
    player = next(each for each in club.players if each.player_id == current.tables[1].table.seats[0])
    done(club.desk.set_role(club.director, event.tournament_id, player.player_id, Role.DIRECTOR, True))
    table, rounds, void = (current.round_id, 1), club.rounds, Ruling(AdjudicationKind.VOID)
    assert reason(rounds.adjudicate(player, *table, void, "the hall closes")) == "DIRECTOR_IS_PARTY"
    done(rounds.adjudicate(club.director, *table, void, "the hall closes"))
    assert reason(rounds.confirm_adjudication(player, *table, 1)) == "DIRECTOR_IS_PARTY"
    done(rounds.confirm_adjudication(second, *table, 1))
    done(rounds.appeal(player, *table, 1, "unfair"))
    assert reason(rounds.decide_appeal(player, *table, 1, True, "it was")) == "DIRECTOR_IS_PARTY"
    seat = current.tables[1].table.seats[1]
    club.standby(third, event.tournament_id)
    done(club.substitutions.record(club.director, *table, seat, third.player_id, (1, 2), "ill"))
    assert reason(rounds.decide_appeal(third, *table, 1, True, "it was")) == "DIRECTOR_IS_PARTY"
