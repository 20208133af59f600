"""Positions of games: worth now, what companies last paid, and what everybody is worth if they do it again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from services.gen.signalbox.events.v1.events_pb2 import DividendDeclared, GameEvent, Undone
from services.gen.signalbox.rules.v1.game_pb2 import GameView
from services.lobby.adapters.positions import position_of
from services.lobby.domain.positions import (
    LastDividend,
    Position,
    SeatWorth,
    SharesHeld,
    does_order_change,
    forecast,
)
from services.rules.adapters.records import decoded, envelope
from services.rules.adapters.view import game_view
from services.rules.kernel.fold import replay
from services.rules.titles import TITLES
from tests.golden import logs

LOGS = Path(logs.__file__).with_name("logs")
GAMES = {"1824": "1824-goods-time", "1862": "1862-simple-express"}
PLACES = 4


def paid(company: str, per_share: int, sequence: int) -> GameEvent:
    """An event of a game."""
    declared = DividendDeclared(company=company, kind="pay", revenue=10 * per_share, per_share=per_share)
    return GameEvent(sequence=sequence, dividend_declared=declared)


def test_of_several_dividends_the_last_counts_that_was_not_undone() -> None:
    """Those after the position do not count either."""
    events = [
        paid("BB", 5, 1),
        paid("BB", 7, 2),
        paid("CL", 3, 3),
        GameEvent(sequence=4, undone=Undone(to_sequence=1)),
        paid("BB", 9, 5),
    ]
    position = position_of(GameView(sequence=4), events)
    assert [(each.company, each.per_share) for each in position.dividends] == [("BB", 5)]


@pytest.mark.parametrize("title", GAMES)
def test_the_forecast_repeats_what_was_paid(title: str) -> None:
    """In whole games: just after a company has paid, one more run of it gives each player what that gave."""
    log = logs.read(LOGS / title / "v2" / f"{GAMES[title]}.jsonl")
    records = log.records("game/g")
    events = [envelope(each, "g", each.sequence, "", 0) for each in records]
    declared = [
        each
        for each in events
        if each.WhichOneof("body") == "dividend_declared" and each.dividend_declared.per_share
    ]
    assert declared
    for event in declared[:: len(declared) // PLACES or 1]:
        company = event.dividend_declared.company
        game = replay(decoded(records[: event.sequence]))
        rules = TITLES[title]
        view = game_view("g", rules, rules.data_of(game), game)
        position = position_of(view, events)
        (last,) = (each for each in position.dividends if each.company == company)
        one = Position(position.sequence, position.seats, position.shares, (last,))
        got: Counter[str] = Counter()
        for earlier in reversed(events[: event.sequence - 1]):
            moved = earlier.cash_moved
            if earlier.WhichOneof("body") != "cash_moved" or moved.subject != company:
                break
            got[moved.target] += moved.amount
        for seat in position.seats:
            assert forecast(one, 1)[seat.seat] - seat.worth == got[seat.seat], (event.sequence, company)


@given(worths=st.lists(st.integers(0, 50), min_size=2, max_size=5), times=st.integers(0, 20))
def test_a_forecast_is_linear(worths: list[int], times: int) -> None:
    """Each run adds as much; none changes nothing, so nobody changes places."""
    seats = tuple(SeatWorth(str(number), worth) for number, worth in enumerate(worths))
    shares = tuple(SharesHeld(str(number), "BB", number) for number in range(len(worths)))
    position = Position(9, seats, shares, (LastDividend("BB", "pay", 100, 10, 8),))
    now = {each.seat: each.worth for each in seats}
    later = forecast(position, times)
    assert later == {seat: worth + 10 * times * int(seat) for seat, worth in now.items()}
    assert not does_order_change(now, forecast(position, 0))
    ranks = [sorted(now, key=lambda seat: (-each[seat], seat)) for each in (now, later)]
    if ranks[0] != ranks[1]:
        assert does_order_change(now, later)


def test_a_tie_is_an_order_of_its_own() -> None:
    """Who was level and falls behind has lost a place."""
    assert does_order_change({"a": 5, "b": 5}, {"a": 6, "b": 5})
    assert does_order_change({"a": 6, "b": 5}, {"a": 6, "b": 6})
    assert not does_order_change({"a": 6, "b": 5}, {"a": 9, "b": 8})
