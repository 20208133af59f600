"""Regionals of 1824 and majors in general, clause by clause (sections IV.4.1 to IV.4.3)."""

import pytest

from services.rules.kernel.events import StepStarted
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.events import CompanyOpened
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from services.rules.parts.trains.events import TrainsRan
from services.rules.titles.g1824.commands import BuyCompany, ExchangeCompany
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

PAR_PRICES = (60, 70, 80, 90, 100)


def running_table(step: str) -> Table:
    """Ada's MS (30 %, Ben 20 %) stands in this step; everybody else has nothing of it."""
    table = clear_table()
    table.price("MS", 100)
    table.hold(ADA, "MS", 3, director=True)
    table.hold(BEN, "MS", 2)
    table.open("MS", 0)
    table.operating_round("MS", step=step)
    return table


@pytest.mark.clause("1824/IV.4.1-a")
def test_the_biggest_shareholder_decides() -> None:
    """Ada with 30 % is asked for MS; Ben with 20 % is refused until he holds more than she does."""
    table = running_table("declare_dividend")
    table.write(TrainsRan("MS", (), 100, 0), StepStarted("declare_dividend"))
    assert table.asked() == ADA
    assert table.refusal(BEN, DeclareDividend("MS", "pay"))[0] == "not_your_turn"
    table.hold(BEN, "MS", 1)
    table.stock_round(BEN)
    table.act(BEN, BuyCertificate("MS"))
    assert table.director("MS") == BEN


@pytest.mark.clause("1824/IV.4.1-b")
def test_a_directors_certificate_is_20_percent_and_one_certificate() -> None:
    """The director's certificate of BH is 20 % of it and costs twice the price, but counts once toward the limit."""
    table = clear_table()
    table.stock_round(ADA)
    cash = table.game.money(ADA)
    table.act(ADA, StartCompany("BH", 90))
    assert table.shares(ADA, "BH") == 2
    assert table.game.money(ADA) == cash - 180
    assert table.certificates(ADA) == 1


@pytest.mark.clause("1824/IV.4.1-c")
def test_shares_are_on_sale_as_soon_as_there_is_a_price() -> None:
    """10 % of BK is refused until EPP is bought for 160 G; then it costs 80 G, still in the initial stock round."""
    table = new_table(4)
    assert table.refusal(DORA, BuyCertificate("BK")) == ("company_without_price", "1824/VI.4-b")
    table.act(DORA, BuyCompany("EPP", 160))
    table.act(CLEO, BuyCertificate("BK"))
    assert (table.shares(CLEO, "BK"), table.game.money(CLEO)) == (1, 600)


@pytest.mark.parametrize("symbol", ["BH", "BK"])
@pytest.mark.clause("1824/IV.4.1-d", "1824/IV.4.3-c")
def test_without_a_price_the_directors_certificate_is_sold_first(symbol: str) -> None:
    """BH, and BK whose coal company nobody bought, sell 10 % only after somebody bought the director's certificate."""
    table = clear_table()
    table.stock_round(ADA)
    refused = table.refusal(ADA, BuyCertificate(symbol))
    assert refused == ("company_without_price", "1824/VI.4-b")
    assert BuyCertificate(symbol) not in table.offered(ADA)
    table.act(ADA, StartCompany(symbol, 70))
    assert table.game.held(ADA, symbol) == (0,)
    assert table.director(symbol) == ADA
    table.act(BEN, BuyCertificate(symbol))
    assert table.shares(BEN, symbol) == 1


@pytest.mark.clause("1824/IV.4.1-e", "1824/IV.4.1-f")
def test_forced_exchange_gives_a_plain_certificate_of_a_regional_without_price() -> None:
    """At the first 4-train a mountain company may go into BH without a price, but never for its director's certificate."""
    table = owned_table({"B1": CLEO})
    table.phase("3")
    table.deplete("3")
    table.price("MS", 100)
    table.hold(ADA, "MS", 5, director=True)
    table.open("MS", 300)
    table.operating_round("MS")
    table.act(ADA, BuyTrain("MS", "4-0", 280))
    refused = table.refusal(CLEO, ExchangeCompany("B1", "BH", 0))
    assert refused == ("certificate_reserved", "1824/IV.1-f")
    table.act(CLEO, ExchangeCompany("B1", "BH"))
    assert table.shares(CLEO, "BH") == 1
    assert "BH" not in market_of(table.game).markers


@pytest.mark.parametrize(("kind", "ada", "ben"), [("pay", 30, 20), ("withhold", 0, 0)])
@pytest.mark.clause("1824/IV.4.1-g")
def test_shares_earn_whenever_the_company_pays(kind: str, ada: int, ben: int) -> None:
    """Of 100 G paid out 30 % bring 30 G and 20 % bring 20 G in each of two rounds; withheld they bring nothing."""
    table = running_table("declare_dividend")
    for _ in range(2):
        table.operating_round("MS", step="declare_dividend")
        table.write(TrainsRan("MS", (), 100, 0))
        before = table.game.money(ADA), table.game.money(BEN)
        table.act(ADA, DeclareDividend("MS", kind))
        assert (table.game.money(ADA), table.game.money(BEN)) == (before[0] + ada, before[1] + ben)


def coal_regional(coal_price: int, **rulings: str) -> Table:
    """Ben has exchanged EPP, bought for `coal_price`, for 20 % of BK; a stock round begins with Cleo."""
    table = new_table(4, **rulings)
    table.own(BEN, "EPP", price=coal_price)
    table.leave_initial_round()
    table.phase("3")
    table.stock_round(BEN)
    table.cash("EPP", coal_price - 120)
    table.act(BEN, ExchangeCompany("EPP", "BK"))
    table.stock_round(CLEO)
    return table


@pytest.mark.clause("1824/IV.4.2-b", "1824/VI.5-a")
def test_a_coal_regional_opens_with_half_of_it_in_players_hands() -> None:
    """Director's certificate and 20 % do not open BK; the purchase of another 10 % does, at that moment."""
    table = coal_regional(120)
    table.hold(ADA, "BK", 1)
    table.act(CLEO, BuyCertificate("BK"))
    assert not companies_of(table.game)["BK"].opened
    events = table.act(DORA, BuyCertificate("BK"))
    assert CompanyOpened("BK") in events
    assert table.director("BK") == BEN


@pytest.mark.clause("1824/IV.4.2-b", "1824/VI.5-a")
def test_ruling_makes_one_player_hold_the_half() -> None:
    """Under ruling `one_player` 70 % spread over the table do not open BK; the director's 50 % do."""
    table = coal_regional(120, regional_opening="one_player")
    for player in (ADA, CLEO, DORA):
        table.hold(player, "BK", 1)
    table.stock_round(BEN)
    table.hold(BEN, "BK", 1)
    table.act(BEN, BuyCertificate("BK"))
    assert not companies_of(table.game)["BK"].opened
    table.stock_round(BEN)
    table.act(BEN, BuyCertificate("BK"))
    assert companies_of(table.game)["BK"].opened


@pytest.mark.parametrize(("coal_price", "treasury"), [(120, 480), (200, 800 + 80)])
@pytest.mark.clause("1824/IV.4.2-c", "1824/VI.5-b")
def test_capital_of_a_coal_regional(coal_price: int, treasury: int) -> None:
    """8 times 60 G, or 8 times 100 G and the 80 G of its coal company; tokens for 0, 40 and 100 G on the charter."""
    table = coal_regional(coal_price)
    table.hold(ADA, "BK", 2)
    bank, cash = table.game.money(BANK), table.game.money(CLEO)
    table.act(CLEO, BuyCertificate("BK"))
    assert table.game.money("BK") == treasury
    assert table.game.money(BANK) == bank - 8 * coal_price // 2 + (cash - table.game.money(CLEO))
    assert unplaced_tokens(table.game, "BK") == (0, 40, 100)


@pytest.mark.clause("1824/IV.4.2-d")
def test_a_regional_whose_coal_company_was_not_sold_is_like_any_other() -> None:
    """Its buyer chooses 70 G, and with half of it sold it opens with 10 times 70 G."""
    table = clear_table()
    table.phase("2")
    table.stock_round(ADA)
    assert reserved_of(table.game, "BK") == ()
    prices = [choice.price for choice in table.offered(ADA, StartCompany) if isinstance(choice, StartCompany)]
    assert sorted(prices) == sorted(PAR_PRICES * 5)
    table.act(ADA, StartCompany("BK", 70))
    table.hold(BEN, "BK", 2)
    table.act(BEN, BuyCertificate("BK"))
    assert companies_of(table.game)["BK"].opened
    assert table.game.money("BK") == 700


@pytest.mark.parametrize("price", PAR_PRICES)
@pytest.mark.clause("1824/IV.4.3-b", "1824/IV.4.3-d", "1824/IV.4.3-e")
def test_price_opening_and_capital_of_bh(price: int) -> None:
    """The buyer sets 60 to 100 G; with the fifth tenth sold BH opens, with 10 times the price."""
    table = clear_table()
    table.stock_round(ADA)
    for wrong in (50, 75, 110, 120):
        assert table.refusal(ADA, StartCompany("BH", wrong)) == ("price_not_offered", "1824/VI.4-c")
    table.act(ADA, StartCompany("BH", price))
    assert table.price_of("BH") == price
    table.hold(CLEO, "BH", 1)
    table.act(BEN, BuyCertificate("BH"))
    assert not companies_of(table.game)["BH"].opened
    events = table.act(CLEO, BuyCertificate("BH"))
    assert of_type(events, CompanyOpened) == [CompanyOpened("BH")]
    assert table.game.money("BH") == 10 * price


@pytest.mark.clause("1824/IV.4.3-d", "1824/IV.4.1-e")
def test_exchanged_certificates_count_toward_the_opening_of_bh() -> None:
    """30 % from exchanges and the director's certificate open BH at the moment it is bought."""
    table = owned_table({"B1": CLEO})
    table.phase("3")
    table.hold(CLEO, "BH", 1)
    table.hold(DORA, "BH", 1)
    table.stock_round(CLEO)
    table.act(CLEO, ExchangeCompany("B1", "BH"))
    assert not companies_of(table.game)["BH"].opened
    table.act(DORA, StartCompany("BH", 60))
    assert companies_of(table.game)["BH"].opened
    assert table.game.money("BH") == 600
