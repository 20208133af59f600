"""Revenue and dividends in 1865 (5.4)."""

import pytest

from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.trains.commands import DeclareDividend
from services.rules.titles.g1865.revenue import coverage_of, revenue_of
from tests.positions.reading import moved_cash, paid
from tests.positions.trains import dividends, earnings
from tests.titles.g1865.table import ADA, BEN, CLEO, Table, reckonings, stock_table


def _running(traffic: int, *trains: str, major: bool = False, **rulings: str) -> Table:
    """FMS of Ada has so much traffic and these trains."""
    table = stock_table(**rulings)
    table.is_launched("FMS", 100, ADA, shares=2)
    if major:
        table.is_converted("FMS")
    table.owns_trains("FMS", *trains)
    table.traffic_is("FMS", traffic)
    return table


def _reckon(table: Table) -> list[tuple[str, int, int]]:
    table.company_turn_is("FMS", step="hand_over")
    return reckonings(table.carry_on())


@pytest.mark.clause("1865/5.4-a")
@pytest.mark.parametrize(
    ("traffic", "trains", "coverage", "revenue"),
    [(14, ("2", "2"), 16, 140), (30, ("2", "3"), 22, 220), (8, ("2",), 8, 80), (50, ("7",), 35, 350)],
)
def test_10_for_all_traffic_that_is_covered(
    traffic: int, trains: tuple[str, ...], coverage: int, revenue: int
) -> None:
    """14 traffic, coverage 16: 140. 30 traffic, coverage 22: 220."""
    table = _running(traffic, *trains)
    assert coverage_of(table.game, table.data, "FMS") == coverage
    assert revenue_of(table.game, table.data, "FMS") == revenue
    assert _reckon(table) == [("FMS", traffic, coverage)]
    assert [each.revenue for each in earnings(table.log)] == [revenue]


@pytest.mark.clause("1865/5.4-c")
def test_all_or_nothing_is_paid() -> None:
    """No half dividends; kept revenue goes to the treasury."""
    table = _running(14, "2", "2")
    _reckon(table)
    assert table.offered(ADA, DeclareDividend) == [
        DeclareDividend("FMS", "pay"),
        DeclareDividend("FMS", "withhold"),
    ]
    assert table.refusal(ADA, DeclareDividend("FMS", "half")) == ("dividend_kind", "1865/5.4-c")
    assert table.refusal(BEN, DeclareDividend("FMS", "pay"))[0] == "not_your_turn"
    events = table.act(ADA, DeclareDividend("FMS", "withhold"))
    assert paid(events, BANK, "FMS", 140, "revenue_withheld", "FMS") and table.game.money("FMS") == 140


@pytest.mark.clause("1865/5.4-d")
@pytest.mark.parametrize(("major", "president", "share"), [(False, 56, 28), (True, 28, 14)])
def test_a_dividend_pays_each_share_its_part(major: bool, president: int, share: int) -> None:
    """140: 56 for the president's certificate of a minor, 28 for a share; 14 for a share of a major.

    The offer pays the company; pool and Dragons leave their part in the bank."""
    table = _running(14, "2", "2", major=major)
    table.holds(BEN, "FMS", 1)
    table.holds(POOL, "FMS", 1)
    if major:
        table.holds(table.dragons, "FMS", 1)
    _reckon(table)
    in_offer = table.shares("FMS", "FMS")
    events = table.act(ADA, DeclareDividend("FMS", "pay"))
    assert moved_cash(events, "dividend") == [
        (BANK, ADA, president),
        (BANK, BEN, share),
        *[(BANK, "FMS", share * count) for count in (in_offer,) if count],
    ]
    assert dividends(events) == [("FMS", "pay", 140, share, 3 + in_offer)]


@pytest.mark.clause("1865/5.4-d")
def test_by_one_ruling_the_offer_pays_nobody() -> None:
    """The company gets nothing for its unsold shares."""
    table = _running(14, "2", "2", dividends_of_the_offer="to_nobody")
    _reckon(table)
    assert moved_cash(table.act(ADA, DeclareDividend("FMS", "pay")), "dividend") == [(BANK, ADA, 56)]


@pytest.mark.clause("1865/5.4-e")
def test_traffic_stays_with_the_company() -> None:
    """As much as before, in the next round too."""
    table = _running(14, "2", "2")
    for _ in range(2):
        assert _reckon(table) == [("FMS", 14, 16)]
        table.act(ADA, DeclareDividend("FMS", "pay"))
        assert table.traffic("FMS") == 14
    assert CLEO in table.game.players
