"""The clocks of a game as pages show them."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest
from google.protobuf.message import Message

from services.gen.signalbox.events.v1.events_pb2 import (
    BEARER_KIND_BOT,
    BEARER_KIND_SUBSTITUTE,
    BearerKind,
)
from services.gen.signalbox.lobby.v1 import (
    game_status_pb2,
    game_summary_pb2,
    lobby_service_pb2,
    table_clock_pb2,
    table_pb2,
)
from services.gen.signalbox.rules.v1 import rules_pb2
from services.web.calls import Caller, ServiceCalls
from services.web.clocks import GameClocks, Hours, SeatClock, clocks_of_policy, clocks_of_turns
from services.web.contracts import Rpc, find_rpcs
from services.web.pages.backend import Backend
from services.web.pages.lobby import deadlines
from services.web.pages.texts import Texts
from services.web.pages.times import shown_left, shown_minute
from services.web.problems import ProblemError

NOW = 1_000_000_000
HOUR = 3_600_000


def test_a_policy_gives_bank_turn_and_hours() -> None:
    """What is left of a turn runs down by itself where no hours without play lie before its end."""
    windows = [
        table_clock_pb2.WeekWindow(weekday=day, start_minute=1_140, end_minute=1_500) for day in (0, 2)
    ]
    asked = table_clock_pb2.SeatTime(turn_left_ms=HOUR, asked_since_time_ms=NOW - 5, bank_ms=HOUR)
    throughout = table_clock_pb2.SeatTime(seat="a", deadline_time_ms=NOW + HOUR)
    in_evenings = table_clock_pb2.SeatTime(
        seat="b", deadline_time_ms=NOW + 20 * HOUR, zone="Europe/Vienna", windows=windows
    )
    for each in (throughout, in_evenings):
        each.MergeFrom(asked)
    clocks = clocks_of_policy(
        table_clock_pb2.TableClocks(
            seats=[throughout, in_evenings, table_clock_pb2.SeatTime(seat="c", bank_ms=7)]
        ),
        NOW,
    )
    assert clocks.seats == (
        SeatClock("a", HOUR, NOW - 5, NOW + HOUR, True),
        SeatClock(
            "b", HOUR, NOW - 5, NOW + 20 * HOUR, False, "Europe/Vienna", (Hours((0, 2), 1_140, 1_500),)
        ),
        SeatClock("c", 7),
    )
    assert clocks.has_hours and shown_minute(1_500) == "01:00"


@pytest.mark.parametrize(("kind", "is_paused"), [(BEARER_KIND_BOT, False), (BEARER_KIND_SUBSTITUTE, True)])
def test_a_turn_of_a_bot_has_no_end_and_yet_the_clocks_run(kind: BearerKind, is_paused: bool) -> None:
    """The turn of a player has none while the ledger holds the game."""
    status = game_status_pb2.GameStatus(
        bearers=[game_status_pb2.SeatBearer(seat="a", bearer_id="other", kind=kind)]
    )
    asked = game_summary_pb2.PlayerClock(player_id="a", asked_since_time_ms=NOW, turn_left_ms=HOUR)
    game = game_summary_pb2.GameSummary(status=status, clocks=[asked], turn_seconds=3_600)
    assert clocks_of_turns(game).is_paused is is_paused


def test_a_limit_of_turns_gives_ends() -> None:
    """For who is asked; others have the whole of a turn. The list of games shows the end of one's own first."""
    game = game_summary_pb2.GameSummary(
        status=game_status_pb2.GameStatus(
            bearers=[game_status_pb2.SeatBearer(seat="a", bearer_id="substitute")],
        ),
        clocks=[
            game_summary_pb2.PlayerClock(
                player_id="a", asked_since_time_ms=NOW - HOUR, deadline_time_ms=NOW + HOUR, turn_left_ms=HOUR
            ),
            game_summary_pb2.PlayerClock(
                player_id="b", asked_since_time_ms=NOW - 2 * HOUR, deadline_time_ms=NOW
            ),
            game_summary_pb2.PlayerClock(player_id="c"),
        ],
        turn_seconds=2 * 3_600,
    )
    clocks = clocks_of_turns(game)
    assert (clocks.is_paused, clocks.seats) == (
        False,
        (
            SeatClock("a", HOUR, NOW - HOUR, NOW + HOUR, True),
            SeatClock("b", 0, NOW - 2 * HOUR, NOW, True),
            SeatClock("c", 2 * HOUR),
        ),
    )
    assert deadlines(game, "substitute") == [NOW + HOUR]
    assert deadlines(game, "a") == deadlines(game, "c") == [NOW, NOW + HOUR]
    for each in game.clocks:
        each.deadline_time_ms = 0
    held = clocks_of_turns(game)
    assert (held.is_paused, held.seats[0]) == (True, SeatClock("a", HOUR, NOW - HOUR))
    assert deadlines(game, "a") == []


def test_what_a_page_cannot_go_on_with_is_shown_anew() -> None:
    """Not that a clock ran down; its end, who is asked, a pause, and what is left of playing time by the minute."""
    running = GameClocks((SeatClock("a", HOUR, 1, HOUR, True), SeatClock("b", HOUR)))
    assert not running.shows_other_than(GameClocks((SeatClock("a", 5, 1, HOUR, True), SeatClock("b", HOUR))))
    others = (
        GameClocks((SeatClock("a", 5, 1, HOUR + 1, True), SeatClock("b", HOUR))),
        GameClocks((SeatClock("a", HOUR), SeatClock("b", HOUR, 1, HOUR, True))),
        GameClocks((SeatClock("a", HOUR, 1, HOUR, True), SeatClock("b", 2 * HOUR))),
        GameClocks(running.seats, is_paused=True),
        GameClocks(()),
    )
    assert all(running.shows_other_than(each) for each in others)


def test_hours_of_the_table_are_no_players_own() -> None:
    """They stand in the policy; a vacation is always a player's own."""
    evening = Hours((0, 4), 1_140, 1_380)
    seats = (SeatClock("a", HOUR, zone="UTC", hours=(evening,)), SeatClock("b", HOUR))
    assert GameClocks(seats).has_hours
    assert not GameClocks(seats, are_hours_shared=True).has_hours
    away = SeatClock("a", HOUR, vacations=(("2030-01-01", "2030-01-02"),))
    assert GameClocks((away,), are_hours_shared=True).has_hours
    windows = '{"bank": 60, "windows": [{"weekday": 0, "start_minute": 0, "end_minute": 9}]}'
    assert clocks_of_policy(table_clock_pb2.TableClocks(), NOW, windows).are_hours_shared
    assert not clocks_of_policy(table_clock_pb2.TableClocks(), NOW, '{"bank": 60}').are_hours_shared


def test_the_lobby_may_be_behind() -> None:
    """Clocks are those of a state when they run for the players to act, or stand still with the game."""
    running = GameClocks((SeatClock("a", 1, 1), SeatClock("b", 1)))
    state = rules_pb2.WatchMovesResponse
    assert running.is_at(state(acting_players=["a"]))
    assert not running.is_at(state(acting_players=["b"])) and not running.is_at(state(finished=True))
    paused = GameClocks(running.seats, is_paused=True)
    assert paused.is_at(state(suspended=True)) and not paused.is_at(state(acting_players=["a"]))


def test_what_is_left_is_shown_by_its_largest_units() -> None:
    """Nothing is left of an overdue turn."""
    shown = [shown_left(Texts(), each * 1_000) for each in (90_000, 3_661, 59, -5)]
    assert shown == ["1 d 1 h", "1 h 1 min", "0 min 59 s", "0 min 0 s"]


@pytest.mark.parametrize(
    ("table", "is_without"),
    [
        (table_pb2.Table(), True),
        (table_pb2.Table(clock='{"bank": 60}'), False),
        (table_pb2.Table(turn_seconds=60), False),
    ],
)
def test_a_game_whose_clocks_have_not_begun_is_not_one_without(
    table: table_pb2.Table, is_without: bool
) -> None:
    """The lobby may hear of its beginning later than the page; only a game without clocks is not asked about again."""
    asked: list[Message] = []

    async def answer(_rpc: Rpc, request: Message, _caller: Caller, _seconds: float) -> Message:
        asked.append(request)
        listed = isinstance(request, lobby_service_pb2.ListGamesRequest)
        return (
            lobby_service_pb2.ListGamesResponse()
            if listed
            else lobby_service_pb2.GetTableResponse(table=table)
        )

    backend = Backend(cast(ServiceCalls, SimpleNamespace(answer=answer)), find_rpcs(), 1.0)
    for _ in range(2):
        if is_without:
            assert asyncio.run(backend.clocks("g", Caller("a"))) is None
        else:
            with pytest.raises(ProblemError):
                asyncio.run(backend.clocks("g", Caller("a")))
    assert (len(asked) == 1) == is_without
