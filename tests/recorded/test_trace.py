"""Trace lines of states made by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from services.rules.importer.dialect import View
from services.rules.importer.names import names_of
from services.rules.importer.trace import state_fields
from services.rules.kernel.events import PlayerActed, RoundStarted, TurnStarted
from services.rules.kernel.game import Game, Interrupt, Turn
from services.rules.parts.map.state import MapState
from services.rules.parts.shares.events import CompanyClosed, SharesBought
from services.rules.parts.shares.state import Company, SharesState, StockRound, StockTurn
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import TrainsState
from services.rules.titles import TITLES
from services.rules.titles.g1824.importer.dialect import DIALECT as DIALECT_1824
from services.rules.titles.g1824.importer.tracestate import TraceState1824
from tests.recorded.documents import Json, act, replayed


@pytest.fixture
def game() -> Game:
    """A game of three at its start, to be changed freely."""
    return replayed().game.copy()


@pytest.fixture
def view() -> View[TraceState1824]:
    """What lines are drawn from, with nothing noted yet."""
    data = replayed().data
    return View(TITLES["1824"], data, names_of((11, 12, 13)), TraceState1824(data))


def fields(view: View[TraceState1824], game: Game) -> Json:
    """The trace line of a state, drawn from this."""
    return state_fields(DIALECT_1824, view, game)


@pytest.fixture
def line(view: View[TraceState1824]) -> Callable[[Game], Json]:
    """The trace line of a state."""
    return lambda game: fields(view, game)


def in_round(game: Game, kind: str, order: tuple[str, ...], number: int = 1, count: int = 1) -> None:
    """Put the game into a round of this kind, its first actor to act."""
    fields = {
        "kind": kind,
        "order": order,
        "number": number,
        "count": count,
        "position": 0,
        "step": "buy_trains",
    }
    game.round = replace(game.current_round, **fields)


def test_the_start_of_a_game() -> None:
    """Three players hold 820 each, the bank the rest of 12,000; the first lap goes backwards; four mountains are sold."""
    found = replayed(traced=True).lines[0]
    assert (found["round"], found["step"], found["active"]) == ("ISR", "BuySellParSharesFirstSr", [13])
    assert (found["bank"], found["order"]) == (12000 - 3 * 820, [13, 12, 11])
    assert found["setup"]["companies"][-4:] == [["B1", 120], ["B2", 120], ["B3", 120], ["B4", 120]]
    assert found["corporations"]["SD"]["token_prices"] == [100, 100]
    assert found["depot"]["upcoming"]["10"] == 20 and found["depot"]["available"] == ["2-0", "1g-0"]


def test_a_coal_company_bought() -> None:
    """The coal company shows its price, its regional the price of half of it, the buyer a certificate of full value."""
    found = replayed(act(1, "buy_company", 13, company="EPP", price=160), traced=True).lines[1]
    assert (found["minors"]["EPP"]["coal_price"], found["minors"]["EPP"]["president"]) == (160, 13)
    assert (found["corporations"]["BK"]["par"], found["corporations"]["BK"]["floatable"]) == (80, False)
    assert found["players"]["13"] == {
        "cash": 660,
        "shares": {"EPP": 100},
        "certs": 1,
        "companies": [],
        "value": 820,
    }
    assert "EPP" not in found["other"]["companies"] and found["certificates"]["13"] == {"EPP": [0]}


def test_discards_between_rounds_are_an_exchange_round(game: Game, line: Callable[[Game], Json]) -> None:
    """While trains must go before the next round, it counts already but has no order yet."""
    game.interrupts = (Interrupt("1824.discard_train", "11", "MS"),)
    for number, following in ((1, (1, 2)), (2, (2, 1))):
        in_round(game, "operating", ("MS",), number, 2)
        game.round = replace(game.current_round, ended=True, step="")
        found = line(game)
        assert (found["round"], found["turn"], found["round_num"]) == ("ER", *following)
        assert (found["order"], found["active"], found["step"]) == ([], ["MS"], "DiscardTrain")


def test_sales_show_whether_they_were_made_in_this_turn(game: Game, line: Callable[[Game], Json]) -> None:
    """`now` for the sales of the turn at hand, `prev` for all others of the round."""
    in_round(game, "stock", ("11", "12", "13"))
    game.turn = Turn(acted=True)
    StockRound(sold=(("11", "SD"), ("11", "KK"), ("12", "SD"))).note_round(game)
    StockTurn(sold=("SD",)).note_turn(game)
    assert line(game)["other"]["sold_this_round"] == {"11": {"SD": "now", "KK": "prev"}, "12": {"SD": "prev"}}


def test_a_state_without_director_is_in_receivership(game: Game, line: Callable[[Game], Json]) -> None:
    """A formed state that nobody directs says so; its charter is then as it stands."""
    SharesState.to_write(game).companies["UG"] = Company(opened=True, shares=10, par=120)
    MapState.to_write(game).unplaced["UG"] = (40, 100)
    found = line(game)["corporations"]["UG"]
    assert (found["receivership"], found["president"], found["token_prices"]) == (True, None, [40, 100])


def test_a_mine_left_by_its_company_shows_a_blocker(game: Game, line: Callable[[Game], Json]) -> None:
    """What stands in a slot and is no company is a blocker; cities without any token are left out."""
    MapState.to_write(game).tokens = {("C6", 0): ("B",), ("B9", 0): ("",)}
    assert line(game)["slots"] == {"C6:0": ["B"]}


def test_debts_lower_the_value(game: Game, line: Callable[[Game], Json]) -> None:
    """A debt is shown and taken off."""
    game.debts["12"] = 70
    found = line(game)["players"]
    assert (found["12"]["debt"], found["12"]["value"]) == (70, 750) and "debt" not in found["11"]


def test_priority_follows_the_last_to_act_in_a_stock_round(view: View[TraceState1824], game: Game) -> None:
    """Left of the last who acted; after a mountain exchange it is the first of the round again."""
    in_round(game, "stock", ("12", "13", "11"))
    view.trace_state.follow(game, (PlayerActed("12"), SharesBought("12", "SD")))
    assert fields(view, game)["other"]["priority"] == 13
    SharesState.to_write(game).companies["B1"] = Company(price_paid=120, director="13")
    view.trace_state.follow(game, (CompanyClosed("B1"), PlayerActed("13")))
    assert fields(view, game)["other"]["priority"] == 12


def test_trains_that_came_with_a_coal_company_are_noted_until_the_next_round(
    view: View[TraceState1824], game: Game
) -> None:
    """An exchange merges trains, a sale between companies does not; a new round forgets."""
    in_round(game, "operating", ("SD",))
    TrainsState.to_write(game).owned["EPP"] = ("1g-0", "1g-1")
    moved = (TrainMoved("1g-0", "EPP", "BK", "transferred"), TrainMoved("1g-1", "EPP", "MS", "bought"))
    view.trace_state.follow(game, moved)
    assert fields(view, game)["other"]["merged_trains"] == {"BK": ["1g-0"]}
    view.trace_state.follow(game, (RoundStarted("operating", 1, 2, 2, ("SD",)), TurnStarted(0)))
    assert "merged_trains" not in fields(view, game)["other"]
