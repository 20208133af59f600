"""Trace lines of 1862 of states made by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from services.rules.domain import events as e
from services.rules.domain.board import LaidTile
from services.rules.domain.game import Auction, Exchange, Game, Interrupt, Option, Turn
from services.rules.recorded.names import names_of
from services.rules.recorded.spelling import View
from services.rules.recorded.titles import SPELLINGS
from services.rules.recorded.titles.g1862_chronicle import Chronicle1862
from services.rules.recorded.trace import state_fields
from services.rules.titles import TITLES
from tests.recorded.documents import Json, replayed

SPELLING = SPELLINGS["1862"]
Line = Callable[[Game], Json]


@pytest.fixture
def game() -> Game:
    """A game of three at its start, to be changed freely."""
    return replayed(title="1862").game.copy()


@pytest.fixture
def view() -> View[Chronicle1862]:
    """What lines are drawn from, with nothing noted yet."""
    data = replayed(title="1862").data
    return View(TITLES["1862"], data, names_of((11, 12, 13)), Chronicle1862(data))


@pytest.fixture
def line(view: View[Chronicle1862]) -> Line:
    """The trace line of a state."""
    return lambda game: state_fields(SPELLING, view, game)


def quoted(game: Game, symbol: str, director: str = "11", price_at: int = 26) -> None:
    """A company that operates, its marker at the price of this column."""
    game.companies[symbol] = replace(game.companies[symbol], opened=True, director=director, par=100)
    game.markers[symbol] = (0, price_at)
    game.cells[(0, price_at)] = (*game.cells.get((0, price_at), ()), symbol)


def in_turn(game: Game, actor: str, step: str = "lay_track") -> None:
    """An operating round in which this company stands in this step."""
    changed = {"kind": "operating", "order": (actor,), "position": 0, "step": step}
    game.round = replace(game.current_round, **changed)


def some(game: Game, count: int) -> list[str]:
    """Companies dealt into the game."""
    return [symbol for symbol, company in game.companies.items() if company.offered_from][:count]


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


def test_an_auction_shows_the_bids_that_stand(view: View[Chronicle1862], game: Game) -> None:
    """A higher bid of the same player replaces his last one; who is out has none."""
    symbol = some(game, 1)[0]
    view.chronicle.follow(
        game,
        (
            e.AuctionOpened(symbol, ("12", "13", "11")),
            e.BidMade("12", symbol, 0),
            e.BidMade("13", symbol, 5),
            e.BidMade("11", symbol, 10),
            e.BidMade("12", symbol, 15),
            e.AuctionPassed("13", symbol),
        ),
    )
    found = state_fields(SPELLING, view, game)["other"]["auction"]
    assert found == {"corporation": symbol, "bids": [[11, 10], [12, 15]], "bidders": [11, 12]}


def test_a_won_auction_shows_what_the_winner_does(game: Game, line: Line) -> None:
    """He sets par, then he may buy more; the company is chartered as soon as it is won."""
    symbol = some(game, 1)[0]
    game.auction = Auction(symbol, ("12",), "12", 5, won=True)
    found = line(game)
    assert found["other"]["auction_finish"] == {"corporation": symbol, "actions": ["par"]}
    assert found["corporations"][symbol]["chartered"] is True
    game.companies[symbol] = replace(game.companies[symbol], chartered=True, par=54, director="12")
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
    view: View[Chronicle1862], game: Game
) -> None:
    """`skip` stands once the merger is over, and until the next round; so it does after a bankruptcy, not after a fine."""
    survivor, absorbed, bankrupt, fined = some(game, 4)
    for symbol in (survivor, absorbed, bankrupt, fined):
        quoted(game, symbol)
    in_turn(game, survivor)
    view.chronicle.follow(game, (e.ActionTaken("turn_over"),))
    assert "skip" not in state_fields(SPELLING, view, game)["corporations"][survivor]
    resets = (
        e.CompanyReset(absorbed, survivor),
        e.CompanyReset(bankrupt),
        e.ObligationEnded("11", fined, met=False),
        e.CompanyReset(fined),
    )
    view.chronicle.follow(game, resets)
    shown = state_fields(SPELLING, view, game)["corporations"]
    assert [symbol for symbol in shown if "skip" in shown[symbol]] == [
        symbol for symbol in shown if symbol in (survivor, bankrupt)
    ]
    view.chronicle.follow(game, (e.RoundStarted("operating", 1, 2, 2, (survivor,)), e.TurnStarted(0)))
    assert "skip" not in state_fields(SPELLING, view, game)["corporations"][survivor]


def test_obsolete_trains_with_a_warranty_are_deferred(view: View[Chronicle1862], game: Game) -> None:
    """Trains of bankrupt companies among them, by letter and number."""
    owner, bankrupt = some(game, 2)
    game.trains = {owner: ("A-10", "A-2", "B-0"), bankrupt: ("A-1", "A-3")}
    game.warranties = {"A-10": 1, "A-2": 1, "A-1": 2, "B-0": 3}
    game.depot_sold = frozenset("ABC")
    lost = tuple(e.TrainMoved(train, bankrupt, "", "removed") for train in ("A-1", "A-3"))
    view.chronicle.follow(game, lost)
    assert state_fields(SPELLING, view, game)["other"]["deferred_rust"] == ["A-1", "A-2", "A-10"]


def test_cash_raised_shows_until_the_train_is_bought(view: View[Chronicle1862], game: Game) -> None:
    """`emergency_buy` stands from raising cash to buying, or the next turn."""
    symbol = some(game, 1)[0]
    quoted(game, symbol)
    in_turn(game, symbol, "buy_trains")
    view.chronicle.follow(game, (e.ActionTaken("refinanced"),))
    assert state_fields(SPELLING, view, game)["other"]["emergency_buy"] is True
    view.chronicle.follow(game, (e.TrainMoved("A-0", "bank", symbol, "bought"),))
    assert "emergency_buy" not in state_fields(SPELLING, view, game)["other"]


def test_what_was_laid_in_the_turn(game: Game, line: Line) -> None:
    """Plain yellow is no upgrade; an N tile and everything green is."""
    symbol = some(game, 1)[0]
    quoted(game, symbol)
    in_turn(game, symbol)
    game.turn = Turn(laid=("C12", "B9"))
    game.tiles = {"C12": LaidTile("8850", 0, 0), "B9": LaidTile("57", 0, 0)}
    assert "upgraded" not in line(game)["other"] and line(game)["other"]["laid_hexes"] == ["C12", "B9"]
    game.tiles = game.tiles | {"B9": LaidTile("790", 0, 0)}
    assert line(game)["other"]["upgraded"] is True


def test_a_finished_game_shows_its_last_turn(view: View[Chronicle1862], game: Game) -> None:
    """What the last company laid still stands in the last line."""
    symbol = some(game, 1)[0]
    quoted(game, symbol)
    in_turn(game, symbol)
    game.turn, game.tiles = Turn(laid=("C12",), tokened="B9"), {"C12": LaidTile("8850", 0, 0)}
    ending = (e.TurnStarted(1), e.RoundEnded("operating"), e.GameEnded("bank", ()))
    view.chronicle.follow(game, ending)
    found = state_fields(SPELLING, view, game)
    assert found["finished"] and (found["other"]["laid_hexes"], found["other"]["tokened"]) == (["C12"], True)


def test_pieces_beneath_stations_are_set_aside(game: Game, line: Line) -> None:
    """Every tile with stations added shows the tile without them."""
    game.tiles = {"C12": LaidTile("20_1b", 0, 0), "E10": LaidTile("18_2", 0, 0), "B9": LaidTile("790", 0, 0)}
    assert line(game)["other"]["base_tiles"] == ["18", "20"]


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
        game.exchange = Exchange("merger", symbol, "", "11", 100, ("12",), (option,))
        game.interrupts = (Interrupt("settle_option", "11", symbol, option.holder),)
        found = line(game)
        assert found["other"]["options"] == [
            shown | {"sell": option.give_up_price, "redeem": option.redeem_price}
        ]
        assert (found["active"], found["step"]) == ([shown["entity"]], "OptionShare")


def test_tokens_to_remove_keep_the_hexes_of_the_beginning(view: View[Chronicle1862], game: Game) -> None:
    """All tokens of both companies but the survivor's home; the count alone goes down."""
    survivor, absorbed = "EUR", "ECR"
    quoted(game, survivor)
    quoted(game, absorbed)
    in_turn(game, survivor)
    hexes = ("E12", "B5", "B7", "C6", "C8", "D5"), ("D13", "D11", "F3")
    owners = ((survivor, hexes[0]), (absorbed, hexes[1]))
    game.tokens = {(at, 0): (symbol,) for symbol, places in owners for at in places}
    game.exchange = Exchange("merger", survivor, absorbed, "11", 100, ())
    view.chronicle.follow(game, (e.InterruptRaised("remove_token", "11", survivor, absorbed),))
    expected = ["B5", "B7", "C6", "C8", "D11", "D13", "D5", "F3"]
    found = state_fields(SPELLING, view, game)
    assert found["other"]["removals"] == [
        {"survivor": survivor, "nonsurvivor": absorbed, "count": 2, "hexes": expected}
    ]
    view.chronicle.follow(game, (e.TokenReplaced(absorbed, "F3", 0, 0, "", "removed"),))
    removal = state_fields(SPELLING, view, game)["other"]["removals"][0]
    assert (removal["count"], removal["hexes"], found["active"]) == (1, expected, [survivor])


def test_fines_show_what_is_owed_and_what_was_sold(view: View[Chronicle1862], game: Game) -> None:
    """Sales forced after a stock round are sales of now, those of the round stay."""
    first, second = some(game, 2)
    quoted(game, first)
    quoted(game, second)
    changed = {"kind": "stock", "sold": (("12", first),), "ended": True}
    game.round = replace(game.current_round, **changed)
    game.interrupts, game.debts = (Interrupt("pay_fine", "12", first),), {"12": 70}
    game.holdings[("12", second)] = (1, 2)
    view.chronicle.follow(game, (e.CertificatesMoved(second, (1,), "12", "pool", "sold", 10),))
    found = state_fields(SPELLING, view, game)
    assert found["other"]["forced_sales"] == [[12, 70]] and found["active"] == [12]
    assert found["other"]["sold_this_round"] == {"12": {first: "prev", second: "now"}}


def test_priority_moves_in_stock_rounds_alone(view: View[Chronicle1862], game: Game) -> None:
    """Left of the last who bought or sold; in parliament it stays."""
    view.chronicle.follow(game, (e.StockTurnActed("12", bought="EUR"),))
    assert state_fields(SPELLING, view, game)["other"]["priority"] == 11
    game.round = replace(game.current_round, kind="stock")
    view.chronicle.follow(game, (e.StockTurnActed("12", bought="EUR"),))
    assert state_fields(SPELLING, view, game)["other"]["priority"] == 13


def test_the_last_company_leaves_only_what_was_started(view: View[Chronicle1862], game: Game) -> None:
    """Once it formed, companies never started are gone, and the limit is the new one."""
    started = some(game, 1)[0]
    quoted(game, started)
    game.depot_sold = frozenset("H")
    assert state_fields(SPELLING, view, game)["other"]["lner_triggered"] is True
    view.chronicle.follow(game, (e.MonopolyFormed("LNER", 21),))
    found = state_fields(SPELLING, view, game)
    other = found["other"]
    assert (other["lner_triggered"], other["lner"], other["cert_limit"]) == (False, True, 21)
    assert list(found["corporations"]) == [started] and other["startable"] == []
    assert set(found["certificates"]["bank"]) == {started}
