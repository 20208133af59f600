"""Recorded actions as commands."""

from __future__ import annotations

from typing import Any

import pytest

from services.rules.importer.actions import Action
from services.rules.importer.dialect import Scene
from services.rules.importer.names import names_of, stop_number
from services.rules.importer.translate import Order, translate
from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.game import Game, Interrupt
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.commands import ChooseToken, LayTile, PlaceToken
from services.rules.parts.map.events import TokenReplaced
from services.rules.parts.map.state import MapState
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.events import SharesDivided
from services.rules.parts.shares.state import Company, SharesState
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend, Hop, RunTrains, TrainRun
from services.rules.parts.trains.state import TrainsState
from services.rules.titles.g1824.commands import BuyCompany, ExchangeCompany, RepayDebt, TradeInTrain
from services.rules.titles.g1824.importer.dialect import DIALECT as DIALECT_1824
from services.rules.titles.g1824.importer.names import part_number
from tests.recorded.documents import act, record, replayed


@pytest.fixture
def game() -> Game:
    """A game of three at its start, to be changed freely."""
    return replayed().game.copy()


@pytest.fixture(scope="module")
def data() -> TitleData:
    """The data of 1824."""
    return replayed().data


def translated(action: Action, scene: Scene) -> Order:
    """The command of an action that asks for one."""
    found = translate(DIALECT_1824, action, scene)
    assert found is not None
    return found


def order_of(game: Game, data: TitleData, kind: str, entity: int | str = 13, **fields: Any) -> Order:
    """What an action asks for in this state."""
    return translated(action_of(kind, entity, **fields), Scene(game, data, asked="12"))


def action_of(kind: str, entity: int | str = 13, **fields: Any) -> Action:
    """One recorded action."""
    return record(act(1, kind, entity, **fields)).steps[0].action


def directed(game: Game, symbol: str, director: str) -> None:
    """Put a company into a player's hands."""
    SharesState.to_write(game).companies[symbol] = Company(price_paid=1, opened=True, director=director)


def test_a_player_acts_for_himself(game: Game, data: TitleData) -> None:
    """Ids of players are texts here."""
    assert order_of(game, data, "pass") == Order("13", Pass())


def test_a_company_acts_through_its_director(game: Game, data: TitleData) -> None:
    """The director gives the command; while nobody directs, the player who is asked first."""
    directed(game, "EPP", "11")
    lay = {"hex": "B5", "tile": "6-2", "rotation": 3}
    assert order_of(game, data, "lay_tile", "EPP", **lay) == Order("11", LayTile("EPP", "B5", "6", 3, 2))
    directed(game, "UG", "")
    assert order_of(game, data, "pass", "UG").player == "12"


@pytest.mark.parametrize(
    ("kind", "fields", "command"),
    [
        ("buy_company", {"company": "B2", "price": 120}, BuyCompany("B2", 120)),
        ("buy_shares", {"shares": ["SD_3"], "percent": 10}, BuyCertificate("SD", "bank", 3)),
        ("par", {"corporation": "BH", "share_price": "80,4,2"}, StartCompany("BH", 80)),
        ("sell_shares", {"shares": ["SD_0"], "percent": 10}, SellCertificates("SD", 1, (0,))),
        ("special_buy", {"description": "EOD", "cost": 0}, ExchangeCompany("EOD", "MS")),
    ],
)
def test_what_players_ask_for(
    game: Game, data: TitleData, kind: str, fields: dict[str, Any], command: Command
) -> None:
    """Certificates keep their numbers, a coal company goes for its regional, a partial sale says how much."""
    assert order_of(game, data, kind, **fields) == Order("13", command)


def test_percent_that_is_no_number_of_shares_is_refused(game: Game, data: TitleData) -> None:
    """A company of ten has shares of 10 %, and after a division into five shares of 20 %."""
    for percent, divided in ((15, 10), (10, 5)):
        SharesDivided("SD", divided).write(game)
        with pytest.raises(Rejected, match="value_out_of_range"):
            order_of(game, data, "sell_shares", shares=["SD_0"], percent=percent)
    assert order_of(game, data, "sell_shares", shares=["SD_0"], percent=20).command == SellCertificates(
        "SD", 1, (0,)
    )


def test_shares_are_bought_where_they_lie(game: Game, data: TitleData) -> None:
    """A certificate in the pool comes from there."""
    game.holdings[("pool", "SD")] = (4,)
    command = order_of(game, data, "buy_shares", shares=["SD_4"], percent=10).command
    assert command == BuyCertificate("SD", "pool", 4)


def test_a_mountain_company_is_exchanged_by_its_owner(game: Game, data: TitleData) -> None:
    """The acting entity is the company handed in."""
    directed(game, "B3", "11")
    raw = act(1, "buy_shares", "B3", shares=["MS_5"], percent=10, share_price=0) | {"entity_type": "company"}
    found = translated(record(raw).steps[0].action, Scene(game, data))
    assert found == Order("11", ExchangeCompany("B3", "MS", 5))


def test_a_debt_is_paid_off_as_far_as_the_cash_goes(game: Game, data: TitleData) -> None:
    """All he can: the smaller of cash and debt."""
    game.debts["13"], game.cash["13"] = 300, 120
    assert order_of(game, data, "payoff_player_debt").command == RepayDebt(120)
    game.cash["13"] = 500
    assert order_of(game, data, "payoff_player_debt").command == RepayDebt(300)


@pytest.mark.parametrize(("amount", "cash", "repaid"), [(20, 120, 20), (200, 120, 120), (400, 500, 300)])
def test_a_part_of_a_debt_is_never_more_than_cash_and_debt(
    game: Game, data: TitleData, amount: int, cash: int, repaid: int
) -> None:
    """The peer takes what there is, whatever amount the file names."""
    game.debts["13"], game.cash["13"] = 300, cash
    assert order_of(game, data, "payoff_player_debt_partial", amount=amount).command == RepayDebt(repaid)


def test_a_train_comes_from_its_owner(game: Game, data: TitleData) -> None:
    """The depot unless a company owns the train; another is handed in to the bank alone."""
    buy = {"train": "3-1", "price": 140, "variant": "3"}
    assert order_of(game, data, "buy_train", "EPP", **buy).command == BuyTrain("EPP", "3-1", 140, "bank")
    trade = TradeInTrain("EPP", "3-1", 140, "2-0")
    assert order_of(game, data, "buy_train", "EPP", **buy, exchange="2-0").command == trade
    TrainsState.to_write(game).owned["UG2"] = ("3-1",)
    assert order_of(game, data, "buy_train", "EPP", **buy).command == BuyTrain("EPP", "3-1", 140, "UG2")


@pytest.mark.parametrize(("kind", "ours"), [("payout", "pay"), ("withhold", "withhold"), ("half", "half")])
def test_dividends(game: Game, data: TitleData, kind: str, ours: str) -> None:
    """The kinds of dividend have other names."""
    found = translated(record(act(1, "dividend", "SD") | {"kind": kind}).steps[0].action, Scene(game, data))
    assert found.command == DeclareDividend("SD", ours)


def test_printed_cities_of_one_hex_are_two_parts_apart(game: Game, data: TitleData) -> None:
    """Printed Vienna is 0, 2, 4, printed Buda Pest 0, 2; a tile counts its cities one by one."""
    assert [part_number(data, game, "E12", stop) for stop in range(3)] == [0, 2, 4]
    assert [stop_number(data, game, "F17", part, part_number) for part in (0, 1, 2)] == [0, -1, 1]
    MapState.to_write(game).tiles = {"E12": LaidTile("499", 0, 0)}
    assert [part_number(data, game, "E12", stop) for stop in range(3)] == [0, 1, 2]


def test_tokens_are_placed_by_tile_or_printed_hex(game: Game, data: TitleData) -> None:
    """The tile's copy tells the hex; on a printed hex its own name does."""
    MapState.to_write(game).tiles = {"C12": LaidTile("619", 2, 1)}
    placed = order_of(game, data, "place_token", "SD", city="619-1-0", slot=1).command
    assert isinstance(placed, PlaceToken) and (placed.hex, placed.city) == ("C12", 0)
    placed = order_of(game, data, "place_token", "SD", city="E12-0-4", slot=0).command
    assert isinstance(placed, PlaceToken) and (placed.hex, placed.city) == ("E12", 2)


@pytest.mark.parametrize("city", ["", "E12", "C12-0-0", "619-0-0", "E12-0-1", "E12-x-0", "E12-0-99999999999"])
def test_cities_that_are_not_there_are_refused(game: Game, data: TitleData, city: str) -> None:
    """No such hex, tile, copy or part on the map."""
    MapState.to_write(game).tiles = {"C12": LaidTile("619", 2, 1)}
    with pytest.raises(Rejected) as refused:
        order_of(game, data, "place_token", "SD", city=city, slot=0)
    assert refused.value.code == "unknown_city"


def test_the_slot_counts_only_beside_a_kept_one(game: Game, data: TitleData) -> None:
    """The first free slot is taken, unless a company at home there has still to come."""
    MapState.to_write(game).tiles = {"C12": LaidTile("619", 2, 0)}
    kept = order_of(game, data, "place_token", "SD", city="619-0-0", slot=1).command
    MapState.to_write(game).tokens = {("C12", 0): ("", "MS")}
    free = order_of(game, data, "place_token", "SD", city="619-0-0", slot=1).command
    assert isinstance(kept, PlaceToken) and isinstance(free, PlaceToken)
    assert (kept.slot, free.slot) == (1, -1)


def test_hops_follow_the_stops(game: Game, data: TitleData) -> None:
    """Each hop leads from its stop to the next, whichever end the file lists first."""
    route = {
        "train": "3-0",
        "hexes": ["F17", "E14", "E12"],
        "connections": [["E14", "F15", "F17"], ["E14", "E12"]],
        "revenue": 90,
    }
    found = order_of(game, data, "run_routes", "UG1", routes=[route], subsidy=0).command
    hops = (Hop(("F17", "F15", "E14")), Hop(("E14", "E12")))
    assert found == RunTrains("UG1", (TrainRun("3-0", hops),))
    assert order_of(game, data, "run_routes", "UG1", routes=[]).command == RunTrains("UG1", ())


@pytest.mark.parametrize(("choice", "city"), [("Return one token", 2), ("Return the other token", 0)])
def test_tokens_to_choose_are_counted_as_they_were_taken_over(
    game: Game, data: TitleData, choice: str, city: int
) -> None:
    """The first token is that of the pre-state taken over first, wherever on the tile it stands."""
    game.interrupts = (Interrupt("1824.choose_token", "11", "KK"),)
    inherited = (
        TokenReplaced("KK1", "E12", 2, 0, "KK", "inherited"),
        TokenReplaced("KK2", "E12", 0, 0, "KK", "inherited"),
    )
    action = action_of("choose", 11, choice=choice)
    found = translated(action, Scene(game, data, "11", inherited))
    assert found == Order("11", ChooseToken("KK", "E12", city))


@pytest.mark.parametrize("choice", ["sell", 2])
def test_other_answers_are_refused(game: Game, data: TitleData, choice: str | int) -> None:
    """An answer that names neither token is no answer."""
    game.interrupts = (Interrupt("1824.choose_token", "11", "KK"),)
    with pytest.raises(Rejected) as refused:
        order_of(game, data, "choose", 11, choice=choice)
    assert refused.value.code == "token_choice"


def test_players_have_the_names_of_the_file() -> None:
    """Numbers stay numbers, everything that is no player stays as it is."""
    names = names_of((0, "seven"))
    assert [names.of("0"), names.of("seven"), names.of("bank"), names.maybe("")] == [0, "seven", "bank", None]
