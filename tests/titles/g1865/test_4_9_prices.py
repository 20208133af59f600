"""How the value of a share moves in 1865 (4.9)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import POOL
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from tests.positions.market import price_moves
from tests.titles.g1865.table import ADA, BEN, Table, stock_table


def _earning(price: int = 100, *, traffic: int = 5, trains: tuple[str, ...] = ("2",)) -> Table:
    """FMS of Ada has so much traffic and these trains, and is about to reckon its revenue."""
    table = stock_table()
    table.is_launched("FMS", price, ADA, treasury=2000)
    table.owns_trains("FMS", *trains)
    table.traffic_is("FMS", traffic)
    table.company_turn_is("FMS", step="hand_over")
    table.carry_on()
    return table


@pytest.mark.clause("1865/4.9-a")
def test_a_dividend_lifts_the_value_by_a_space() -> None:
    """From 100 to 110."""
    table = _earning()
    assert [
        each.price for each in price_moves(table.act(ADA, DeclareDividend("FMS", "pay")), "dividend")
    ] == [110]


@pytest.mark.clause("1865/4.9-b")
@pytest.mark.clause("1865/5.5-a")
def test_new_trains_lift_the_value_by_one_space_in_a_turn() -> None:
    """Three new trains at their face value: one space. A used one of the pool or of another company: none."""
    table = _earning()
    table.train_is_owned("3-9", POOL)
    table.is_launched("FA", 60, ADA)
    (used,) = table.owns_trains("FA", "2")
    table.company_turn_is("FMS", step="buy_trains")
    moves = [
        *price_moves(table.act(ADA, BuyTrain("FMS", "3-9", 200, POOL))),
        *price_moves(table.act(ADA, BuyTrain("FMS", used, 1, "FA"))),
    ]
    assert moves == []
    table.train_is_gone("3-9", "FMS")
    table.train_is_gone(used, "FMS")
    for train in ("2-2", "2-3", "2-4"):
        moves += price_moves(table.act(ADA, BuyTrain("FMS", train, 100)))
    assert [each.price for each in moves] == [110]


@pytest.mark.clause("1865/4.9-d")
@pytest.mark.parametrize(("traffic", "trains"), [(0, ("2",)), (5, ())])
def test_without_revenue_the_value_falls_by_a_space(traffic: int, trains: tuple[str, ...]) -> None:
    """No traffic, or no train: from 100 to 90, without a question."""
    assert _earning(traffic=traffic, trains=trains).price_of("FMS") == 90


@pytest.mark.clause("1865/4.9-e")
def test_the_value_stays_when_revenue_is_kept() -> None:
    """It stays at 100, and the company has the money."""
    table = _earning()
    assert price_moves(table.act(ADA, DeclareDividend("FMS", "withhold"))) == []
    assert (table.price_of("FMS"), table.game.money("FMS")) == (100, 2050)


@pytest.mark.clause("1865/4.9-f")
def test_dividend_and_new_train_are_two_spaces() -> None:
    """From 100 to 120."""
    table = _earning()
    table.act(ADA, DeclareDividend("FMS", "pay"))
    table.act(ADA, BuyTrain("FMS", "2-1", 100))
    assert table.price_of("FMS") == 120


@pytest.mark.clause("1865/4.9-g")
def test_at_its_ends_the_line_ends() -> None:
    """10 does not fall, 490 does not rise."""
    assert _earning(10, traffic=0).price_of("FMS") == 10
    top = _earning(490)
    top.act(ADA, DeclareDividend("FMS", "pay"))
    assert top.price_of("FMS") == 490
    low = stock_table()
    low.is_launched("FMS", 20, ADA, shares=2)
    low.is_converted("FMS")
    low.holds(ADA, "FMS", 4)
    low.act(ADA, SellCertificates("FMS", 4))
    assert low.price_of("FMS") == 10


@pytest.mark.clause("1865/4.9-h")
def test_a_marker_that_comes_to_a_value_lies_under_those_there() -> None:
    """FMS rises to 110, where FA is."""
    table = _earning()
    table.is_launched("FA", 110, BEN)
    table.act(ADA, DeclareDividend("FMS", "pay"))
    assert market_of(table.game).cells[market_of(table.game).markers["FA"]] == ("FA", "FMS")
    assert Pass() in table.offered(ADA)
