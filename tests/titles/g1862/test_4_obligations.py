"""Obligations of 1862: fines for chartered companies that are not quoted in time (4.3)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.auctions.commands import Bid
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.state import charter_of, own
from tests.positions.reading import DebtChange, only, paid
from tests.positions.rounds import questions
from tests.titles.g1862.reading import obligations_failed, obligations_met
from tests.titles.g1862.table import ADA, BEN, CLEO, Table, new_table

OFFER = ("ESR", "ECR", "EUR", "L&H")


def obliged(price: int = 74, cash: int = 500, **rulings: str) -> Table:
    """Ada answers for ESR, of which she has 30 %; a stock round begins with her."""
    table = new_table(3, offer=OFFER, by=rulings)
    table.is_founded("ESR", price, ADA, shares=3, quoted=False)
    table.has_obligation(ADA, "ESR")
    table.has_cash(ADA, cash)
    table.stock_round_is(ADA)
    return table


def end_round(table: Table) -> list[Event]:
    """All pass, and with that the stock round ends; the next is an operating round without companies."""
    found: list[Event] = []
    while table.game.current_round.kind == "stock" and not table.game.interrupts:
        found += table.pass_on()
        if table.game.current_round.turn != 2:
            break
    return found


@pytest.mark.clause("1862/4.3-a")
def test_an_obligation_is_met_when_the_company_is_quoted() -> None:
    """With half of it in players' hands before the end of the stock round the winner is free."""
    table = obliged()
    table.act(ADA, BuyCertificate("ESR"))
    assert (ADA, "ESR") in own(table.game).obligations
    events = table.act(BEN, BuyCertificate("ESR"))
    assert obligations_met(events) == [(ADA, "ESR")]
    assert not own(table.game).obligations
    assert only(end_round(table), DebtChange) == []
    assert companies_of(table.game)["ESR"].opened


@pytest.mark.clause("1862/4.3-b")
@pytest.mark.clause("1862/4.3-d")
def test_the_fine_is_five_times_par_and_the_shares_are_lost() -> None:
    """Par 74: Ada pays 370; her shares and Ben's go back without refund, and the par marker is removed."""
    table = obliged()
    table.holds(BEN, "ESR", 1)
    ben = table.game.money(BEN)
    table.pass_on(3)
    assert table.game.money(ADA) == 500 - 370
    assert table.game.money(BEN) == ben
    assert table.shares(ADA, "ESR") == table.shares(BEN, "ESR") == 0
    assert table.shares(BANK, "ESR") == 10
    company, charter = companies_of(table.game)["ESR"], charter_of(table.game, "ESR")
    assert (company.par, company.director, charter.chartered) == (0, "", False)
    assert charter.licences == (charter.licence,)
    assert "ESR" not in market_of(table.game).markers


def test_under_the_other_ruling_the_market_marker_goes_too() -> None:
    """A marker that came with par leaves the market when the obligation fails."""
    table = obliged(chartered_market_marker="at_par")
    table.price_is("ESR", 74)
    table.pass_on(3)
    assert "ESR" not in market_of(table.game).markers


@pytest.mark.clause("1862/4.3-c")
def test_what_cash_does_not_cover_comes_from_shares() -> None:
    """200 of 370 are paid from cash; for the rest Ada has to sell, and gets what is left over."""
    table = obliged(cash=200)
    table.is_founded("ECR", 100, ADA, shares=7)
    table.owns_trains("ECR", "A")
    events = table.pass_on(3)
    assert paid(events, ADA, BANK, 200, "1862.fine", "ESR")
    assert table.game.debts == {ADA: 170}
    assert table.asked() == ADA
    assert table.refusal(ADA, Pass()) == ("interrupt_first", "")
    table.act(ADA, SellCertificates("ECR", 1))
    assert table.game.debts == {ADA: 70}
    assert table.game.money(ADA) == 0
    price = table.price_of("ECR")
    assert price == 95
    table.act(ADA, SellCertificates("ECR", 1))
    assert table.game.debts == {}
    assert table.game.money(ADA) == price - 70
    assert table.game.current_round.kind != "stock"


@pytest.mark.clause("1862/4.3-c")
def test_what_nothing_covers_is_forgiven() -> None:
    """Without shares to sell the rest of the fine is forgiven."""
    table = obliged(cash=200)
    events = table.pass_on(3)
    assert table.game.money(ADA) == 0
    assert DebtChange(ADA, -170, "1862.forgiven") in only(events, DebtChange)
    assert table.game.debts == {}
    assert not table.game.interrupts


def test_the_failed_shares_count_half_by_ruling() -> None:
    """Par 74 without a train: three shares at 37 make 111 of the 170 that lack."""
    table = obliged(cash=200, fine_and_failed_shares="credited")
    events = table.pass_on(3)
    assert paid(events, BANK, ADA, 111, "certificate_sold", "ESR")
    assert paid(events, ADA, BANK, 311, "1862.fine", "ESR")
    assert DebtChange(ADA, -59, "1862.forgiven") in only(events, DebtChange)


def test_more_failed_shares_than_needed_are_not_credited() -> None:
    """Two plain shares at 37 cover 60; the director's certificate is not needed, 14 come back."""
    table = obliged(cash=310, fine_and_failed_shares="credited")
    table.holds(ADA, "ESR", 1)
    table.pass_on(3)
    assert table.game.money(ADA) == 310 + 37 + 111 - 370


def test_no_failed_share_is_credited_once_the_fine_is_covered() -> None:
    """One plain share at 37 covers just what lacks, or nothing does: no other share is paid for."""
    for cash, left in ((333, 0), (370, 0), (400, 30)):
        table = obliged(cash=cash, fine_and_failed_shares="credited")
        table.holds(ADA, "ESR", 1)
        table.pass_on(3)
        assert table.game.money(ADA) == left


@pytest.mark.clause("1862/4.3-e")
def test_a_failed_company_comes_back_in_the_next_stock_round() -> None:
    """It cannot be won in the next parliament, but opened from the next stock round on; under one ruling at once."""
    for ruling in ("next_stock_round", "at_once"):
        table = obliged(failed_company_available=ruling)
        table.pass_on(3)
        assert table.game.current_round.kind == "1862.parliamentary"
        assert own(table.game).failed == ("ESR",)
        bids = [each.company for each in table.offered(BEN, Bid) if isinstance(each, Bid)]
        assert ("ESR" in bids) is (ruling == "at_once")
        if ruling == "next_stock_round":
            assert table.refusal(BEN, Bid("ESR", 0)) == ("company_not_offered", "1862/4.3-e")
        table.pass_round()
        table.act(table.asked(), StartCompany("ESR", 54))


@pytest.mark.clause("1862/4.3-f")
def test_each_obligation_is_judged_by_itself() -> None:
    """Ada answers for two companies: one is quoted, the other fails and is fined."""
    table = obliged(cash=800)
    table.is_founded("ECR", 54, ADA, shares=4, quoted=False)
    table.has_obligation(ADA, "ECR")
    table.act(ADA, BuyCertificate("ECR"))
    assert own(table.game).obligations == ((ADA, "ESR"),)
    table.pass_on(3)
    assert table.game.money(ADA) == 800 - 54 - 370
    assert companies_of(table.game)["ECR"].opened
    both = obliged(cash=800)
    both.is_founded("ECR", 54, ADA, shares=4, quoted=False)
    both.has_obligation(ADA, "ECR")
    both.pass_on(3)
    assert both.game.money(ADA) == 800 - 370 - 270


@pytest.mark.clause("1862/4.3-f", "1862/4.3-c")
def test_a_second_failed_obligation_adds_to_the_debt_of_the_first() -> None:
    """With 200 Ada owes 170 of ESR's 370 and then all of ECR's 270: both fail, and she sells until all 440 are paid."""
    table = obliged(cash=200)
    table.is_founded("ECR", 54, ADA, shares=3, quoted=False)
    table.has_obligation(ADA, "ECR")
    table.is_founded("EUR", 100, ADA, shares=9)
    table.owns_trains("EUR", "A")
    events = table.pass_on(3)
    assert obligations_met(events) == []
    assert obligations_failed(events) == [(ADA, "ESR"), (ADA, "ECR")]
    assert only(events, DebtChange) == [(ADA, 170, "1862.fine"), (ADA, 270, "1862.fine")]
    assert [table.shares(BANK, symbol) for symbol in ("ESR", "ECR")] == [10, 10]
    assert questions(events) == [("1862.pay_fine", ADA, "ESR")]
    table.act(ADA, SellCertificates("EUR", 4))
    assert (table.game.debts, table.asked()) == ({ADA: 40}, ADA)
    table.act(ADA, SellCertificates("EUR", 1))
    assert table.game.debts == {}
    assert not table.game.interrupts


def test_the_forced_sale_is_no_ordinary_turn() -> None:
    """Only shares are sold, also several times of one company and shares bought in that round; others are not asked."""
    table = obliged(cash=300)
    table.is_founded("ECR", 100, CLEO, shares=5)
    table.owns_trains("ECR", "A")
    table.act(ADA, BuyCertificate("ECR"))
    table.pass_on(3)
    assert table.game.debts == {ADA: 170}
    assert table.refusal(BEN, SellCertificates("ECR", 1)) == ("not_your_turn", "") or table.asked() == ADA
    table.act(ADA, SellCertificates("ECR", 1))
    assert table.game.debts == {}
    assert table.game.money(ADA) == 0


def test_shares_of_another_company_that_fails_pay_no_fine() -> None:
    """Ada and Ben fail together: all Ada could sell was of Ben's company, so she is forgiven the rest and not asked."""
    table = obliged(cash=100)
    table.is_founded("ECR", 54, BEN, shares=3, quoted=False)
    table.has_obligation(BEN, "ECR")
    table.holds(ADA, "ECR", 1)
    table.has_cash(BEN, 270)
    events = table.pass_on(3)
    assert DebtChange(ADA, 100 - 370, "1862.forgiven") in only(events, DebtChange)
    assert not table.game.interrupts and not table.game.debts
    assert (table.game.money(ADA), table.game.money(BEN)) == (0, 0)
