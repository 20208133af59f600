"""Knock-outs: who goes on, and that there is a winner."""

from __future__ import annotations

from msgspec.structs import replace

from services.lobby.domain.tournaments.formats.stages import KnockOut, Stage
from services.lobby.domain.tournaments.pairing.problem import SizePolicy
from tests.lobby.tournaments.club import SWISS, Club, charter_of, done, reason


def test_a_knock_out_with_tables_of_four_only_reaches_its_winner() -> None:
    """Three of each of two tables fill none, and all eight would play for ever: winners and seconds play the final."""
    club = Club(8)
    only_fours = Stage("cup", KnockOut(3), SizePolicy(4, (4,)))
    event = club.tournament(replace(SWISS, stages=(only_fours,)))
    first = club.play(event.tournament_id)
    (final,) = club.play(event.tournament_id).tables.values()
    assert set(final.table.seats) == {
        player for each in first.tables.values() for player in each.table.seats[:2]
    }
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "STAGE_OVER"


def test_who_has_withdrawn_does_not_go_on_in_a_knock_out() -> None:
    """The next one of the table does."""
    club = Club(8)
    event = club.tournament(charter_of(KnockOut(2)))
    first = club.play(event.tournament_id)
    winner = first.tables[1].table.seats[0]
    done(club.desk.withdraw(club.director, event.tournament_id, winner, "left"))
    second = club.play(event.tournament_id)
    seated = {player for each in second.tables.values() for player in each.table.seats}
    assert winner not in seated
    assert first.tables[1].table.seats[2] in seated


def test_a_knock_out_goes_on_when_all_who_are_out_withdraw() -> None:
    """Those who go on play the next round."""
    club = Club(8)
    event = club.tournament(charter_of(KnockOut(2)))
    first = club.play(event.tournament_id)
    seats = [each.table.seats for each in first.tables.values()]
    for player in (each for table in seats for each in table[2:]):
        done(club.desk.withdraw(club.director, event.tournament_id, player, "left"))
    (final,) = club.play(event.tournament_id).tables.values()
    assert set(final.table.seats) == {each for table in seats for each in table[:2]}


def test_a_knock_out_that_tables_do_not_hold() -> None:
    """Of five who are out, tables of up to four hold four: the last seed plays no consolation. Five cannot begin at all."""
    club = Club(8)
    event = club.tournament(charter_of(KnockOut(1, has_consolation=True)))
    club.play(event.tournament_id)
    second = club.play(event.tournament_id)
    assert [len(each.table.seats) for each in second.tables.values()] == [3, 4]
    small = Club(5)
    refused = small.tournament(charter_of(KnockOut(1)))
    assert reason(small.rounds.propose(small.director, refused.tournament_id)) == "TABLE_SIZE_NOT_ALLOWED"
