"""The evidence sheet of a table."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from services.common.errors import InvalidRequest, NotFound, PermissionDenied, Unavailable
from services.lobby.domain.positions import GameRuling, LastDividend, Position, SeatWorth, SharesHeld
from services.lobby.domain.time_control.policy import ClockPolicy
from services.lobby.domain.time_control.weeks import Window
from services.lobby.domain.tournaments.formats.stages import Swiss
from tests.lobby.tournaments.club import EXTERNAL, ONE_ROUND, Club, charter_of


class KnownPositions:
    """Shows one position of every game."""

    def __init__(self) -> None:
        self.seen: Position | None = None

    def position(self, game_id: str, at_sequence: int = 0) -> Position:
        """See `GamePositions`."""
        if self.seen is None:
            raise Unavailable("rules is away")
        return self.seen

    def rulings(self, game_id: str) -> tuple[GameRuling, ...]:
        """Nobody decided anything."""
        return ()


def test_a_director_sees_what_everybody_is_worth_and_what_more_runs_would_change() -> None:
    """During the game; only directors, and only while the game can be looked at."""
    positions = KnownPositions()
    club = Club(4, positions=positions)
    current = club.published(club.tournament(ONE_ROUND).tournament_id)
    evidence = club.lobby.tournaments.evidence
    director = club.director.player_id
    with pytest.raises(Unavailable, match="rules is away"):
        evidence.of_table(director, current.round_id, 1)
    first, second, *others = current.tables[1].table.seats
    seats = (SeatWorth(first, 500), SeatWorth(second, 480), *(SeatWorth(each, 100) for each in others))
    shares = (SharesHeld(first, "BB", 2), SharesHeld(second, "BB", 5), SharesHeld(first, "CL", 6))
    positions.seen = Position(77, seats, shares, (LastDividend("BB", "pay", 50, 5, 70),))
    once = evidence.of_table(director, current.round_id, 1)
    assert once.sequence == 77
    assert [(each.worth, each.forecast_worth) for each in once.seats[:2]] == [(500, 510), (480, 505)]
    assert not once.does_order_change
    twice = evidence.of_table(director, current.round_id, 1, 2)
    assert [each.forecast_worth for each in twice.seats[:2]] == [520, 530]
    assert twice.does_order_change
    with pytest.raises(PermissionDenied):
        evidence.of_table(club.players[0].player_id, current.round_id, 1)
    with pytest.raises(NotFound):
        evidence.of_table(director, current.round_id, 2)
    with pytest.raises(InvalidRequest, match="run_count"):
        evidence.of_table(director, current.round_id, 1, 21)


def test_the_times_are_those_of_the_clocks() -> None:
    """A clock policy counts playing time, here two hours of each day: a night is no thinking time, neither on the sheet nor for
    the tie-break; a turn that took more than the bank is overdue, also while it goes on."""
    positions = KnownPositions()
    positions.seen = Position(7, ())
    club = Club(4, positions=positions)
    hour = 3_600
    days = tuple(Window(day, 10 * 60, 12 * 60) for day in range(7))
    policy = ClockPolicy(bank=3 * hour, on_expiry=(), zone="UTC", windows=days)
    event_id = club.tournament(replace(ONE_ROUND, clock=policy)).tournament_id
    state = club.published(event_id).tables[1]
    first, second, *_ = state.table.seats
    ask = {"round_kind": "stock", "turn": 1, "round_number": 1}
    club.follow(state, 5, acting_players=(first,), actor=first, **ask)
    club.clock.advance(2 * 24 * hour * 1000)
    club.follow(state, 7, acting_players=(second,), actor=second, **ask)
    club.clock.advance(24 * hour * 1000)
    read = partial(club.lobby.tournaments.evidence.of_table, club.director.player_id, f"{event_id}.0.1", 1)
    times = {each.player_id: (each.used_ms, each.waiting_ms, each.overdue_count) for each in read().seats}
    assert times[first] == (4 * hour * 1000, 0, 1)
    assert times[second] == (0, 2 * hour * 1000, 0)
    club.clock.advance(24 * hour * 1000)
    assert [each.overdue_count for each in read().seats] == [1, 1, 0, 0]
    club.finish(state)
    result = club.lobby.tournaments.rounds.get("", f"{event_id}.0.1").tables[1].result
    assert result is not None
    assert [seat.clock_ms for seat in result.seats] == [4 * hour * 1000, 4 * hour * 1000, 0, 0]


def test_of_an_external_table_nothing_is_known() -> None:
    """Its game is nowhere here."""
    club = Club(4)
    current = club.published(club.tournament(charter_of(Swiss(1), titles=(EXTERNAL,))).tournament_id)
    found = club.lobby.tournaments.evidence.of_table(club.director.player_id, current.round_id, 1, 3)
    assert (found.game_id, found.sequence, found.does_order_change) == ("", 0, False)
    assert [each.player_id for each in found.seats] == list(current.tables[1].table.seats)
