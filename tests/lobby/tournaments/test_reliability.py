"""How reliable players are, from the tables of tournaments and their clocks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.cli.tournament_players import reliability_text
from services.lobby.domain.games import SeatBearer
from services.lobby.domain.ratings.reliability import UNIT, Reliability
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.tournaments.charter import Charter
from services.lobby.domain.tournaments.rounds.round import TableState
from services.lobby.domain.tournaments.rounds.settling import settled_result
from services.lobby.tournament_messages import leaderboard_message
from tests.lobby.tournaments.club import ONE_ROUND, Club, done

CLOCKED = replace(ONE_ROUND, clock=ClockPolicy(bank=100, increment=60, on_expiry=()))


def ask(club: Club, state: TableState, sequence: int, seat: str, *bearers: SeatBearer) -> None:
    """It is this seat's turn after event `sequence`."""
    more = {"round_kind": "stock", "turn": sequence, "round_number": 1, "actor": seat}
    club.follow(state, sequence, acting_players=(seat,), bearers=bearers, **more)


def test_reliability_comes_from_results_absences_and_clocks() -> None:
    """One seat answers in time and late, one is missing, the others never moved; a new lobby finds the same."""
    club = Club(4)
    event_id = club.tournament(CLOCKED).tournament_id
    current = club.published(event_id)
    state = current.tables[1]
    first, second, third, _ = state.table.seats
    for sequence, seat, seconds in ((3, first, 20), (4, second, 10), (5, first, 190)):
        ask(club, state, sequence, seat)
        club.clock.advance(seconds * 1000)
    done(club.rounds.record_no_show(club.director, current.round_id, 1, third, "not seen"))
    club.finish(state)
    found = club.lobby.tournaments.reader.reliability([first, second, third, "p-else"])
    assert found[first] == Reliability(1, UNIT, 20_000, UNIT // 2)
    assert found[second] == Reliability(1, UNIT, 10_000, 0)
    assert found[third] == Reliability(1, 0, 0, 0)
    assert found["p-else"] == Reliability(0, UNIT, 0, 0)
    assert club.open().tournaments.reader.reliability(found) == found


def test_a_leaderboard_has_it_on_the_wire_and_in_words() -> None:
    """Beside each line."""
    club = Club(4)
    event_id = club.tournament(CLOCKED).tournament_id
    state = club.published(event_id).tables[1]
    ask(club, state, 3, state.table.seats[0])
    club.clock.advance(190_000)
    club.finish(state)
    reader = club.lobby.tournaments.reader
    lines, _ = reader.leaderboard("")
    reliability = reader.reliability([line.player for line in lines])
    shown = {line.player: leaderboard_message(line, "Ann", reliability[line.player]) for line in lines}
    sent = shown[state.table.seats[0]].reliability
    assert (sent.games, sent.finish_rate, sent.response_ms, sent.expiry_rate) == (1, UNIT, 190_000, UNIT)
    assert reliability_text(sent) == "finished 100% of 1 table, median turn 3.2 min, 100.0% of turns overdue"


def test_turns_belong_to_who_began_them() -> None:
    """The second turn of the seat is the substitute's, who finished the table; the original did not."""
    club = Club(5)
    event_id = club.tournament(CLOCKED, entrants=4).tournament_id
    current = club.published(event_id)
    state = current.tables[1]
    seat, other = state.table.seats[:2]
    stand_in = club.players[4].player_id
    ask(club, state, 3, seat)
    club.clock.advance(150_000)
    ask(club, state, 4, other)
    taken = SeatBearer(seat, stand_in, "substitute")
    ask(club, state, 6, other, taken)
    ask(club, state, 7, seat, taken)
    club.clock.advance(7_000)
    club.finish(state)
    club.lobby.tournaments.publisher.catch_up()
    found = club.lobby.tournaments.reader.reliability([seat, stand_in])
    assert found[seat] == Reliability(1, 0, 150_000, UNIT)
    assert found[stand_in] == Reliability(1, UNIT, 7_000, 0)


@pytest.mark.parametrize("charter", [CLOCKED, ONE_ROUND])
def test_who_came_back_to_a_seat_has_finished(charter: Charter) -> None:
    """The substitute in between has not; the same where the substitute had it a second time."""
    for last in (0, 4):
        club = Club(5)
        state = club.published(club.tournament(charter, entrants=4).tournament_id).tables[1]
        seat, other = state.table.seats[:2]
        players = {0: seat, 4: club.players[4].player_id}
        taken = SeatBearer(seat, players[4], "substitute")
        ask(club, state, 3, other, taken)
        club.lobby.tournaments.publisher.catch_up()
        ask(club, state, 5, other, SeatBearer(seat, seat, "player"))
        if last:
            ask(club, state, 7, other, taken)
        club.finish(state)
        club.lobby.tournaments.publisher.catch_up()
        found = club.lobby.tournaments.reader.reliability(players.values())
        assert {number: found[player].finish_rate for number, player in players.items()} == {
            number: UNIT if number == last else 0 for number in players
        }


@pytest.mark.parametrize("charter", [CLOCKED, ONE_ROUND])
def test_turns_of_a_substitute_come_from_the_game(charter: Charter) -> None:
    """Half of the seat's turns by the clocks; without clocks the events of the game from 6 to 12 of 12."""
    club = Club(5)
    split = replace(charter, scoring=replace(charter.scoring, credit="split"))
    event_id = club.tournament(split, entrants=4).tournament_id
    state = club.published(event_id).tables[1]
    seat, other = state.table.seats[:2]
    taken = SeatBearer(seat, club.players[4].player_id, "substitute")
    ask(club, state, 3, seat)
    ask(club, state, 4, other)
    ask(club, state, 6, other, taken)
    ask(club, state, 7, seat, taken)
    club.finish(state, sequence=12)
    club.lobby.tournaments.publisher.catch_up()
    current = club.lobby.tournaments.rounds.get("", f"{event_id}.0.1")
    result = settled_result(current, current.tables[1])
    assert result is not None
    found = result.seats[0]
    assert (found.substitute, found.substitute_turns, found.turns) == (
        (taken.account, 1, 2) if charter.clock else (taken.account, 7, 12)
    )
    _, lines = club.lobby.tournaments.reader.standings(event_id, 0)
    points = {line.player: line.points for line in lines}
    assert points[taken.account] == 5 * UNIT * found.substitute_turns // found.turns
