"""Pre-state companies of 1824, clause by clause (section IV.3)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from services.rules.parts.trains.events import DividendDeclared, TrainsRan
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.commands import BuyCompany
from services.rules.titles.g1824.state import reserved_of
from tests.titles.g1824.positions import (
    ADA,
    BEN,
    CLEO,
    DORA,
    Table,
    clear_table,
    new_table,
    of_type,
    owned_table,
)

PRICES = {"SD1": 240, "SD2": 120, "SD3": 120, "UG1": 240, "UG2": 120, "KK1": 240, "KK2": 120}


def buying_table(cash: int = 500) -> Table:
    """Ada's SD2 with this much money is about to buy a train in the first phase."""
    table = owned_table({"SD2": ADA})
    table.phase("2")
    table.cash("SD2", cash)
    table.operating_round("SD2", count=2)
    return table


@pytest.mark.parametrize(("symbol", "price"), PRICES.items())
@pytest.mark.clause("1824/IV.3-a", "1824/IV.3-b", "1824/IV.3-j")
def test_price_and_capital_of_a_pre_state_company(symbol: str, price: int) -> None:
    """It costs 240 G with number 1 and else 120 G, and all of it is its starting cash."""
    table = new_table(4)
    assert table.refusal(DORA, BuyCompany(symbol, 360 - price)) == ("price_not_offered", "1824/IV.2-b")
    table.act(DORA, BuyCompany(symbol, price))
    assert table.game.money(DORA) == 680 - price
    assert table.game.money(symbol) == price
    assert table.director(symbol) == DORA


@pytest.mark.clause("1824/IV.3-g")
def test_a_pre_state_company_is_never_sold() -> None:
    """No sale of it is offered, and asking for one is refused."""
    table = owned_table({"SD2": ADA})
    table.stock_round(ADA)
    assert table.refusal(ADA, SellCertificates("SD2", 1)) == ("company_not_offered", "1824/IV.3-g")
    assert table.offered(ADA, SellCertificates) == []


@pytest.mark.clause("1824/IV.3-h")
def test_a_pre_state_company_owns_two_trains_at_most() -> None:
    """It buys two trains in one turn and is refused a third."""
    table = buying_table()
    table.act(ADA, BuyTrain("SD2", "2-1", 80))
    table.act(ADA, BuyTrain("SD2", "2-2", 80))
    table.operating_round("SD2")
    assert table.refusal(ADA, BuyTrain("SD2", "2-3", 80)) == ("train_limit", "1824/VII.11-p")


@pytest.mark.clause("1824/IV.3-i")
def test_a_pre_state_company_must_own_a_train() -> None:
    """Without a train it may not end its turn, with one it may."""
    table = buying_table()
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1824/VII.11-m")
    table.act(ADA, BuyTrain("SD2", "2-1", 80))
    table.act(ADA, Pass())
    assert trains_of(table.game).owned["SD2"] == ("2-1",)


@pytest.mark.clause("1824/IV.3-k")
def test_a_pre_state_company_always_splits_its_revenue() -> None:
    """Of 70 G Ada gets 35 and SD2 keeps 35 and 10 G of a mine, without anybody being asked."""
    table = buying_table(cash=0)
    before = table.game.money(ADA)
    table.operating_round("SD2", step="run_trains")
    table.write(TrainsRan("SD2", (), 70, 10))
    events = table.carry_on()
    assert of_type(events, DividendDeclared) == [DividendDeclared("SD2", "half", 70, 35, 1)]
    assert table.game.money(ADA) == before + 35
    assert table.game.money("SD2") == 35 + 10
    assert table.refusal(ADA, DeclareDividend("SD2", "pay"))[0] == "wrong_step"


@pytest.mark.clause("1824/IV.3-f", "1824/IV.3-c")
def test_pre_state_companies_operate_until_the_end_of_the_round() -> None:
    """SD1 buys the first 4-train; SD2 still has its turn, and only then both close and their owners get SD."""
    table = owned_table({"SD1": ADA, "SD2": BEN, "UG1": CLEO})
    table.phase("3")
    table.deplete("3")
    table.cash("SD1", 300)
    table.train("SD2", "1g")
    table.train("UG1", "1g")
    table.operating_round("SD1", "SD2", "UG1", count=2)
    table.act(ADA, BuyTrain("SD1", "4-0", 280))
    assert table.game.actor == "SD2"
    assert not companies_of(table.game)["SD1"].closed
    assert table.shares(ADA, "SD") == 0
    table.pass_on()
    assert table.game.actor == "UG1"
    assert not companies_of(table.game)["SD2"].closed
    while table.game.current_round.number == 1:
        table.pass_on()
    assert companies_of(table.game)["SD1"].closed
    assert companies_of(table.game)["SD2"].closed
    assert (table.shares(ADA, "SD"), table.shares(BEN, "SD")) == (2, 1)
    assert not companies_of(table.game)["UG1"].closed
    assert table.game.current_round.order == ("UG1", "SD")


@pytest.mark.clause("1824/IV.3-a", "1824/VI.3-e")
def test_unsold_pre_state_companies_leave_the_game() -> None:
    """After the initial stock round they are out, and what was kept of the states for them is free."""
    table = clear_table()
    assert all(companies_of(table.game)[symbol].closed for symbol in PRICES)
    assert [reserved_of(table.game, state) for state in ("SD", "UG", "KK")] == [(), (), ()]
