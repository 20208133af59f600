"""The order of companies and of the steps of a turn in operating rounds of 1865 (5)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.parts.map.commands import LayTile
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from services.rules.titles.g1865.commands import HandOver, PlaceTokenByRoute
from tests.positions.rounds import begun_steps, ended_turns, new_orders, round_orders
from tests.titles.g1865.table import ADA, BEN, CLEO, TO_CAGLIARI, TO_CAGLIARI_HEXES, Table, stock_table


@pytest.mark.clause("1865/5-a")
def test_companies_operate_by_falling_value_and_from_the_top_of_a_pile() -> None:
    """FA at 100 before FMS and SFSS at 80, of which FMS was there first; one that has not started has no turn."""
    table = stock_table()
    table.is_launched("FMS", 80, ADA)
    table.is_launched("SFSS", 80, BEN)
    table.is_launched("FA", 100, CLEO)
    table.is_launched("CFC", 150, ADA, opened=False)
    table.have_passed(*table.game.players)
    assert round_orders(table.carry_on())[0] == ("FA", "FMS", "SFSS")


def _sale_in_the_round(**rulings: str) -> Table:
    """FMS of Ada has to buy a train, for which Ada sells shares of RCSF, the next in order, so that CFC comes before it."""
    table = stock_table(**rulings)
    table.is_launched("FMS", 120, ADA, treasury=0)
    table.is_launched("RCSF", 100, ADA)
    table.is_launched("CFC", 90, CLEO)
    table.is_launched("FA", 90, CLEO)
    table.has_cash(ADA, 0)
    table.company_turn_is("FMS", "RCSF", "CFC", "FA", step="buy_trains")
    return table


@pytest.mark.clause("1865/5-a")
@pytest.mark.parametrize(
    ("ruling", "orders"), [("fixed", []), ("follows_prices", [("FMS", "CFC", "FA", "RCSF")])]
)
def test_the_order_is_fixed_for_the_round_or_by_ruling_follows_prices(
    ruling: str, orders: list[tuple[str, ...]]
) -> None:
    """A forced sale of the president lowers RCSF to 90, under the markers there."""
    table = _sale_in_the_round(operating_order=ruling)
    assert new_orders(table.act(ADA, SellCertificates("RCSF", 1))) == orders


@pytest.mark.clause("1865/5-b")
def test_the_steps_of_a_turn() -> None:
    """Absorption, tiles, token, sea companies, revenue, trains."""
    table = stock_table()
    table.is_launched("FMS", 80, ADA, treasury=1000)
    table.is_launched("RCSF", 60, ADA)
    table.has_maritime(ADA, "M3")
    table.owns_trains("FMS", "2")
    table.traffic_is("FMS", 5)
    table.tiles_lie(TO_CAGLIARI)
    table.company_turn_is("FMS", "RCSF")
    events = list(table.carry_on())
    assert table.refusal(ADA, BuyTrain("FMS", "2-1", 100)) == ("wrong_step", "")
    events += table.act(ADA, Pass())
    events += table.act(ADA, table.offered(ADA, LayTile)[0])
    events += table.act(ADA, Pass())
    events += table.act(ADA, PlaceTokenByRoute("FMS", "F39", 0, TO_CAGLIARI_HEXES))
    events += table.act(ADA, HandOver("FMS", "M3"))
    events += table.act(ADA, DeclareDividend("FMS", "pay"))
    events += table.act(ADA, BuyTrain("FMS", "2-1", 100))
    events += table.act(ADA, Pass())
    steps = begun_steps(events)
    assert steps[:6] == ["absorb", "lay_track", "place_token", "hand_over", "declare_dividend", "buy_trains"]
    assert ended_turns(events) == ["FMS"]
