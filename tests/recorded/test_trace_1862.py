"""Trace lines of 1862 of states made by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from services.rules.importer.dialect import View
from services.rules.importer.names import names_of
from services.rules.importer.trace import state_fields
from services.rules.kernel.events import (
    ActionTaken,
    CertificatesMoved,
    GameEnded,
    InterruptRaised,
    PlayerActed,
    RoundEnded,
    RoundStarted,
    TurnStarted,
)
from services.rules.kernel.game import Game, Interrupt, Turn
from services.rules.parts.auctions.events import AuctionOpened, AuctionPassed, BidMade
from services.rules.parts.auctions.state import Auction, AuctionState
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.events import TileLaid, TokenReplaced
from services.rules.parts.map.placing import TOKEN_PLACED
from services.rules.parts.map.state import MapState, TrackTurn
from services.rules.parts.market.state import MarketState
from services.rules.parts.shares.events import CompanyReset, SharesBought
from services.rules.parts.shares.state import SharesState, StockRound, companies_of
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import TrainsState
from services.rules.titles import TITLES
from services.rules.titles.g1862.events import CharterSideSet, MonopolyFormed, ObligationFailed
from services.rules.titles.g1862.importer.dialect import DIALECT as DIALECT_1862
from services.rules.titles.g1862.importer.tracestate import TraceState1862
from services.rules.titles.g1862.state import Exchange, Option, State, charter_of
from tests.recorded.documents import Json, replayed

DIALECT = DIALECT_1862
Line = Callable[[Game], Json]


@pytest.fixture
def game() -> Game:
    """A game of three at its start, to be changed freely."""
    return replayed(title="1862").game.copy()


@pytest.fixture
def view() -> View[TraceState1862]:
    """What lines are drawn from, with nothing noted yet."""
    data = replayed(title="1862").data
    return View(TITLES["1862"], data, names_of((11, 12, 13)), TraceState1862(data))


@pytest.fixture
def line(view: View[TraceState1862]) -> Line:
    """The trace line of a state."""
    return lambda game: state_fields(DIALECT, view, game)


def quoted(game: Game, symbol: str, director: str = "11", price_at: int = 26) -> None:
    """A company that operates, its marker at the price of this column."""
    companies, market = SharesState.to_write(game).companies, MarketState.to_write(game)
    companies[symbol] = replace(companies[symbol], opened=True, director=director, par=100)
    market.markers[symbol] = (0, price_at)
    market.cells[(0, price_at)] = (*market.cells.get((0, price_at), ()), symbol)


def in_turn(game: Game, actor: str, step: str = "lay_track") -> None:
    """An operating round in which this company stands in this step."""
    changed = {"kind": "operating", "order": (actor,), "position": 0, "step": step}
    game.round = replace(game.current_round, **changed)


def some(game: Game, count: int) -> list[str]:
    """Companies dealt into the game."""
    return [symbol for symbol in companies_of(game) if charter_of(game, symbol).offered_from][:count]


def test_the_start_of_a_game() -> None:
    """Parliament, 800 each, sixteen companies with three tokens and a licence each, the first eight in phase A."""
    found = replayed(title="1862", traced=True).lines[0]
    assert (found["round"], found["step"], found["active"]) == ("PAR", "CharterAuction", [11])
    assert found["bank"] == 15000 - 3 * 800 and len(found["corporations"]) == 16
    setup = found["setup"]
    assert list(setup["starting_phase"].values()) == ["A"] * 8 + ["B"] * 4 + ["C"] * 4
    assert list(setup["starting_phase"]) == setup["offer_order"]
    first = found["corporations"][setup["offer_order"][0]]
    assert (first["tokens_left"], first["token_prices"], first["president"]) == (3, [0, 0, 0], None)
    assert found["other"]["startable"] == sorted(setup["offer_order"][:8])
    assert found["depot"] == {
        "upcoming": {"A": 7, "B": 6, "C": 4, "D": 3, "E": 3, "F": 2, "G": 1, "H": "unlimited"},
        "available": ["A-0"],
        "discarded": [],
    }


def test_an_auction_shows_the_bids_that_stand(view: View[TraceState1862], game: Game) -> None:
    """A higher bid of the same player replaces his last one; who is out has none."""
    symbol = some(game, 1)[0]
    view.trace_state.follow(
        game,
        (
            AuctionOpened(symbol, ("12", "13", "11")),
            BidMade("12", symbol, 0),
            BidMade("13", symbol, 5),
            BidMade("11", symbol, 10),
            BidMade("12", symbol, 15),
            AuctionPassed("13", symbol),
        ),
    )
    found = state_fields(DIALECT, view, game)["other"]["auction"]
    assert found == {"corporation": symbol, "bids": [[11, 10], [12, 15]], "bidders": [11, 12]}


def test_a_won_auction_shows_what_the_winner_does(game: Game, line: Line) -> None:
    """He sets par, then he may buy more; the company is chartered as soon as it is won."""
    symbol = some(game, 1)[0]
    AuctionState.to_write(game).auction = Auction(symbol, (), "12", 5, won=True)
    found = line(game)
    assert found["other"]["auction_finish"] == {"corporation": symbol, "actions": ["par"]}
    assert found["corporations"][symbol]["chartered"] is True
    companies = SharesState.to_write(game).companies
    companies[symbol] = replace(companies[symbol], par=54, director="12")
    CharterSideSet(symbol, chartered=True).write(game)
    assert line(game)["other"]["auction_finish"]["actions"] == ["buy_shares", "pass"]


def test_a_company_without_director_is_in_receivership(game: Game, line: Line) -> None:
    """It is directed by the market, quoted or not."""
    symbol = some(game, 1)[0]
    quoted(game, symbol, "")
    game.holdings[("pool", symbol)] = (0, 3)
    found = line(game)
    company = found["corporations"][symbol]
    assert (company["president"], company["receivership"], company["market_percent"]) == ("market", True, 40)
    assert found["certificates"]["market"] == {symbol: [0, 3]}


def test_companies_rest_after_a_merger_with_one_that_had_its_turn(
    view: View[TraceState1862], game: Game
) -> None:
    """`skip` stands once the merger is over, and until the next round; so it does after a bankruptcy, not after a fine."""
    survivor, absorbed, bankrupt, fined = some(game, 4)
    for symbol in (survivor, absorbed, bankrupt, fined):
        quoted(game, symbol)
    in_turn(game, survivor)
    view.trace_state.follow(game, (ActionTaken("turn_over"),))
    assert "skip" not in state_fields(DIALECT, view, game)["corporations"][survivor]
    resets = (
        CompanyReset(absorbed, survivor),
        CompanyReset(bankrupt),
        ObligationFailed("11", fined),
        CompanyReset(fined),
    )
    view.trace_state.follow(game, resets)
    shown = state_fields(DIALECT, view, game)["corporations"]
    assert [symbol for symbol in shown if "skip" in shown[symbol]] == [
        symbol for symbol in shown if symbol in (survivor, bankrupt)
    ]
    view.trace_state.follow(game, (RoundStarted("operating", 1, 2, 2, (survivor,)), TurnStarted(0)))
    assert "skip" not in state_fields(DIALECT, view, game)["corporations"][survivor]


def test_obsolete_trains_with_a_warranty_are_deferred(view: View[TraceState1862], game: Game) -> None:
    """Trains of bankrupt companies among them, by letter and number."""
    owner, bankrupt = some(game, 2)
    trains = TrainsState.to_write(game)
    trains.owned = {owner: ("A-10", "A-2", "B-0"), bankrupt: ("A-1", "A-3")}
    State.to_write(game).warranties = {"A-10": 1, "A-2": 1, "A-1": 2, "B-0": 3}
    trains.depot_sold = ("A", "B", "C")
    lost = tuple(TrainMoved(train, bankrupt, "", "removed") for train in ("A-1", "A-3"))
    view.trace_state.follow(game, lost)
    assert state_fields(DIALECT, view, game)["other"]["deferred_rust"] == ["A-1", "A-2", "A-10"]


def test_cash_raised_shows_until_the_train_is_bought(view: View[TraceState1862], game: Game) -> None:
    """`emergency_buy` stands from raising cash to buying, or the next turn."""
    symbol = some(game, 1)[0]
    quoted(game, symbol)
    in_turn(game, symbol, "buy_trains")
    view.trace_state.follow(game, (ActionTaken("refinanced"),))
    assert state_fields(DIALECT, view, game)["other"]["emergency_buy"] is True
    view.trace_state.follow(game, (TrainMoved("A-0", "bank", symbol, "bought"),))
    assert "emergency_buy" not in state_fields(DIALECT, view, game)["other"]


def test_what_was_laid_in_the_turn(game: Game, line: Line) -> None:
    """Plain yellow is no upgrade; an N tile and everything green is."""
    symbol = some(game, 1)[0]
    quoted(game, symbol)
    in_turn(game, symbol)
    TrackTurn(laid=("C12", "B9")).note_turn(game)
    board = MapState.to_write(game)
    board.tiles = {"C12": LaidTile("8850", 0, 0), "B9": LaidTile("57", 0, 0)}
    assert "upgraded" not in line(game)["other"] and line(game)["other"]["laid_hexes"] == ["C12", "B9"]
    board.tiles = {**board.tiles, "B9": LaidTile("790", 0, 0)}
    assert line(game)["other"]["upgraded"] is True


def test_a_finished_game_shows_its_last_turn(view: View[TraceState1862], game: Game) -> None:
    """What the last company laid still stands in the last line."""
    symbol = some(game, 1)[0]
    quoted(game, symbol)
    in_turn(game, symbol)
    game.turn = Turn(actions=(TOKEN_PLACED,))
    TrackTurn(laid=("C12",)).note_turn(game)
    MapState.to_write(game).tiles = {"C12": LaidTile("8850", 0, 0)}
    ending = (TurnStarted(1), RoundEnded("operating"), GameEnded("bank", ()))
    view.trace_state.follow(game, ending)
    found = state_fields(DIALECT, view, game)
    assert found["finished"] and (found["other"]["laid_hexes"], found["other"]["tokened"]) == (["C12"], True)


def test_pieces_without_stations_are_set_aside(view: View[TraceState1862], game: Game) -> None:
    """A green or brown tile without city sets a piece of its base aside, further stations none, the first colour none, and
    a brown one lets that of the green one before it go."""
    laid = (("C12", "8850"), ("C12", "20_1b"), ("C12", "20_2"), ("B9", "790"), ("E10", "8852"), ("E10", "16"))
    lay_all(view, game, *laid)
    assert shown(view, game) == ["16", "20"]
    lay_all(view, game, ("E10", "779_1a"))
    assert shown(view, game) == ["20", "779"]


@pytest.mark.parametrize("base", ["16", "21"])
def test_a_piece_that_is_not_left_is_not_set_aside(view: View[TraceState1862], game: Game, base: str) -> None:
    """Of two pieces the third tile with stations finds none: the peer counts it as nothing."""
    lay_all(view, game, *((hex_id, f"{base}_1a") for hex_id in ("C12", "E10", "B9")))
    assert shown(view, game) == [base, base]


def lay_all(view: View[TraceState1862], game: Game, *tiles: tuple[str, str]) -> None:
    """Lay first pieces of these tiles, one after the other."""
    view.trace_state.follow(game, [TileLaid("EUR", at, tile, 0, 0, False) for at, tile in tiles])


def shown(view: View[TraceState1862], game: Game) -> list[str]:
    """The pieces set aside as the line shows them."""
    found: list[str] = state_fields(DIALECT, view, game)["other"].get("base_tiles", [])
    return found


def test_options_show_what_their_holders_had(game: Game, line: Line) -> None:
    """A plain option is worth 10 %, a director's certificate what its holder had of both companies."""
    symbol = some(game, 1)[0]
    quoted(game, symbol)
    in_turn(game, symbol)
    for option, shown in (
        (Option("12", symbol, 4, 43, 43), {"entity": 12, "share": f"{symbol}_4", "percent": 10}),
        (Option(symbol, symbol, 0, 25, 125), {"entity": symbol, "share": f"{symbol}_0", "percent": 50}),
        (Option("12", symbol, 0, 100, 200), {"entity": 12, "share": f"{symbol}_0", "percent": 40}),
        (Option("12", symbol, 0, 150, 150), {"entity": 12, "share": f"{symbol}_0", "percent": 30}),
    ):
        State.to_write(game).exchange = Exchange("merger", symbol, "", "11", 100, ("12",), (option,))
        game.interrupts = (Interrupt("1862.settle_option", "11", symbol, option.holder),)
        found = line(game)
        assert found["other"]["options"] == [
            shown | {"sell": option.give_up_price, "redeem": option.redeem_price}
        ]
        assert (found["active"], found["step"]) == ([shown["entity"]], "OptionShare")


def test_tokens_to_remove_keep_the_hexes_of_the_beginning(view: View[TraceState1862], game: Game) -> None:
    """All tokens of both companies but the survivor's home; the count alone goes down."""
    survivor, absorbed = "EUR", "ECR"
    quoted(game, survivor)
    quoted(game, absorbed)
    in_turn(game, survivor)
    hexes = ("E12", "B5", "B7", "C6", "C8", "D5"), ("D13", "D11", "F3")
    owners = ((survivor, hexes[0]), (absorbed, hexes[1]))
    MapState.to_write(game).tokens = {(at, 0): (symbol,) for symbol, places in owners for at in places}
    State.to_write(game).exchange = Exchange("merger", survivor, absorbed, "11", 100, ())
    view.trace_state.follow(game, (InterruptRaised("1862.remove_token", "11", survivor, absorbed),))
    expected = ["B5", "B7", "C6", "C8", "D11", "D13", "D5", "F3"]
    found = state_fields(DIALECT, view, game)
    assert found["other"]["removals"] == [
        {"survivor": survivor, "nonsurvivor": absorbed, "count": 2, "hexes": expected}
    ]
    view.trace_state.follow(game, (TokenReplaced(absorbed, "F3", 0, 0, "", "removed"),))
    removal = state_fields(DIALECT, view, game)["other"]["removals"][0]
    assert (removal["count"], removal["hexes"], found["active"]) == (1, expected, [survivor])


def test_fines_show_what_is_owed_and_what_was_sold(view: View[TraceState1862], game: Game) -> None:
    """Sales forced after a stock round are sales of now, those of the round stay."""
    first, second = some(game, 2)
    quoted(game, first)
    quoted(game, second)
    game.round = replace(game.current_round, kind="stock", ended=True)
    StockRound(sold=(("12", first),)).note_round(game)
    game.interrupts, game.debts = (Interrupt("1862.pay_fine", "12", first),), {"12": 70}
    game.holdings[("12", second)] = (1, 2)
    view.trace_state.follow(game, (CertificatesMoved(second, (1,), "12", "pool", "sold", 1),))
    found = state_fields(DIALECT, view, game)
    assert found["other"]["forced_sales"] == [[12, 70]] and found["active"] == [12]
    assert found["other"]["sold_this_round"] == {"12": {first: "prev", second: "now"}}


def test_priority_moves_in_stock_rounds_alone(view: View[TraceState1862], game: Game) -> None:
    """Left of the last who bought or sold; in parliament it stays."""
    view.trace_state.follow(game, (PlayerActed("12"), SharesBought("12", "EUR")))
    assert state_fields(DIALECT, view, game)["other"]["priority"] == 11
    game.round = replace(game.current_round, kind="stock")
    view.trace_state.follow(game, (PlayerActed("12"), SharesBought("12", "EUR")))
    assert state_fields(DIALECT, view, game)["other"]["priority"] == 13


def test_the_last_company_leaves_only_what_was_started(view: View[TraceState1862], game: Game) -> None:
    """Once it formed, companies never started are gone, and the limit is the new one."""
    started = some(game, 1)[0]
    quoted(game, started)
    TrainsState.to_write(game).depot_sold = ("H",)
    assert state_fields(DIALECT, view, game)["other"]["lner_triggered"] is True
    view.trace_state.follow(game, (MonopolyFormed("LNER", 21),))
    found = state_fields(DIALECT, view, game)
    other = found["other"]
    assert (other["lner_triggered"], other["lner"], other["cert_limit"]) == (False, True, 21)
    assert list(found["corporations"]) == [started] and other["startable"] == []
    assert set(found["certificates"]["bank"]) == {started}
