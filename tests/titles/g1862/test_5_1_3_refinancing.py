"""Refinancing a company that must buy a train (5.1.3, 7.11.2)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import BuyNewTrain, RaiseCash, SettleOption
from services.rules.titles.g1862.state import own
from tests.positions.market import price_moves
from tests.positions.reading import Payment, paid, payments
from tests.positions.shares import first_prices
from tests.titles.g1862.mergers import merging_table, set_up_company, shares
from tests.titles.g1862.reading import chart_areas, exchanges
from tests.titles.g1862.table import ADA, BEN, CLEO, Table

REFINANCE = RaiseCash("N&E", "refinancing")


def poor_company(
    stakes: dict[str, int],
    *,
    price: int = 110,
    marker: int = 54,
    treasury: int = 0,
    cash: int = 1_000,
    phase: str = "A",
    **rulings: str,
) -> Table:
    """N&E, Ada's, stands without train and with little money in the step of buying trains."""
    table = merging_table(4, **rulings)
    set_up_company(table, "N&E", price, stakes, director=ADA, train=False, treasury=treasury, marker=marker)
    set_up_company(table, "I&B", 100, {BEN: 6}, director=BEN, treasury=1_000)
    table.token_stands("I&B", "D9")
    table.phase_is(phase)
    for player in table.game.players:
        table.has_cash(player, cash)
    table.operating_round_is("N&E", "I&B", step="buy_trains")
    return table


@pytest.mark.clause("1862/5.1.3-a", "1862/7.11.2-a")
def test_who_cannot_sell_shares_has_to_refinance() -> None:
    """A trainless company whose treasury shares do not bring enough may only refinance, and may not pass."""
    table = poor_company({ADA: 10})
    assert table.offered(ADA) == [REFINANCE]
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1862/7.11-a")


@pytest.mark.parametrize(("marker", "price", "capital"), [(54, 110, 540), (82, 31, 820), (100, 495, 1_000)])
@pytest.mark.clause("1862/5.1.3-b", "1862/7.11.2-b")
def test_it_brings_ten_times_the_chart_price(marker: int, price: int, capital: int) -> None:
    """What comes in follows the marker on the chart, not the share price, and is 1000 at most."""
    table = poor_company({ADA: 10}, price=price, marker=marker)
    events = table.act(ADA, REFINANCE)
    assert payments(events) == [Payment(BANK, "N&E", capital, "1862.refinancing", "N&E")]
    assert table.game.money("N&E") == capital


@pytest.mark.clause("1862/7.11.2-b")
def test_it_brings_a_thousand_at_most() -> None:
    """Ten times a marker that stood higher than the chart allows would still be 1000."""
    table = poor_company({ADA: 10})
    table.par_is("N&E", 120)
    table.act(ADA, REFINANCE)
    assert table.game.money("N&E") == 1_000


@pytest.mark.clause("1862/5.1.3-b", "1862/5.1.3-c", "1862/5.1-a")
def test_holdings_are_halved_and_nothing_else_changes() -> None:
    """Players and treasury return half of their shares; no survivor is chosen, price and marker stay where they are."""
    table = poor_company({ADA: 6, BEN: 2, "N&E": 2}, price=40)
    company = companies_of(table.game)["N&E"]
    events = table.act(ADA, REFINANCE)
    assert shares(table, "N&E") == {ADA: 3, BEN: 1, "N&E": 1, POOL: 5}
    assert not (price_moves(events) or first_prices(events) or chart_areas(events))
    assert (table.price_of("N&E"), companies_of(table.game)["N&E"]) == (40, company)
    assert exchanges(events)[0].other == ""
    assert own(table.game).exchange is None


@pytest.mark.clause("1862/5.1.3-c", "1862/5.2.4-e", "1862/5.2.4-l")
def test_options_are_worth_half_the_present_price() -> None:
    """At 65 Ben, with three shares, is asked about an option for 32, after Ada, and the treasury, poor, is not."""
    table = poor_company({ADA: 6, BEN: 3, "N&E": 1}, price=65)
    table.act(ADA, REFINANCE)
    assert (table.asked(), table.game.interrupts[0].subject) == (BEN, BEN)
    events = table.act(BEN, SettleOption(True))
    assert paid(events, BEN, BANK, 32, "1862.option_redeemed", "N&E")
    assert paid(events, BANK, "N&E", 32, "1862.option_sold", "N&E")
    assert shares(table, "N&E") == {ADA: 3, BEN: 2, POOL: 5}
    assert table.game.money("N&E") == 540 + 32


@pytest.mark.clause("1862/5.2.4-q", "1862/5.2.4-r")
def test_a_director_without_sixty_percent() -> None:
    """With 50 % and nothing in the pool Ada's certificate is an option: at 50 she redeems it for 25 and stays director."""
    table = poor_company({ADA: 5, "N&E": 5}, price=50)
    table.gets_certificates(BEN, "N&E", *table.game.held("N&E", "N&E")[:2], source="N&E")
    table.act(ADA, REFINANCE)
    assert (table.asked(), table.offered(ADA)) == (ADA, [SettleOption(True), SettleOption(False)])
    events = table.act(ADA, SettleOption(True))
    assert paid(events, ADA, BANK, 25, "1862.option_redeemed", "N&E")
    assert (table.shares(ADA, "N&E"), table.director("N&E")) == (3, ADA)


@pytest.mark.clause("1862/6.3-c", "1862/5.2.5-a", "1862/5.1.3-c")
def test_a_refinancing_may_change_the_director() -> None:
    """Ada cannot pay for her certificate, an option, and gives it up; Ben redeems his option, has 30 % and directs."""
    table = poor_company({ADA: 5, BEN: 5})
    table.has_cash(ADA, 0)
    table.act(ADA, REFINANCE)
    assert table.director("N&E") == ADA
    table.act(BEN, SettleOption(True))
    assert shares(table, "N&E") == {BEN: 3, POOL: 7}
    assert (table.director("N&E"), table.asked()) == (BEN, BEN)
    assert table.game.held(BEN, "N&E") == (0,)


@pytest.mark.clause("1862/7.11.2-b", "1862/5.1.3-a")
def test_the_train_is_bought_from_the_new_capital() -> None:
    """After the refinancing Ada still stands in the step and buys the train from the bank."""
    table = poor_company({ADA: 10})
    table.act(ADA, REFINANCE)
    assert table.asked() == ADA
    table.act(ADA, BuyNewTrain("N&E", "A-1", 100, "freight"))
    assert trains_of(table.game).owned["N&E"] == ("A-1",)


@pytest.mark.clause("1862/7.11.2-c")
def test_a_second_refinancing_is_not_possible() -> None:
    """When the new capital will not pay for the train the company is bankrupt, its players paid for the halved holdings."""
    table = poor_company({ADA: 10}, price=50, phase="F")
    events = table.act(ADA, REFINANCE)
    assert paid(events, BANK, "N&E", 540, "1862.refinancing", "N&E")
    assert paid(events, BANK, ADA, 25 * 5, "1862.bankruptcy_refund", "N&E")
    assert not companies_of(table.game)["N&E"].opened


@pytest.mark.clause("1862/7.11.2-c")
def test_bankrupt_at_once_under_the_other_ruling() -> None:
    """Where a hopeless refinancing is left out the players are paid for all their shares."""
    table = poor_company({ADA: 10}, price=50, phase="F", refinancing_too_small="bankrupt")
    events = table.act(ADA, REFINANCE)
    assert not exchanges(events)
    assert paid(events, BANK, ADA, 25 * 10, "1862.bankruptcy_refund", "N&E")


@pytest.mark.clause("1862/5.2.2-a")
def test_unsold_shares_go_to_the_pool() -> None:
    """What is left in the initial offer of a refinanced company goes to the pool first."""
    table = poor_company({ADA: 6, CLEO: 2})
    table.charter_is("N&E", chartered=True)
    table.act(ADA, REFINANCE)
    assert shares(table, "N&E") == {ADA: 3, CLEO: 1, POOL: 6}
