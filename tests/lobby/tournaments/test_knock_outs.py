"""Knock-outs: who goes on, and that there is a winner."""

from __future__ import annotations

from msgspec.structs import replace

from services.lobby.domain.tournaments.charter import Charter, charter_json
from services.lobby.domain.tournaments.formats.stages import Groups, KnockOut, Stage
from services.lobby.domain.tournaments.pairing.problem import SizePolicy
from tests.lobby.tournaments.club import SWISS, TITLE, Club, charter_of, done, reason


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


def test_tables_that_do_not_hold_everybody_who_plays_for_consolation() -> None:
    """Of five who are out, tables of up to four hold four: the last seed plays none."""
    club = Club(8)
    event = club.tournament(charter_of(KnockOut(1, has_consolation=True)))
    club.play(event.tournament_id)
    second = club.play(event.tournament_id)
    assert [len(each.table.seats) for each in second.tables.values()] == [3, 4]


def test_a_knock_out_that_tables_do_not_hold_does_not_begin() -> None:
    """Five at tables of three or four: until one withdraws. Where players check in, who is there decides."""
    club = Club(5)
    made = entered(club, charter_of(KnockOut(1)))
    refused = club.desk.start_stage(club.director, made)
    assert (reason(refused), "do not hold 5 players" in refused.sentence) == ("TABLE_SIZE_NOT_ALLOWED", True)
    done(club.desk.withdraw(club.director, made, club.players[0].player_id, "one too many"))
    done(club.desk.start_stage(club.director, made))
    assert [len(each.seats) for each in done(club.rounds.propose(club.director, made)).proposal.tables] == [4]
    done(club.desk.start_stage(club.director, entered(club, charter_of(KnockOut(1), has_check_in=True))))


def test_too_few_for_a_group_do_not_begin() -> None:
    """Six of seven."""
    club = Club(6)
    refused = club.desk.start_stage(club.director, entered(club, charter_of(Groups(7, 4))))
    assert (reason(refused), "no group of 7" in refused.sentence) == ("TOO_FEW_PLAYERS", True)


def test_a_knock_out_whose_titles_are_gone_is_not_paired() -> None:
    """The charter still has a title, but none for tables of four."""
    club = Club(8)
    charter = replace(SWISS, stages=(Stage("cup", KnockOut(2), SizePolicy(4, (4,))),))
    event = club.tournament(charter)
    text = charter_json(replace(charter, titles=(replace(TITLE, players_max=3),)))
    done(club.desk.amend(club.director, event.tournament_id, text, 1, "a box got lost"))
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "TITLE_NOT_OFFERED"


def entered(club: Club, charter: Charter) -> str:
    """An event that all have entered and that has not begun."""
    made = done(club.desk.create(club.director, charter_json(charter)))
    done(club.desk.set_entries(club.director, made.tournament_id, True))
    for player in club.players:
        done(club.desk.enter(player, made.tournament_id, (), ()))
    event_id: str = made.tournament_id
    return event_id
