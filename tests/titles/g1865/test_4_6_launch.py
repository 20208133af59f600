"""Launching companies in 1865, minors and majors (4.6, 4.7, 4.8)."""

import pytest

from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.shares import percent_text
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.titles.g1865.companies import is_major, rank_of
from tests.positions.reading import paid
from tests.positions.shares import divisions, opened
from tests.titles.g1865.table import ADA, BEN, CLEO, Table, new_rows, new_table, stock_table, traffic_changes


def _major_phase(phase: str = "5") -> Table:
    """The phase has begun by a purchase, so that companies that nobody launched are majors."""
    table = stock_table()
    table.is_launched("SFSS", 60, CLEO, treasury=5000)
    table.phase_is("4")
    table.trains_are_sold("4")
    table.company_turn_is("SFSS", step="buy_trains")
    events = table.act(CLEO, BuyTrain("SFSS", "5-0", 500))
    assert ("FMS", 10) in divisions(events) and "SFSS" not in dict(divisions(events))
    if phase != "5":
        table.phase_is(phase)
    table.stock_turn_is(ADA)
    return table


@pytest.mark.clause("1865/4.6-a")
def test_the_president_s_certificate_comes_first_for_two_shares() -> None:
    """Value 80: 160; before it nothing of the company is sold."""
    table = stock_table()
    assert table.refusal(ADA, BuyCertificate("FMS", "FMS")) == ("company_without_price", "1865/4.6-a")
    events = table.act(ADA, StartCompany("FMS", 80))
    assert paid(events, ADA, "FMS", 160, "certificate_bought", "FMS") and table.game.held(ADA, "FMS") == (0,)
    table.stock_turn_is(BEN)
    assert table.refusal(BEN, StartCompany("FMS", 80)) == ("company_has_price", "1865/4.6-a")
    table.has_cash(BEN, 159)
    assert table.refusal(BEN, StartCompany("FA", 80)) == ("not_enough_cash", "1865/4.6-a")
    assert table.refusal(BEN, StartCompany("XYZ", 80))[0] == "unknown_company"


@pytest.mark.clause("1865/4.6-b")
@pytest.mark.parametrize(("phase", "highest"), [("2", 100), ("3", 130), ("4", 130), ("5", 150), ("7", 150)])
def test_starting_values_by_phase(phase: str, highest: int) -> None:
    """60 to 100 in phase 2, to 130 in phases 3 and 4, to 150 later."""
    table = stock_table() if phase == "2" else (_major_phase(phase) if phase >= "5" else stock_table())
    if phase in "34":
        table.phase_is(phase)
    starts = [command for command in table.offered(ADA) if isinstance(command, StartCompany)]
    prices = {command.price for command in starts if command.company == "FMS"}
    assert prices == set(range(60, highest + 1, 10))
    assert table.refusal(ADA, StartCompany("FMS", highest + 15))[0] == "price_not_offered"
    assert table.refusal(ADA, StartCompany("FMS", 50)) == ("price_not_offered", "1865/4.6-b")


@pytest.mark.clause("1865/4.6-c")
@pytest.mark.clause("1865/4.7-d")
def test_a_minor_starts_at_60_percent_with_players() -> None:
    """President's certificate and one share; what the pool or the Dragons have does not count."""
    table = stock_table()
    assert opened(table.act(ADA, StartCompany("FMS", 80))) == []
    table.holds(table.dragons, "FMS", 2)
    assert not companies_of(table.game)["FMS"].opened
    table.stock_turn_is(BEN)
    assert opened(table.act(BEN, BuyCertificate("FMS", "FMS"))) == ["FMS"]


@pytest.mark.clause("1865/4.6-d")
def test_the_company_gets_its_money_share_by_share() -> None:
    """160 for the president's certificate, 80 more for the share with which it starts, nothing else."""
    table = stock_table()
    table.act(ADA, StartCompany("FMS", 80))
    assert table.game.money("FMS") == 160
    events = table.act(BEN, BuyCertificate("FMS", "FMS"))
    assert table.game.money("FMS") == 240 and not paid(events, BANK, "FMS", 240, "capital_paid_in", "FMS")


@pytest.mark.clause("1865/4.6-e")
@pytest.mark.parametrize(("company", "traffic"), [("FMS", [("C38", 2)]), ("RCSF", [("F39", 3)]), ("FCS", [])])
def test_it_gets_the_traffic_of_its_home_when_it_starts(company: str, traffic: list[tuple[str, int]]) -> None:
    """Iglesias shows 2, Cagliari 3, Isili has no tile yet. A share sold later brings no more."""
    table = stock_table()
    assert traffic_changes(table.act(ADA, StartCompany(company, 80))) == []
    events = table.act(BEN, BuyCertificate(company, company))
    assert traffic_changes(events) == [(company, amount, "home", home) for home, amount in traffic]
    events = table.act(CLEO, BuyCertificate(company, company))
    assert traffic_changes(events) == [] and opened(events) == []


@pytest.mark.clause("1865/4.6-f")
@pytest.mark.clause("1865/4.9-h")
def test_its_marker_goes_under_those_at_the_value() -> None:
    """The one that came first lies on top."""
    table = stock_table()
    table.act(ADA, StartCompany("FMS", 80))
    table.act(BEN, StartCompany("FA", 80))
    cell = market_of(table.game).markers["FMS"]
    assert market_of(table.game).cells[cell] == ("FMS", "FA")


@pytest.mark.clause("1865/4.6-g")
def test_it_comes_to_the_dragon_table_with_rank_1() -> None:
    """On the row of phase 2, from phase 5 on on that of phase 3; without traffic."""
    table = stock_table()
    assert new_rows(table.act(ADA, StartCompany("FMS", 80))) == [("FMS", "2")]
    assert rank_of(table.game, table.data, "FMS") == 1 and table.traffic("FMS") == 0
    late = _major_phase()
    assert new_rows(late.act(ADA, StartCompany("FMS", 80))) == [("FMS", "3")]


@pytest.mark.clause("1865/4.7-a")
@pytest.mark.clause("1865/4.7-b")
@pytest.mark.clause("1865/4.7-c")
def test_all_companies_begin_as_minors() -> None:
    """Certificates of 40, 20, 20 and 20 %, and three tokens, that at home among them."""
    table = new_table()
    for company in companies_of(table.game):
        assert not is_major(table.game, table.data, company)
        assert table.game.held(company, company) == (0, 1, 2, 3) and table.shares_in(company) == 5
        assert len(unplaced_tokens(table.game, company)) + len(table.tokens(company)) == 3
    assert percent_text(table.game, "FMS", 2) == "40 %"


@pytest.mark.clause("1865/4.8-d")
@pytest.mark.clause("1865/4.8-e")
@pytest.mark.clause("1865/4.8-f")
def test_from_phase_5_on_new_companies_are_majors() -> None:
    """20 % and eight times 10 %; it starts with the president's certificate and four shares, and has 7 tokens."""
    table = _major_phase()
    assert table.game.held("FMS", "FMS") == tuple(range(9)) and table.shares_in("FMS") == 10
    events = table.act(ADA, StartCompany("FMS", 80))
    assert percent_text(table.game, "FMS", table.shares(ADA, "FMS")) == "20 %" and opened(events) == []
    table.holds(BEN, "FMS", 3)
    table.stock_turn_is(CLEO)
    assert opened(table.act(CLEO, BuyCertificate("FMS", "FMS"))) == ["FMS"]
    assert len(unplaced_tokens(table.game, "FMS")) + len(table.tokens("FMS")) == 7
    assert not is_major(table.game, table.data, "SFSS")
