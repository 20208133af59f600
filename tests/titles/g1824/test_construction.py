"""Construction companies of two players: what they do, and when they leave the game (X.3-b to X.3-d, X.4-a)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.state import map_of, unplaced_tokens
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.titles.g1824.commands import ExchangeCompany
from services.rules.titles.g1824.companies import in_play
from services.rules.titles.g1824.state import reserved_of
from tests.positions.reading import moved_cash
from tests.titles.g1824.cisleithania import allotted
from tests.titles.g1824.table import ADA, BEN, Table


def building(company: str, **rulings: str) -> Table:
    """The construction company is about to lay track in the first operating round."""
    table = allotted(**rulings)
    table.pass_stock_round()
    if not table.tokens(company):
        table.home_tokens_stand(company)
    table.operating_round_is(company, "SD1", step="lay_track")
    return table


def buying(company: str, train: str, **rulings: str) -> Table:
    """After the purchase of the first train of a kind by this company of Ben's."""
    table = allotted(**rulings)
    table.pass_stock_round()
    order = ["2", "3", "4", "5"]
    for kind in order[: order.index(train)]:
        table.trains_are_sold(kind)
    table.has_cash(company, 1000)
    table.operating_round_is(company, step="buy_trains")
    prices = {"4": 280, "5": 400}
    table.act(table.asked(), BuyTrain(company, f"{train}-0", prices[train]))
    return table


@pytest.mark.clause("1824/X.3-b")
def test_a_construction_company_only_lays_track() -> None:
    """One tile by the rules of tiles, and its turn is over: no token, no run, no train, no money."""
    table = building("SD2")
    assert {type(command) for command in table.offered(BEN)} == {LayTile, Pass}
    assert table.game.money("SD2") == table.game.money("EOD") == 0
    table.act(BEN, LayTile("SD2", "G10", "6", 0))
    assert table.game.actor == "SD1"
    assert table.refusal(BEN, LayTile("SD2", "G8", "8", 0))[0] == "not_your_turn"


@pytest.mark.clause("1824/X.3-b")
def test_a_construction_company_pays_nothing_for_terrain() -> None:
    """The mountain in G8 costs others 40; track must be connected all the same."""
    table = building("SD2")
    table.tile_lies("G10", "57", 1)
    table.operating_round_is("SD2", step="lay_track")
    assert table.refusal(BEN, LayTile("SD2", "B7", "8", 0))[1] == "1824/VII.6-d"
    before = table.game.money(BANK)
    tiles = {command.hex for command in table.offered(BEN, LayTile) if isinstance(command, LayTile)}
    assert "G8" in tiles
    lay = next(each for each in table.offered(BEN, LayTile) if isinstance(each, LayTile) and each.hex == "G8")
    table.act(BEN, lay)
    assert table.game.money(BANK) == before and "G8" in map_of(table.game).tiles


@pytest.mark.clause("1824/X.3-b")
def test_a_construction_company_is_not_exchanged() -> None:
    """Its regional has no director's certificate to give."""
    table = allotted()
    table.pass_stock_round()
    table.phase_is("3")
    table.stock_round_is(ADA)
    assert table.refusal(ADA, ExchangeCompany("EOD", "MS")) == ("1824.exchange_not_possible", "1824/X.3-b")
    table.act(ADA, ExchangeCompany("EPP", "BK"))


@pytest.mark.clause("1824/X.3-c")
@pytest.mark.parametrize(("pre_state", "closes_with"), [("SD2", "4"), ("SD3", "4"), ("KK2", "5")])
def test_both_close_with_the_train_of_the_state(pre_state: str, closes_with: str) -> None:
    """The first 4-train where an SD company builds, the first 5-train where KK2 does; without compensation."""
    for train in ("4", "5"):
        table = allotted("EOD", pre_state)
        table.pass_stock_round()
        cash = table.game.money(BEN)
        table.home_tokens_stand(*(each for each in ("EOD", pre_state) if not table.tokens(each)))
        for kind in ("2", "3", "4")[: ("4", "5").index(train) + 2]:
            table.trains_are_sold(kind)
        table.has_cash("SD1", 1000)
        table.operating_round_is("SD1", step="buy_trains")
        table.act(BEN, BuyTrain("SD1", f"{train}-0", {"4": 280, "5": 400}[train]))
        closed = [not in_play(table.game, company) for company in ("EOD", pre_state)]
        assert closed == [train == closes_with] * 2
        assert not (closed[0] and (table.tokens("EOD") or table.tokens(pre_state)))
        assert table.game.money(BEN) == cash


@pytest.mark.clause("1824/X.3-d")
def test_the_state_gets_120_when_they_close() -> None:
    """At once by the rulebook; the certificate kept for the company is for sale once the state has formed."""
    table = buying("SD1", "4")
    assert moved_cash(table.log, "capital_paid_in")[-1] == (BANK, "SD", 120)
    assert table.game.money("SD") == 120 and reserved_of(table.game, "SD") == (0, 1, 2)
    table.act(ADA, ExchangeCompany("B1", "BK"))
    table.act(BEN, ExchangeCompany("B2", "BK"))
    table.pass_on()
    assert companies_of(table.game)["SD"].opened and reserved_of(table.game, "SD") == ()
    assert table.game.held(BANK, "SD")[-7:] == (2, 3, 4, 5, 6, 7, 8)


@pytest.mark.clause("1824/X.3-d")
def test_the_state_gets_120_at_its_formation_by_ruling() -> None:
    """As the price of one more share, which nobody keeps from the allotment on."""
    table = buying("SD1", "4", construction_capital="at_formation")
    assert table.game.money("SD") == 0 and len(reserved_of(table.game, "SD")) == 2


@pytest.mark.clause("1824/X.4-a")
def test_kk_forms_with_the_first_5_train() -> None:
    """Not only with the first 6-train as in the base game."""
    table = buying("SD1", "5")
    assert not companies_of(table.game)["KK"].opened
    table.pass_on()
    assert companies_of(table.game)["KK"].opened
    assert table.director("KK") == ADA and not in_play(table.game, "KK1")


def state_formed(pre_state: str, train: str, **rulings: str) -> Table:
    """The construction company has left the game, and its state has formed."""
    state = pre_state[:2]
    table = allotted("EOD", pre_state, mountain_forced_exchange="may_discard", **rulings)
    table.pass_stock_round()
    table.home_tokens_stand(*(each for each in ("SD1", "SD2", "SD3", "KK1", "KK2") if not table.tokens(each)))
    for kind in ("2", "3", "4")[: ("4", "5").index(train) + 2]:
        table.trains_are_sold(kind)
    buyer = "KK1" if state == "SD" else "SD1"
    table.has_cash(buyer, 1000)
    table.operating_round_is(buyer, step="buy_trains")
    table.act(table.asked(), BuyTrain(buyer, f"{train}-0", {"4": 280, "5": 400}[train]))
    while not companies_of(table.game)[state].opened:
        table.pass_on()
    return table


@pytest.mark.clause("1824/IV.4.4-a")
@pytest.mark.parametrize(("pre_state", "train"), [("SD2", "4"), ("SD3", "4")])
def test_a_state_has_five_tokens_without_its_construction_company(pre_state: str, train: str) -> None:
    """Two taken over from its other pre-states, three on its charter."""
    table = state_formed(pre_state, train)
    assert len(table.tokens("SD")) == 2 and unplaced_tokens(table.game, "SD") == (100, 100, 100)


@pytest.mark.clause("1824/VII.8-d")
def test_kk_with_one_token_on_the_map_pays_40_for_the_next() -> None:
    """The example of the rulebook: one of its two pre-states was the construction company."""
    table = state_formed("KK2", "5")
    assert len(table.tokens("KK")) == 1 and unplaced_tokens(table.game, "KK") == (40, 100, 100, 100)


@pytest.mark.clause("1824/IV.4.4-a")
@pytest.mark.parametrize(
    ("pre_state", "train", "left"), [("SD2", "4", (100, 100)), ("KK2", "5", (100, 100, 100))]
)
def test_a_token_is_lost_with_the_construction_company_by_ruling(
    pre_state: str, train: str, left: tuple[int, ...]
) -> None:
    """Four in all."""
    table = state_formed(pre_state, train, tokens_after_construction="four")
    assert unplaced_tokens(table.game, pre_state[:2]) == left
