"""From recorded actions of 1862 to commands."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.rules.importer.dialect import Scene
from services.rules.importer.names import stop_number
from services.rules.importer.translate import Order, translate
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.game import Game, Interrupt
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.titledata import TitleData
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.commands import ChooseToken, LayTile, PlaceToken
from services.rules.parts.map.state import MapState
from services.rules.parts.market.state import MarketState
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import SharesState
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, Hop, RunTrains, TrainRun
from services.rules.parts.trains.state import TrainsState
from services.rules.titles.g1862.commands import (
    BuyNewTrain,
    BuyTokens,
    ChooseSurvivor,
    Merge,
    RaiseCash,
    RedeemCertificate,
    SettleOption,
)
from services.rules.titles.g1862.importer.dialect import DIALECT as DIALECT_1862
from services.rules.titles.g1862.importer.names import part_number, place_name, step_name, train_name
from services.rules.titles.g1862.state import State
from tests.recorded.documents import act, record, replayed


@pytest.fixture
def game() -> Game:
    """A game of three at its start, to be changed freely."""
    return replayed(title="1862").game.copy()


@pytest.fixture(scope="module")
def data() -> TitleData:
    """The data of 1862."""
    return replayed(title="1862").data


def order_of(game: Game, data: TitleData, kind: str, entity: int | str = 13, **fields: Any) -> Order:
    """What an action asks for in this state; the player asked is 12."""
    action = record(act(1, kind, entity, **fields), title="1862").steps[0].action
    found = translate(DIALECT_1862, action, Scene(game, data, asked="12"))
    assert found is not None
    return found


def directed(game: Game, symbol: str, director: str = "11", **changes: Any) -> None:
    """Put a quoted company into a player's hands."""
    companies = SharesState.to_write(game).companies
    companies[symbol] = replace(companies[symbol], opened=True, director=director, par=100, **changes)


def at_step(game: Game, step: str, actor: str) -> None:
    """Put a company into a step of its turn."""
    changed = {"kind": "operating", "order": (actor,), "position": 0, "step": step}
    game.round = replace(game.current_round, **changed)


@pytest.mark.parametrize(
    ("kind", "fields", "command"),
    [
        ("pass", {}, Pass()),
        ("bid", {"corporation": "EUR", "price": 25}, Bid("EUR", 25)),
        ("par", {"corporation": "EUR", "share_price": "62,0,16"}, StartCompany("EUR", 62)),
        ("buy_shares", {"shares": ["EUR_3"], "percent": 10}, BuyCertificate("EUR", "bank", 3)),
        ("sell_shares", {"shares": ["EUR_0"], "percent": 20}, SellCertificates("EUR", 2, (0,))),
    ],
)
def test_what_players_ask_for(
    game: Game, data: TitleData, kind: str, fields: dict[str, Any], command: Command
) -> None:
    """Bids name company and price, certificates keep their numbers, part of a director's certificate says how much."""
    directed(game, "EUR", shares=10)
    assert order_of(game, data, kind, **fields) == Order("13", command)


def test_shares_are_bought_where_they_lie(game: Game, data: TitleData) -> None:
    """A certificate comes from the pool, from the company's own charter, or else from the bank."""
    game.holdings[("pool", "EUR")] = (4,)
    game.holdings[("EUR", "EUR")] = (5,)
    commands = [
        order_of(game, data, "buy_shares", shares=[f"EUR_{number}"], percent=10).command
        for number in (4, 5, 6)
    ]
    assert commands == [
        BuyCertificate("EUR", source, number) for source, number in (("pool", 4), ("EUR", 5), ("bank", 6))
    ]


def test_a_company_that_buys_shares_redeems(game: Game, data: TitleData) -> None:
    """A company buys its own certificate back through its director."""
    directed(game, "EUR")
    found = order_of(game, data, "buy_shares", "EUR", shares=["EUR_4"], percent=10)
    assert found == Order("11", RedeemCertificate("EUR"))


@pytest.mark.parametrize(
    ("kind", "fields", "command"),
    [
        ("merge", {"corporation": "ECR"}, Merge("EUR", "ECR")),
        ("convert", {}, RaiseCash("EUR", "refinancing")),
        (
            "lay_tile",
            {"hex": "C12", "tile": "20_1b-1", "rotation": 2},
            LayTile("EUR", "C12", "20_1b", 2, 1),
        ),
        ("place_token", {"city": "B15-0-3", "slot": 1}, PlaceToken("EUR", "B15", 1)),
        ("place_token", {"city": "D15-0-4", "slot": 0}, PlaceToken("EUR", "D15", 1)),
    ],
)
def test_what_companies_ask_for(
    game: Game, data: TitleData, kind: str, fields: dict[str, Any], command: Command
) -> None:
    """Companies act through their directors; the link spaces of London have part numbers of their own."""
    directed(game, "EUR")
    assert order_of(game, data, kind, "EUR", **fields) == Order("11", command)


@pytest.mark.parametrize(
    ("kind", "ours"), [("payout", "pay"), ("withhold", "withhold"), ("hudson", "1862.hudson")]
)
def test_dividends(game: Game, data: TitleData, kind: str, ours: str) -> None:
    """The kinds of dividend have other names."""
    raw = act(1, "dividend", "EUR") | {"kind": kind}
    found = translate(DIALECT_1862, record(raw).steps[0].action, Scene(game, data, asked="12"))
    assert found == Order("12", DeclareDividend("EUR", ours))


def test_in_receivership_who_is_asked_acts(game: Game, data: TitleData) -> None:
    """Nobody directs it: the player asked gives the command."""
    directed(game, "EUR", "")
    assert order_of(game, data, "run_routes", "EUR", routes=[]).player == "12"


def test_a_train_of_the_bank_gets_its_kind_and_warranties(game: Game, data: TitleData) -> None:
    """The face bought tells the kind, stars left aside; a train of another company keeps its own."""
    directed(game, "EUR")
    buy = {"train": "A-0", "price": 100}
    found = order_of(game, data, "buy_train", "EUR", **buy, variant="2L*", warranties=2).command
    assert found == BuyNewTrain("EUR", "A-0", 100, "local", 2)
    TrainsState.to_write(game).owned["ECR"] = ("A-0",)
    found = order_of(game, data, "buy_train", "EUR", train="A-0", price=50, variant="2L*").command
    assert found == BuyTrain("EUR", "A-0", 50, "ECR")
    with pytest.raises(Rejected, match=r"1862\.warranty_limit"):
        order_of(game, data, "buy_train", "EUR", train="A-0", price=50, warranties=1)


def test_passing_without_train_and_money_raises_cash(game: Game, data: TitleData) -> None:
    """Who passes there accepts the way left: treasury shares if they bring enough, else a refinancing."""
    directed(game, "EUR")
    at_step(game, "buy_trains", "EUR")
    MarketState.to_write(game).markers["EUR"] = (0, 26)
    game.holdings[("EUR", "EUR")] = (5, 6)
    assert order_of(game, data, "pass", "EUR").command == RaiseCash("EUR", "treasury_shares")
    game.holdings[("EUR", "EUR")] = ()
    assert order_of(game, data, "pass", "EUR").command == RaiseCash("EUR", "refinancing")
    game.cash["EUR"] = 100
    assert order_of(game, data, "pass", "EUR").command == Pass()


@pytest.mark.parametrize(
    ("asked", "choice", "command"),
    [
        (Interrupt("1862.buy_tokens", "11", "EUR"), 3, BuyTokens("EUR", 3)),
        (Interrupt("1862.buy_tokens", "11", "EUR"), "4", BuyTokens("EUR", 4)),
        (Interrupt("1862.choose_survivor", "11", "EUR", "ECR"), "first", ChooseSurvivor("EUR")),
        (Interrupt("1862.choose_survivor", "11", "EUR", "ECR"), "last", ChooseSurvivor("ECR")),
        (Interrupt("1862.settle_option", "11", "EUR", "13"), "redeem", SettleOption(True)),
        (Interrupt("1862.settle_option", "11", "EUR", "13"), "sell", SettleOption(False)),
    ],
)
def test_choices_answer_what_is_asked(
    game: Game, data: TitleData, asked: Interrupt, choice: str | int, command: Command
) -> None:
    """The same action answers different questions."""
    game.interrupts = (asked,)
    assert order_of(game, data, "choose", 11, choice=choice).command == command


@pytest.mark.parametrize(
    ("asked", "choice"),
    [
        (Interrupt("1862.buy_tokens", "11", "EUR"), "many"),
        (Interrupt("1862.buy_tokens", "11", "EUR"), 10**30),
        (Interrupt("1862.choose_survivor", "11", "EUR", "ECR"), "both"),
        (Interrupt("1862.settle_option", "11", "EUR", "13"), 1),
    ],
)
def test_other_answers_are_refused(game: Game, data: TitleData, asked: Interrupt, choice: str | int) -> None:
    """What answers nothing that is asked is refused."""
    game.interrupts = (asked,)
    with pytest.raises(Rejected) as refused:
        order_of(game, data, "choose", 11, choice=choice)
    assert refused.value.code == "value_out_of_range"


def test_tokens_to_remove_are_named_by_city(game: Game, data: TitleData) -> None:
    """The survivor gives up the token that stands in the city named."""
    directed(game, "EUR")
    MapState.to_write(game).tiles = {"D11": LaidTile("619", 0, 1)}
    found = order_of(game, data, "remove_token", "EUR", city="619-1-0", slot=1)
    assert found.command == ChooseToken("EUR", "D11", 0)


def test_a_run_of_one_hop_goes_as_its_hop_is_written(game: Game, data: TitleData) -> None:
    """A single hop keeps its direction; several follow the stops."""
    directed(game, "EUR")
    one = {"train": "A-0", "hexes": ["C14", "B13"], "connections": [["B13", "C14"]], "revenue": 120}
    two = {"train": "A-1", "hexes": ["A", "B", "C"], "connections": [["B", "A"], ["B", "C"]], "revenue": 0}
    found = order_of(game, data, "run_routes", "EUR", routes=[one, two]).command
    assert found == RunTrains(
        "EUR",
        (
            TrainRun("A-0", (Hop(("B13", "C14")),)),
            TrainRun("A-1", (Hop(("A", "B")), Hop(("B", "C")))),
        ),
    )


def test_parts_of_tiles(game: Game, data: TitleData) -> None:
    """The second area of a printed hex is part 2, small stations of a tile count one by one, link spaces are no stop."""
    assert [part_number(data, game, "A8", stop) for stop in (0, 1)] == [0, 2]
    assert [stop_number(data, game, "D15", part, part_number) for part in (0, 4, 1)] == [0, 1, -1]
    assert place_name(data, game, ("A8", 1)) == "A8:2"
    assert place_name(data, game, ("D15", 0)) == "D15"
    MapState.to_write(game).tiles = {"C12": LaidTile("20_2", 0, 0)}
    assert place_name(data, game, ("C12", 1)) == "C12:1"


def test_trains_are_called_by_face_and_warranties(game: Game, data: TitleData) -> None:
    """A star for every warranty left."""
    State.to_write(game).train_kinds["B-1"] = "express"
    State.to_write(game).warranties["B-1"] = 2
    assert (train_name(data, game, "B-1"), train_name(data, game, "B-2")) == ("2/3E**", "B")


def test_a_survivor_is_chosen_within_the_step_of_the_merger(game: Game) -> None:
    """`Merge` before the turn, `Acquire` after it."""
    for step, named in (("merge", "Merge"), ("acquire", "Acquire")):
        at_step(game, step, "EUR")
        assert step_name(game, "choose_survivor") == named
