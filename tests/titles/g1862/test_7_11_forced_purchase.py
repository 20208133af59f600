"""A company without a train must have one: treasury shares, refinancing or bankruptcy (7.11, 7.12)."""

import pytest

from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.titles.g1862.commands import BuyNewTrain, RaiseCash, SettleOption
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.depots import bank_price, bank_train
from services.rules.titles.g1862.trains.forced import refinancing_suffices, shares_to_sell, way_without_choice
from tests.positions.reading import TrainMove, only
from tests.titles.g1862.reading import exchanges
from tests.titles.g1862.table import ADA, BEN, Table, new_table

SELL = RaiseCash("L&E", "treasury_shares")
REFINANCE = RaiseCash("L&E", "refinancing")


def short(
    cash: int, *, price: int = 82, shares: int = 5, letter: str = "A", marker: int = 0, **rulings: str
) -> Table:
    """L&E of Ada, with this much money and no train, is about to buy one; ENR of Ada and SVR of Ben are quoted too.

    What Ada does not hold of L&E is in its treasury."""
    table = new_table(4, offer=("L&E", "SVR", "ENR"), by=rulings)
    table.is_founded("L&E", price, ADA, shares=shares, chartered=False, treasury=cash)
    if marker:
        table.par_is("L&E", marker)
    table.is_founded("SVR", 90, BEN, treasury=300)
    table.is_founded("ENR", 74, ADA, treasury=300)
    if letter != "A":
        table.phase_is(letter)
    table.priority_is(ADA)
    table.operating_round_is("L&E", "SVR", "ENR")
    return table


def bank(table: Table) -> BuyNewTrain:
    """L&E buys the bank's train as an express without warranties."""
    train = bank_train(table.game, table.data)
    return BuyNewTrain("L&E", train, bank_price(table.game, table.data), "express")


@pytest.mark.clause("1862/7.11-a")
def test_a_company_without_a_train_may_not_pass() -> None:
    """With the money for the bank's train or without it the director has to do something about it."""
    for cash in (500, 20):
        table = short(cash)
        assert table.refusal(ADA, Pass()) == ("may_not_pass", "1862/7.11-a")
    table = short(500)
    table.act(ADA, bank(table))
    table.act(ADA, Pass())


@pytest.mark.clause("1862/7.11-b")
def test_cash_is_raised_only_when_it_is_needed() -> None:
    """Rejected while the cash suffices, and to a company that has a train."""
    table = short(100)
    assert table.refusal(ADA, SELL) == ("1862.cash_not_raised_so", "1862/7.11-b")
    table = short(20)
    table.owns_trains("L&E", "A")
    assert table.refusal(ADA, REFINANCE) == ("1862.cash_not_raised_so", "1862/7.11-b")
    assert table.refusal(ADA, RaiseCash("ENR", "refinancing"))[0] == "not_your_turn"


@pytest.mark.clause("1862/7.11-c")
def test_there_are_two_ways_of_raising_cash() -> None:
    """Any other is refused."""
    command = RaiseCash("L&E", "loan")
    assert short(20).refusal(ADA, command) == ("1862.cash_not_raised_so", "1862/7.11-c")


@pytest.mark.clause("1862/7.11-b")
@pytest.mark.parametrize("ruling", ["any_train", "bank_train"])
def test_another_companys_train_that_can_be_paid(ruling: str) -> None:
    """A B train costs 200, the A train of SVR 50: with 60 no cash is raised unless Ben declines or the ruling allows."""
    table = short(60, letter="B", forced_purchase=ruling)
    table.train_is_owned("A-0", "SVR")
    table.runs_as("A-0", "local")
    if ruling == "bank_train":
        table.act(ADA, SELL)
        return
    assert table.refusal(ADA, SELL) == ("1862.cash_not_raised_so", "1862/7.11-b")
    table.act(ADA, BuyTrain("L&E", "A-0", 50, "SVR"))
    table.act(BEN, AnswerOffer(False))
    table.act(ADA, SELL)


@pytest.mark.clause("1862/7.11-b", "1862/8.0-e")
def test_a_train_of_a_company_in_receivership_is_no_way_out() -> None:
    """SVR sells nothing without a director, so that L&E with 60 may raise cash though its A train costs 50."""
    table = short(60, letter="B")
    table.train_is_owned("A-0", "SVR")
    table.runs_as("A-0", "local")
    table.has_no_director("SVR")
    table.act(ADA, SELL)
    assert table.game.money("L&E") == 60 + 2 * 82


@pytest.mark.clause("1862/7.11.1-a", "1862/7.11.1-b")
def test_as_few_shares_as_needed_at_the_full_price() -> None:
    """80 are missing for a B train: one share at 82, not at half of it; the price then falls one step."""
    table = short(120, letter="B")
    assert shares_to_sell(table.game, table.data, "L&E") == 1
    table.act(ADA, SELL)
    assert table.game.money("L&E") == 120 + 82
    assert table.shares("pool", "L&E") == 1
    assert table.shares("L&E", "L&E") == 4
    assert table.price_of("L&E") == 78
    table.act(ADA, bank(table))
    assert table.game.money("L&E") == 2


@pytest.mark.clause("1862/7.11.1-b")
@pytest.mark.parametrize(("price", "falls_to"), [(82, 74), (220, 200), (36, 26)])
def test_the_sale_counts_as_the_directors(price: int, falls_to: int) -> None:
    """Two shares are two steps down, also above 200 and below 40 where others' first share would be ignored."""
    table = short(0, letter="D", shares=3, price=price) if price == 220 else short(0, shares=3, price=price)
    missing = 360 if price == 220 else 100
    assert shares_to_sell(table.game, table.data, "L&E") == -(-missing // price)
    if price == 36:
        table.has_cash("L&E", 40)
    table.act(ADA, SELL)
    assert table.price_of("L&E") == falls_to


@pytest.mark.clause("1862/7.11.1-c", "1862/7.11.2-a")
def test_too_few_shares_may_not_be_sold() -> None:
    """For a B train 200 are missing, two treasury shares bring 164: the company has to refinance."""
    table = short(0, shares=8, letter="B")
    assert shares_to_sell(table.game, table.data, "L&E") == 0
    assert table.refusal(ADA, SELL) == ("1862.cash_not_raised_so", "1862/7.11.1-c")
    assert table.offered(ADA, RaiseCash) == [REFINANCE]
    assert way_without_choice(table.game, table.data, "L&E") == "refinancing"


@pytest.mark.clause("1862/7.11-c")
def test_one_way_of_raising_cash_only() -> None:
    """Both ways are open to the director, but not one after the other."""
    table = short(20)
    assert set(table.offered(ADA, RaiseCash)) == {SELL, REFINANCE}
    assert way_without_choice(table.game, table.data, "L&E") == "treasury_shares"
    table.act(ADA, SELL)
    assert table.refusal(ADA, REFINANCE) == ("1862.cash_not_raised_so", "1862/7.11-c")
    table = short(20)
    table.has_taken_action("refinanced")
    assert table.refusal(ADA, SELL) == ("1862.cash_not_raised_so", "1862/7.11-c")


@pytest.mark.clause("1862/7.11-d")
def test_what_is_raised_buys_a_train_from_the_bank() -> None:
    """After raising cash no other company's train is to be had until the bank's is bought."""
    table = short(199, letter="B", forced_purchase="bank_train")
    table.train_is_owned("A-0", "ENR")
    table.runs_as("A-0", "local")
    table.act(ADA, SELL)
    across = BuyTrain("L&E", "A-0", 50, "ENR")
    assert table.refusal(ADA, across) == ("train_not_available", "1862/7.11-d")
    table.act(ADA, bank(table))
    table.act(ADA, across)


@pytest.mark.clause("1862/7.11-e")
def test_the_kind_is_chosen_after_the_cash_is_raised() -> None:
    """Once cash is there every kind is offered."""
    table = short(20)
    table.act(ADA, SELL)
    offers = [each for each in table.offered(ADA, BuyNewTrain) if isinstance(each, BuyNewTrain)]
    assert {each.kind for each in offers} == {"express", "freight", "local"}


@pytest.mark.clause("1862/7.11-e", "1862/5.1.3-a")
def test_after_a_refinancing_without_director_the_company_buys_of_itself() -> None:
    """Ada's 40 % become 20 %: nobody directs L&E any more, which buys a train of its licence at once."""
    table = short(20, shares=4)
    table.licences_are("L&E", "freight")
    events = table.act(ADA, REFINANCE)
    while table.game.interrupts:
        events += table.act(table.asked(), SettleOption(False))
    assert table.director("L&E") == ""
    assert [event.train for event in only(events, TrainMove)] == ["A-0"]
    assert own(table.game).train_kinds["A-0"] == "freight"


@pytest.mark.clause("1862/7.11.2-b")
@pytest.mark.parametrize(("marker", "enough"), [(54, False), (80, True), (100, True)])
def test_what_a_refinancing_brings(marker: int, enough: bool) -> None:
    """Ten times the marker on the chart of initial offers: 540 are too little for an H train, 800 and 1000 enough."""
    table = short(0, letter="H", shares=10, marker=marker)
    assert refinancing_suffices(table.game, table.data, "L&E") == enough


@pytest.mark.clause("1862/7.11.2-c", "1862/7.12-a")
def test_bankrupt_when_even_a_refinancing_is_too_little() -> None:
    """With a marker at 54 an H train stays out of reach: refinanced, then bankrupt at once."""
    table = short(0, letter="H", shares=10, marker=54, price=100)
    events = table.act(ADA, REFINANCE)
    while table.game.interrupts:
        events += table.act(table.asked(), SettleOption(False))
    assert exchanges(events)
    assert not companies_of(table.game)["L&E"].opened
    assert table.game.actor != "L&E"


@pytest.mark.clause("1862/7.11.2-c")
def test_bankrupt_without_refinancing_under_the_other_ruling() -> None:
    """There a refinancing that would not suffice is left out: holders are paid for what they have."""
    table = short(0, letter="H", shares=10, marker=54, price=100, refinancing_too_small="bankrupt")
    before = table.game.money(ADA)
    events = table.act(ADA, REFINANCE)
    assert not exchanges(events)
    assert table.game.money(ADA) - before == 10 * 50
    assert not companies_of(table.game)["L&E"].opened


def test_no_idle_bankruptcy_while_shares_would_do() -> None:
    """Under that ruling a refinancing that is too small is refused where treasury shares bring enough."""
    table = short(300, letter="H", shares=3, marker=54, price=100, refinancing_too_small="bankrupt")
    table.has_cash("L&E", 200)
    assert shares_to_sell(table.game, table.data, "L&E") == 6
    assert table.refusal(ADA, REFINANCE) == ("1862.cash_not_raised_so", "1862/7.11.2-c")
    assert set(short(20, refinancing_too_small="bankrupt").offered(ADA, RaiseCash)) == {SELL, REFINANCE}
