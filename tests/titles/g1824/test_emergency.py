"""Forced purchases of trains in 1824: the director's money, his sales, his debt and its interest (VII.12)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.commands import RepayDebt
from services.rules.titles.g1824.state import reserved_of
from tests.positions.reading import DebtChange, moved_cash, moved_trains, only
from tests.titles.g1824.operating_positions import broke, major, only_4_trains, train_commands
from tests.titles.g1824.table import ADA, BEN, CLEO, DORA, Table, clear_table, owned_table

FOUR = BuyTrain("MS", "4-1", 280)


@pytest.mark.clause("1824/VII.12-a")
def test_director_covers_what_the_treasury_lacks() -> None:
    """Of 280 the treasury pays its 100 and the director 180 of his own; he owes nothing."""
    table = only_4_trains(treasury=100, cash=500)
    events = table.act(ADA, FOUR)
    assert moved_cash(events, "1824.emergency_contribution") == [(ADA, "MS", 180)]
    assert moved_cash(events, "train_bought") == [("MS", BANK, 280)]
    assert (table.game.money("MS"), table.game.money(ADA)) == (0, 320)
    assert table.game.debts == {}


@pytest.mark.clause("1824/VII.12-a", "1824/VII.12-b")
def test_director_who_covers_it_to_the_last_coin_owes_nothing() -> None:
    """With exactly the 180 that are lacking no debt is recorded, not even one of nothing."""
    events = only_4_trains(treasury=100, cash=180).act(ADA, FOUR)
    assert only(events, DebtChange) == []
    assert moved_cash(events, "1824.emergency_contribution") == [(ADA, "MS", 180)]


@pytest.mark.clause("1824/VII.12-a")
def test_owner_of_a_minor_covers_too() -> None:
    """The owner of a pre-state company without train and money pays the 80 of a 2-train."""
    table = owned_table({"SD2": BEN})
    table.operating_round_is("SD2")
    table.has_cash("SD2", 0)
    table.has_cash(BEN, 100)
    table.act(BEN, BuyTrain("SD2", "2-0", 80))
    assert table.game.money(BEN) == 20


@pytest.mark.clause("1824/VII.12-b", "1824/VII.12-e")
@pytest.mark.parametrize(
    ("cash", "treasury", "lent", "debt"), [(180, 0, 100, 150), (0, 195, 85, 128), (0, 0, 280, 420)]
)
def test_uncovered_amount_becomes_a_debt_with_half_on_top(
    cash: int, treasury: int, lent: int, debt: int
) -> None:
    """100 not covered make a debt of 150, 85 one of 85 + 43 = 128: half on top at once, rounded up."""
    table = only_4_trains(treasury=treasury, cash=cash)
    events = table.act(ADA, FOUR)
    assert only(events, DebtChange) == [
        DebtChange(ADA, lent, "1824.loan"),
        DebtChange(ADA, debt - lent, "1824.interest"),
    ]
    assert table.game.debts == {ADA: debt}
    assert (table.game.money(ADA), table.game.money("MS")) == (0, 0)
    assert trains_of(table.game).owned["MS"] == ("4-1",)


@pytest.mark.clause("1824/VII.12-b")
def test_nobody_goes_bankrupt() -> None:
    """A director without a coin and without shares to sell buys all the same, and play goes on."""
    table = only_4_trains()
    table.act(ADA, FOUR)
    assert not table.game.finished
    assert table.asked() != ""


@pytest.mark.clause("1824/VII.12-c")
def test_director_may_sell_but_need_not() -> None:
    """Shares that nobody needs him to keep are on offer beside the purchase itself; either is accepted."""
    table = only_4_trains(shares=5)
    before = table.game
    assert {type(command) for command in table.offered(ADA)} == {BuyTrain, SellCertificates}
    table.act(ADA, FOUR)
    assert table.game.debts == {ADA: 420}
    table.game = before
    events = table.act(ADA, SellCertificates("MS", 3))
    assert moved_cash(events, "certificate_sold") == [(BANK, ADA, 240)]
    assert table.price_of("MS") == 70


@pytest.mark.clause("1824/VII.12-f")
def test_interest_on_the_rest_only() -> None:
    """240 from shares sold leave 40 uncovered: a debt of 60."""
    table = only_4_trains(shares=5)
    table.act(ADA, SellCertificates("MS", 3))
    table.act(ADA, FOUR)
    assert table.game.debts == {ADA: 60}


@pytest.mark.clause("1824/VII.12-c")
def test_no_more_is_sold_than_the_dearest_train_needs() -> None:
    """Ruling emergency_sales = as_needed: with 200 missing three shares at 80 may go, not four; with nothing missing none."""
    table = only_4_trains(cash=80, shares=6)
    assert table.refusal(ADA, SellCertificates("MS", 4)) == ("sales_forbidden", "1824/VII.12-c")
    table.act(ADA, SellCertificates("MS", 3))
    assert table.refusal(ADA, SellCertificates("MS", 1)) == ("sales_forbidden", "1824/VII.12-c")
    rich = only_4_trains(cash=280, shares=6)
    assert rich.refusal(ADA, SellCertificates("MS", 1)) == ("sales_forbidden", "1824/VII.12-c")


@pytest.mark.clause("1824/VII.12-c", "1824/VII.12-i")
def test_sale_for_the_dearer_train_of_another_company() -> None:
    """Where a train of another company is the dearest on offer, it counts: 400 for a 5-train, 280 in the bank."""
    table = only_4_trains(cash=280, shares=4)
    major(table, "CL", BEN, shares=2)
    table.owns_trains("CL", "5")
    table.operating_round_is("MS")
    table.act(ADA, SellCertificates("MS", 2))
    table.act(ADA, BuyTrain("MS", "5-0", 400, "CL"))
    table.act(BEN, AnswerOffer(True))
    assert table.game.money(ADA) == 280 + 160 - 400


@pytest.mark.clause("1824/VII.12-k")
def test_no_sale_without_a_forced_purchase() -> None:
    """Ruling emergency_sales = as_needed: a company that has a train, or the money for one, gives no right to sell."""
    table = only_4_trains(treasury=280, shares=5)
    assert table.refusal(ADA, SellCertificates("MS", 1)) == ("sales_forbidden", "1824/VII.12-k")
    assert not table.offered(ADA, SellCertificates)
    table = only_4_trains(shares=5)
    table.owns_trains("MS", "4")
    table.operating_round_is("MS")
    table.has_cash("MS", 500)
    assert table.refusal(ADA, SellCertificates("MS", 1)) == ("sales_forbidden", "1824/VII.12-k")


def test_sales_at_any_time_under_that_ruling() -> None:
    """Ruling emergency_sales = any_time: shares may be sold whenever trains are bought, more than needed too."""
    table = only_4_trains(treasury=500, shares=5, emergency_sales="any_time")
    table.act(ADA, SellCertificates("MS", 3))
    assert table.shares(ADA, "MS") == 2


@pytest.mark.clause("1824/VII.12-d")
@pytest.mark.parametrize("company", ["MS", "BH"])
def test_no_emergency_sale_changes_a_director(company: str) -> None:
    """Ada and Ben hold 40 % and 30 %: ten percent may go, with twenty Ben would direct; so for MS as for another company."""
    table = clear_table()
    for symbol in ("MS", "BH"):
        major(table, symbol, ADA, shares=4)
        table.holds(BEN, symbol, 3)
    table.token_stands("MS", "C12")
    table.phase_is("4")
    table.operating_round_is("MS")
    table.has_cash(ADA, 0)
    refused = table.refusal(ADA, SellCertificates(company, 2))
    assert refused == ("director_would_change", "1824/VII.12-d")
    table.act(ADA, SellCertificates(company, 1))
    assert table.director(company) == ADA


@pytest.mark.clause("1824/VII.12-d")
def test_director_keeps_his_certificate_in_an_emergency() -> None:
    """Of 30 % the director may sell 10 %, but not 20 % into his own certificate."""
    table = only_4_trains(shares=3)
    refused = table.refusal(ADA, SellCertificates("MS", 2))
    assert refused == ("director_would_change", "1824/VII.12-d")
    table.act(ADA, SellCertificates("MS", 1))


@pytest.mark.clause("1824/VII.12-d", "1824/VI.6-e")
@pytest.mark.parametrize("rulings", [{}, {"emergency_sales": "any_time"}])
def test_director_keeps_his_certificate_where_nobody_could_take_it(rulings: dict[str, str]) -> None:
    """Nobody else has 20 % of MS, so no sale can change its director; into his own certificate he does not sell either."""
    table = clear_table(4, **rulings)
    major(table, "MS", ADA, shares=3)
    for player in (BEN, CLEO, DORA):
        table.holds(player, "MS", 1)
    table.token_stands("MS", "C12")
    table.phase_is("4")
    table.operating_round_is("MS")
    table.has_cash("MS", 0)
    table.has_cash(ADA, 0)
    assert table.refusal(ADA, SellCertificates("MS", 2)) == ("1824.director_not_replaced", "1824/VI.6-e")
    assert table.offered(ADA, SellCertificates) == [SellCertificates("MS", 1)]
    table.act(ADA, SellCertificates("MS", 1))
    assert table.director("MS") == ADA


def test_other_directors_may_change_under_that_ruling() -> None:
    """Ruling emergency_director_change = other_companies: not MS, whose turn it is, but BH may go to Ben."""
    table = clear_table(emergency_director_change="other_companies")
    for symbol in ("MS", "BH"):
        major(table, symbol, ADA, shares=4)
        table.holds(BEN, symbol, 3)
    table.token_stands("MS", "C12")
    table.phase_is("4")
    table.operating_round_is("MS")
    table.has_cash(ADA, 0)
    refused = table.refusal(ADA, SellCertificates("MS", 2))
    assert refused == ("director_would_change", "1824/VII.12-d")
    table.act(ADA, SellCertificates("BH", 2))
    assert table.director("BH") == BEN


def stock_round_with_debt(debt: int, cash: int = 500) -> Table:
    """Ada owes this much at the start of a stock round; MS is open and has shares for sale."""
    table = clear_table()
    major(table, "MS", ADA, shares=3)
    table.holds(BEN, "MS", 3)
    table.token_stands("MS", "C12")
    table.owns_trains("MS", "2")
    table.borrows(ADA, debt, "1824.loan")
    table.has_cash(ADA, cash)
    table.stock_round_is(ADA)
    return table


@pytest.mark.clause("1824/VII.12-g")
def test_debtor_need_not_sell_but_may_not_buy() -> None:
    """A debtor passes freely, is refused every purchase, and buys again as soon as the whole debt is paid."""
    table = stock_round_with_debt(150)
    assert Pass() in table.offered(ADA)
    repaying = next(each for each in table.choices(ADA) if isinstance(each.command, RepayDebt))
    assert (repaying.minimum, repaying.maximum) == (1, 150)
    buy = BuyCertificate("MS")
    assert table.refusal(ADA, buy) == ("1824.in_debt", "1824/VII.12-g")
    assert table.refusal(ADA, StartCompany("BH", 60)) == ("1824.in_debt", "1824/VII.12-g")
    table.act(ADA, RepayDebt(149))
    assert table.refusal(ADA, buy) == ("1824.in_debt", "1824/VII.12-g")
    events = table.act(ADA, RepayDebt(1))
    assert moved_cash(events, "1824.loan_repaid") == [(ADA, BANK, 1)]
    assert table.game.debts == {}
    table.act(ADA, buy)


@pytest.mark.clause("1824/VII.12-g")
def test_debtor_may_sell_to_repay() -> None:
    """Shares sold in the stock round pay the debt off."""
    table = stock_round_with_debt(80, cash=0)
    table.act(ADA, SellCertificates("MS", 1))
    table.act(ADA, RepayDebt(80))
    assert (table.game.debts, table.game.money(ADA)) == ({}, 0)


@pytest.mark.clause("1824/VII.12-g")
def test_repayment_within_debt_and_cash() -> None:
    """More than the debt or more than the cash cannot be repaid; who owes nothing has nothing to repay."""
    table = stock_round_with_debt(150, cash=100)
    assert table.refusal(ADA, RepayDebt(151)) == ("1824.no_debt", "1824/VII.12-g")
    assert table.refusal(ADA, RepayDebt(101)) == ("not_enough_cash", "1824/VII.12-g")
    assert table.refusal(ADA, RepayDebt(0)) == ("value_out_of_range", "")
    table.act(ADA, Pass())
    assert table.refusal(BEN, RepayDebt(1)) == ("1824.no_debt", "1824/VII.12-g")


@pytest.mark.clause("1824/VII.12-h")
@pytest.mark.parametrize(("debt", "after"), [(150, 225), (225, 338), (1, 2)])
def test_half_on_top_at_the_end_of_every_stock_round(debt: int, after: int) -> None:
    """150 left at the end of a stock round become 225, and 225 at the end of the next one 338."""
    table = stock_round_with_debt(debt)
    events = table.pass_stock_round()
    assert only(events, DebtChange) == [DebtChange(ADA, after - debt, "1824.interest")]
    assert table.game.debts == {ADA: after}


@pytest.mark.clause("1824/VII.12-h", "1824/VII.12-f")
def test_repaid_part_bears_no_interest() -> None:
    """Of 150 the player repays 50: the other 100 become 150."""
    table = stock_round_with_debt(150)
    table.act(ADA, RepayDebt(50))
    table.pass_stock_round()
    assert table.game.debts == {ADA: 150}


@pytest.mark.clause("1824/VII.12-i")
def test_director_chooses_among_all_trains_on_offer() -> None:
    """The bank's goods and normal trains and those of other companies can all be chosen."""
    table = broke(cash=50)
    major(table, "CL", BEN, shares=2)
    major(table, "BH", ADA, shares=2)
    table.owns_trains("CL", "2g")
    table.owns_trains("BH", "3g")
    table.operating_round_is("MS")
    offers = {(offer.train, offer.seller) for offer in train_commands(table, ADA)}
    bank = {"4-1", "1g-0", "2g-1", "3g-1"}
    assert offers == {(train, BANK) for train in bank} | {("2g-0", "CL"), ("3g-0", "BH")}
    for train, seller, price in (("4-1", BANK, 280), ("2g-0", "CL", 240), ("3g-0", "BH", 1)):
        before = table.game
        table.act(ADA, BuyTrain("MS", train, price, seller))
        if seller == "CL":
            table.act(BEN, AnswerOffer(True))
        assert trains_of(table.game).owned["MS"] == (train,)
        table.game = before


@pytest.mark.clause("1824/VII.12-j")
def test_helped_purchase_costs_at_most_the_face_value() -> None:
    """From a company of the same director: up to 360 for a 3g-train with the director's help, not 361."""
    table = broke(treasury=50, cash=1000)
    major(table, "BH", ADA, shares=2)
    table.owns_trains("BH", "3g")
    table.operating_round_is("MS")
    dear = BuyTrain("MS", "3g-0", 361, "BH")
    assert table.refusal(ADA, dear) == ("train_price", "1824/VII.12-j")
    offer = next(
        choice
        for choice in table.choices(ADA)
        if isinstance(choice.command, BuyTrain) and choice.command.seller == "BH"
    )
    assert (offer.open_field, offer.minimum, offer.maximum) == ("price", 1, 360)
    events = table.act(ADA, BuyTrain("MS", "3g-0", 360, "BH"))
    assert moved_cash(events, "1824.emergency_contribution") == [(ADA, "MS", 310)]
    assert moved_trains(events, "bought") == [("3g-0", "BH", "MS")]


@pytest.mark.clause("1824/VII.12-k")
def test_help_leaves_nothing_in_the_treasury_and_pays_no_second_train() -> None:
    """The company's own money goes first, nothing is left, and a further train gets no help."""
    table = broke(treasury=119, cash=1000)
    table.act(ADA, BuyTrain("MS", "1g-0", 120))
    assert (table.game.money("MS"), table.game.money(ADA)) == (0, 999)
    second = BuyTrain("MS", "1g-1", 120)
    assert table.game.current_round.kind == "stock"
    assert table.refusal(ADA, second)[0] == "wrong_step"


@pytest.mark.clause("1824/VII.12-k")
def test_company_with_a_train_gets_no_help() -> None:
    """With a 1g-train in its shed MS pays the 4-train itself or not at all."""
    table = broke(treasury=279, cash=1000)
    table.owns_trains("MS", "1g")
    table.operating_round_is("MS")
    assert table.refusal(ADA, FOUR) == ("not_enough_cash", "1824/V-b")


@pytest.mark.clause("1824/VII.12-a", "1824/VII.12-k")
def test_no_help_while_the_company_can_pay_some_train() -> None:
    """Ruling emergency_purchase = no_train_affordable: with 120 for a 1g-train no help for a 4-train; with 119 there is."""
    able = broke(treasury=120, cash=1000)
    assert able.refusal(ADA, FOUR) == ("not_enough_cash", "1824/V-b")
    assert able.offered(ADA) == [BuyTrain("MS", "1g-0", 120)]
    unable = broke(treasury=119, cash=1000)
    unable.act(ADA, FOUR)
    assert unable.game.money(ADA) == 1000 - 161


def test_help_for_any_train_under_that_ruling() -> None:
    """Ruling emergency_purchase = any_train: the director may add 160 to the 120 of the treasury for a 4-train."""
    table = broke(treasury=120, cash=1000, emergency_purchase="any_train")
    events = table.act(ADA, FOUR)
    assert moved_cash(events, "1824.emergency_contribution") == [(ADA, "MS", 160)]


@pytest.mark.clause("1824/VII.12-e")
def test_second_debt_is_added_to_the_first() -> None:
    """An old debt of 90 bears no new interest at once: with 280 lent it becomes 90 + 420."""
    table = only_4_trains()
    table.borrows(ADA, 90, "1824.loan")
    table.act(ADA, FOUR)
    assert table.game.debts == {ADA: 510}


def test_a_director_who_sells_half_his_certificate_gets_no_kept_share_back() -> None:
    """The 10 % he keeps come from the bank's free shares, never from the one kept for the owner of KK2."""
    free = {"emergency_sales": "any_time", "emergency_director_change": "other_companies"}
    table = owned_table({"KK2": BEN}, 4, **free)
    major(table, "MS", ADA)
    table.token_stands("MS", "C12")
    table.holds(ADA, "KK", 2, director=True)
    table.holds(CLEO, "KK", 2)
    (kept,) = reserved_of(table.game, "KK")
    table.operating_round_is("MS")
    table.act(ADA, SellCertificates("KK", 1))
    assert table.director("KK") == CLEO
    assert table.shares(ADA, "KK") == 1
    assert kept in table.game.held(BANK, "KK")
