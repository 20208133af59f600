"""A train that a company of 1865 must have and cannot pay (5.5-f to 5.5-j)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.depot import on_sale
from tests.positions.reading import DebtChange, only, paid, payments
from tests.positions.rounds import causes_of_end
from tests.positions.shares import new_directors
from tests.titles.g1865.table import ADA, BEN, Table, stock_table


def _short(treasury: int, cash: int, *, phase: str = "2") -> Table:
    """FMS of Ada has no train and so much money, Ada has so much; she has shares of FA, which Ben directs, too."""
    table = stock_table()
    table.is_launched("FMS", 100, ADA, treasury=treasury, shares=3)
    table.is_launched("FA", 60, BEN, shares=2)
    table.holds(ADA, "FA", 1)
    if phase != "2":
        table.phase_is(phase)
    table.has_cash(ADA, cash)
    table.company_turn_is("FMS", step="buy_trains")
    return table


@pytest.mark.clause("1865/5.5-g")
def test_the_president_adds_what_is_missing() -> None:
    """Company 60, cheapest train 100: the president pays 40; nothing where the company has 150."""
    table = _short(60, 1000)
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1865/5.5-f")
    events = table.act(ADA, BuyTrain("FMS", "2-0", 100))
    assert paid(events, ADA, "FMS", 40, "1865.president_added", "FMS") and table.game.money(ADA) == 960
    able = _short(150, 1000)
    able.act(ADA, BuyTrain("FMS", "2-0", 100))
    assert able.game.money("FMS") == 50 and able.game.money(ADA) == 1000


@pytest.mark.clause("1865/5.5-g")
def test_the_president_helps_only_when_the_company_must_buy_and_cannot() -> None:
    """Not for a second train, not for a dearer one when it can pay the cheapest, not for a train of another company."""
    table = _short(0, 1000)
    table.train_is_owned("2-80", "FA")
    assert table.refusal(ADA, BuyTrain("FMS", "2-80", 5, "FA")) == ("1865.bank_only", "1865/5.5-g")
    table.train_is_owned("3-80", POOL)
    table.act(ADA, BuyTrain("FMS", "3-80", 200, POOL))
    table.company_turn_is("FMS", step="buy_trains")
    assert table.refusal(ADA, BuyTrain("FMS", "2-0", 100)) == ("not_enough_cash", "1865/5.5-g")
    assert table.game.money(ADA) == 800
    able = _short(100, 1000)
    able.train_is_owned("3-80", POOL)
    assert able.refusal(ADA, BuyTrain("FMS", "3-80", 200, POOL)) == ("not_enough_cash", "1865/5.5-g")


@pytest.mark.clause("1865/5.5-h")
def test_who_has_not_enough_sells_shares_first() -> None:
    """The bank lends nothing as long as a share can be sold; no more is sold than the dearest train needs."""
    table = _short(20, 30)
    assert table.refusal(ADA, BuyTrain("FMS", "2-0", 100)) == ("1865.sell_first", "1865/5.5-h")
    events = table.act(ADA, SellCertificates("FA", 1))
    assert paid(events, BANK, ADA, 60, "certificate_sold", "FA")
    assert table.refusal(ADA, SellCertificates("FMS", 1)) == ("sales_forbidden", "1865/5.5-h")
    events = table.act(ADA, BuyTrain("FMS", "2-0", 100))
    assert paid(events, ADA, "FMS", 80, "1865.president_added", "FMS") and table.game.money(ADA) == 10
    exact = _short(100, 0)
    assert payments(exact.act(ADA, BuyTrain("FMS", "2-0", 100)), "1865.president_added") == []
    rich = _short(20, 80)
    assert rich.refusal(ADA, SellCertificates("FA", 1)) == ("sales_forbidden", "1865/5.5-h")
    assert paid(rich.act(ADA, BuyTrain("FMS", "2-0", 100)), ADA, "FMS", 80, "1865.president_added", "FMS")
    able = _short(100, 0)
    assert able.refusal(ADA, SellCertificates("FA", 1)) == ("sales_forbidden", "1865/5.5-h")


@pytest.mark.clause("1865/5.5-h")
def test_nobody_sells_shares_for_a_second_train() -> None:
    """FMS has a train and no money, so that it need not buy."""
    table = _short(0, 0)
    table.owns_trains("FMS", "2")
    table.company_turn_is("FMS", step="buy_trains")
    assert table.refusal(ADA, SellCertificates("FA", 1)) == ("sales_forbidden", "1865/5.5-h")


@pytest.mark.clause("1865/5.5-i")
def test_the_company_keeps_its_president() -> None:
    """Ada may sell as long as Ben has not more of FMS; of another company she may give the presidency away."""
    table = _short(0, 0, phase="4")
    table.is_converted("FMS")
    table.holds(BEN, "FMS", 2)
    table.company_turn_is("FMS", step="buy_trains")
    assert table.refusal(ADA, SellCertificates("FMS", 2)) == ("director_would_change", "1865/5.5-i")
    assert new_directors(table.act(ADA, SellCertificates("FMS", 1))) == []
    other = _short(0, 0, phase="5")
    other.directs(ADA, "FA")
    other.gets_certificates(ADA, "FA", 0, source=BEN)
    other.gets_certificates(BEN, "FA", *other.game.held("FA", "FA"), source="FA")
    other.company_turn_is("FMS", step="buy_trains")
    assert new_directors(other.act(ADA, SellCertificates("FA", 2))) == [("FA", BEN)]


@pytest.mark.clause("1865/5.5-j")
@pytest.mark.parametrize(("phase", "price", "loans"), [("2", 100, 1), ("6", 650, 2)])
def test_who_has_nothing_left_to_sell_gets_loans(phase: str, price: int, loans: int) -> None:
    """Loans of 500, as many as it takes, and the player plays on."""
    table = _short(0, 0, phase=phase)
    table.gets_certificates(BEN, "FA", *table.game.held(ADA, "FA"), source=ADA)
    table.holds(POOL, "FMS", 2)
    table.company_turn_is("FMS", step="buy_trains")
    train = next(
        each for each in table.offered(ADA, BuyTrain) if isinstance(each, BuyTrain) and each.seller == BANK
    )
    events = table.act(ADA, train)
    assert payments(events, "1865.loan_taken") == [(BANK, ADA, 500, "1865.loan_taken", "FMS")] * loans
    assert only(events, DebtChange) == [DebtChange(ADA, 500, "1865.loan")] * loans
    assert table.game.money(ADA) == 500 * loans - price and table.game.debts == {ADA: 500 * loans}


@pytest.mark.clause("1865/7-a")
@pytest.mark.parametrize(("bank", "is_over"), [(500, True), (501, False)])
def test_a_bank_that_lends_all_it_has_is_empty(bank: int, is_over: bool) -> None:
    """Also when the train is paid to it at once."""
    table = _short(0, 0)
    table.gets_certificates(BEN, "FA", *table.game.held(ADA, "FA"), source=ADA)
    table.holds(POOL, "FMS", 2)
    table.company_turn_is("FMS", step="buy_trains")
    table.bank_has(bank)
    events = table.act(ADA, BuyTrain("FMS", "2-0", 100))
    assert table.game.money(BANK) == bank - 400
    assert (causes_of_end(events) != []) == is_over


@pytest.mark.clause("1865/5.5-j")
def test_150_short_is_one_loan_and_350_left() -> None:
    """The worked example."""
    table = _short(50, 0, phase="3")
    table.gets_certificates(BEN, "FA", *table.game.held(ADA, "FA"), source=ADA)
    table.holds(POOL, "FMS", 2)
    table.company_turn_is("FMS", step="buy_trains")
    table.act(ADA, BuyTrain("FMS", "3-1", 200))
    assert table.game.money(ADA) == 350 and table.game.debts == {ADA: 500}


@pytest.mark.clause("1865/5.5-j")
def test_who_can_pay_the_cheapest_train_gets_no_loan_for_a_dearer_one() -> None:
    """A 3-train in the pool costs 200 and a new 5-train 500; Ada has 250 and nothing to sell."""
    table = _short(0, 250, phase="5")
    table.gets_certificates(BEN, "FA", *table.game.held(ADA, "FA"), source=ADA)
    table.holds(POOL, "FMS", 2)
    table.train_is_owned("3-80", POOL)
    table.company_turn_is("FMS", step="buy_trains")
    dear = BuyTrain("FMS", next(iter(on_sale(table.game, table.data))), 500)
    assert {each.price for each in table.offered(ADA, BuyTrain) if isinstance(each, BuyTrain)} == {200}
    assert table.refusal(ADA, dear) == ("not_enough_cash", "1865/5.5-j")
    table.act(ADA, BuyTrain("FMS", "3-80", 200, POOL))
    assert table.game.money(ADA) == 50 and not table.game.debts
