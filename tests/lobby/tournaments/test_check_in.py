"""Check-in in formats whose tables follow from the format."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest
from msgspec.structs import replace

from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.tournaments.charter import charter_json, clock_of, read_charter
from services.lobby.domain.tournaments.formats.stages import Groups, KnockOut, Stage, Swiss
from services.lobby.domain.tournaments.rounds.round import Round
from tests.lobby.tournaments.club import SWISS, Club, charter_of, done, reason


def checked_in(club: Club, event_id: str, number: int, missing: Collection[str]) -> None:
    """The check-in for a round: everybody is there but these."""
    done(club.desk.open_check_in(club.director, event_id, number, club.clock.now_ms() + 1000))
    for player in club.players:
        if player.player_id not in missing:
            done(club.desk.check_in(player, event_id))
    club.clock.advance(2000)


def seated(current: Round) -> set[Any]:
    """Who sits at the tables of a round."""
    return {player for each in current.tables.values() for player in each.table.seats}


def test_who_does_not_check_in_does_not_go_on_in_a_knock_out() -> None:
    """The next of the table does."""
    club = Club(8)
    event = club.tournament(charter_of(KnockOut(2), has_check_in=True))
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "TOO_FEW_PLAYERS"
    checked_in(club, event.tournament_id, 1, ())
    first = club.play(event.tournament_id)
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "TOO_FEW_PLAYERS"
    winner, _, third, *_ = first.tables[1].table.seats
    checked_in(club, event.tournament_id, 2, (winner,))
    final = club.play(event.tournament_id)
    assert winner not in seated(final)
    assert third in seated(final)
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "STAGE_OVER"


@pytest.mark.parametrize(("players", "rounds"), [(8, 2), (16, 3)])
def test_only_those_who_go_on_check_in_for_the_next_round_of_a_knock_out(players: int, rounds: int) -> None:
    """Who is out stays away, and it is played to its end."""
    club = Club(players)
    event = club.tournament(charter_of(KnockOut(2), has_check_in=True))
    out: set[str] = set()
    for number in range(1, rounds + 1):
        checked_in(club, event.tournament_id, number, out)
        current = club.play(event.tournament_id)
        out |= {player for each in current.tables.values() for player in each.table.seats[2:]}
    assert len(current.tables) == 1
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "STAGE_OVER"


def test_two_who_check_in_fill_no_table_of_a_knock_out() -> None:
    """The reason is that they are too few, and once a third is there they play."""
    club = Club(8)
    event = club.tournament(charter_of(KnockOut(2), has_check_in=True))
    checked_in(club, event.tournament_id, 1, ())
    club.play(event.tournament_id)
    ids = [each.player_id for each in club.players]
    checked_in(club, event.tournament_id, 2, ids[2:])
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "TOO_FEW_PLAYERS"
    checked_in(club, event.tournament_id, 2, ids[3:])
    assert seated(club.play(event.tournament_id)) == set(ids[:3])


def test_tables_of_groups_are_played_by_those_who_check_in() -> None:
    """Those of a missing player are not made."""
    club = Club(7)
    event = club.tournament(charter_of(Groups(7, 4), has_check_in=True))
    missing = club.players[0].player_id
    checked_in(club, event.tournament_id, 1, (missing,))
    current = club.published(event.tournament_id)
    assert len(current.tables) == 3
    assert missing not in seated(current)


def test_each_stage_has_its_own_deadline() -> None:
    """Else that of the clock policy; without a clock there is none."""
    stages = (Stage("first", Swiss(1), deadline=5_000), Stage("final", Swiss(1), places=4))
    charter = replace(SWISS, stages=stages, clock=ClockPolicy(bank=60, on_expiry=(), deadline=9_000))
    assert [clock_of(charter, stage).deadline for stage in range(2)] == [5_000, 9_000]  # type: ignore[union-attr]
    refused = read_charter(charter_json(replace(charter, clock=None)))
    assert getattr(refused, "field", "") == "stages[0].deadline"


def test_a_knock_out_goes_on_with_those_who_are_there() -> None:
    """Of twelve, five are there for the second round: tables of three or four hold four, and these play the final."""
    club = Club(12)
    event = club.tournament(charter_of(KnockOut(2), has_check_in=True))
    checked_in(club, event.tournament_id, 1, ())
    first = club.play(event.tournament_id)
    tables = [each.table.seats for each in first.tables.values()]
    there = {*tables[0][:2], *tables[1][:2], tables[2][0]}
    checked_in(club, event.tournament_id, 2, {each.player_id for each in club.players} - there)
    final = club.play(event.tournament_id)
    assert len(final.tables) == 1 and len(seated(final)) == 4
    assert {tables[0][0], tables[1][0], tables[2][0]} < seated(final) < there
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "STAGE_OVER"
    ended = done(club.desk.finish_stage(club.director, event.tournament_id))
    assert ended.stages[-1].ranking[0] == final.tables[1].table.seats[0]


def test_who_is_there_wins_a_knock_out_when_too_few_are() -> None:
    """One second is there for the final, and no table can be filled: when the director ends the stage, that player is first."""
    club = Club(8)
    event = club.tournament(charter_of(KnockOut(2), has_check_in=True))
    checked_in(club, event.tournament_id, 1, ())
    first = club.play(event.tournament_id)
    winner, second, *_ = first.tables[2].table.seats
    checked_in(club, event.tournament_id, 2, {each.player_id for each in club.players} - {second})
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "TOO_FEW_PLAYERS"
    ended = done(club.desk.finish_stage(club.director, event.tournament_id))
    winners = {winner, first.tables[1].table.seats[0]}
    assert (ended.stages[-1].ranking[0], set(ended.stages[-1].ranking[1:3])) == (second, winners)


def test_who_has_withdrawn_does_not_win_a_knock_out_without_a_final() -> None:
    """But who withdraws after the final has won it."""
    club = Club(8)
    event = club.tournament(charter_of(KnockOut(2)))
    first = club.play(event.tournament_id)
    left = {each for state in first.tables.values() for each in state.table.seats[:3]}
    for player in left:
        done(club.desk.withdraw(club.director, event.tournament_id, player, "left"))
    assert reason(club.rounds.propose(club.director, event.tournament_id)) == "TOO_FEW_PLAYERS"
    ended = done(club.desk.finish_stage(club.director, event.tournament_id))
    assert not left & set(ended.stages[-1].ranking[:2])

    played = Club(4)
    cup = played.tournament(charter_of(KnockOut(2)))
    winner = played.play(cup.tournament_id).tables[1].table.seats[0]
    done(played.desk.withdraw(played.director, cup.tournament_id, winner, "left"))
    ended = done(played.desk.finish_stage(played.director, cup.tournament_id))
    assert ended.stages[-1].ranking[0] == winner
