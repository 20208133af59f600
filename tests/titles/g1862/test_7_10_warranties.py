"""Warranties of trains in 1862: bought, given, lost, and what they keep in play (7.10)."""

import pytest

from services.rules.kernel.commands import AnswerOffer
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.commands import BuyNewTrain
from services.rules.titles.g1862.figures import kind_of, phases_of
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains.depots import used_price
from services.rules.titles.g1862.trains.warranties import lose_warranties
from tests.positions.reading import TrainMove, only
from tests.titles.g1862.table import ADA, BEN, Table, new_table


def buying(*options: str, cash: int = 1000) -> Table:
    """L&E of Ada is about to buy trains; SVR of Ben is quoted too."""
    table = new_table(4, *options, offer=("L&E", "SVR"))
    table.is_founded("L&E", 90, ADA, treasury=cash)
    table.is_founded("SVR", 82, BEN, treasury=500)
    table.operating_round_is("L&E", "SVR")
    return table


def bank(table: Table, train: str, count: int) -> BuyNewTrain:
    """L&E buys this train with so many warranties."""
    return BuyNewTrain("L&E", train, kind_of(table.data, train).price, "express", count)


@pytest.mark.clause("1862/7.10-a", "1862/7.10.1-a")
def test_warranties_cost_fifty_each_and_a_trains_bring_one() -> None:
    """An A train with two bought warranties costs 100 + 2 x 50 and has three."""
    table = buying()
    table.act(ADA, bank(table, "A-0", 2))
    assert table.game.money("L&E") == 1000 - 100 - 2 * 50
    assert own(table.game).warranties == {"A-0": 3}


@pytest.mark.clause("1862/7.10-a")
def test_warranties_have_to_be_paid() -> None:
    """With 149 an A train can be bought, a warranty for it cannot."""
    table = buying(cash=149)
    assert table.refusal(ADA, bank(table, "A-0", 1)) == ("not_enough_cash", "1862/7.9-b")
    table.act(ADA, bank(table, "A-0", 0))
    assert own(table.game).warranties == {"A-0": 1}


@pytest.mark.clause("1862/7.10-b", "1862/7.10.1-a")
@pytest.mark.parametrize(("letter", "most", "has"), [("A", 2, 3), ("B", 3, 3), ("D", 2, 3), ("E", 3, 3)])
def test_three_warranties_at_most(letter: str, most: int, has: int) -> None:
    """Three in all, of which A and D trains bring one."""
    table = buying()
    for earlier in list(phases_of(table.data))[: list(phases_of(table.data)).index(letter)]:
        table.trains_are_sold(earlier)
    train = f"{letter}-0"
    assert table.refusal(ADA, bank(table, train, most + 1)) == ("1862.warranty_limit", "1862/7.10-b")
    table.act(ADA, bank(table, train, most))
    assert own(table.game).warranties == {train: has}


@pytest.mark.clause("1862/7.10-b", "1862/7.10.1-a")
@pytest.mark.parametrize(("letter", "most"), [("A", 2), ("B", 3)])
def test_every_number_of_warranties_is_offered(letter: str, most: int) -> None:
    """From none to the most that may be bought, for each kind; with money for all but the last that one is not offered."""
    for short in (0, 1):
        table = buying()
        if letter != "A":
            table.phase_is(letter)
        price = kind_of(table.data, letter).price
        table.has_cash("L&E", price + 50 * most - short)
        offers = [each for each in table.offered(ADA, BuyNewTrain) if isinstance(each, BuyNewTrain)]
        for kind in ("freight", "local", "express"):
            counts = [offer.warranties for offer in offers if offer.kind == kind]
            assert counts == list(range(most + 1 - short))


@pytest.mark.clause("1862/7.10-h")
def test_permanent_trains_may_have_warranties() -> None:
    """An H train can be bought with three of them."""
    table = buying()
    table.phase_is("H")
    table.act(ADA, bank(table, "H-1", 3))
    assert own(table.game).warranties["H-1"] == 3


@pytest.mark.clause("1862/7.10-d")
def test_every_train_loses_one_when_trains_have_run() -> None:
    """Whether it earned anything or not; one without any loses nothing."""
    table = buying()
    first, second, third = table.owns_trains("L&E", "A", "A", "A")
    table.warranties_are(first, 3)
    table.warranties_are(second, 1)
    draft = table.draft()
    lose_warranties(draft, table.data, "L&E")
    table.take(draft)
    assert own(table.game).warranties == {first: 2}
    assert trains_of(table.game).owned["L&E"] == (first, second, third)


@pytest.mark.clause("1862/7.10-d")
def test_warranties_go_in_a_turn_without_revenue_too() -> None:
    """A company whose trains reach nothing loses a warranty of each when it comes to divide nothing."""
    table = buying()
    (train,) = table.owns_trains("L&E", "A")
    table.warranties_are(train, 1)
    table.operating_round_is("L&E", "SVR", step="place_token")
    table.has_passed_step("place_token")
    table.carry_on()
    assert table.game.current_round.step == "buy_trains"
    assert own(table.game).warranties == {}


@pytest.mark.clause("1862/7.10-e", "1862/9.0-t")
def test_an_obsolete_train_stays_until_its_last_warranty_goes() -> None:
    """The first C removes A trains without warranty; one with two stays for two more runs."""
    table = buying()
    kept, lost = table.owns_trains("L&E", "A", "A")
    table.warranties_are(kept, 2)
    table.phase_is("B")
    table.trains_are_sold("B")
    events = table.act(ADA, bank(table, "C-0", 0))
    assert [event.train for event in only(events, TrainMove)] == ["C-0", lost]
    for expected in ((kept, "C-0"), ("C-0",)):
        draft = table.draft()
        lose_warranties(draft, table.data, "L&E")
        table.take(draft)
        assert trains_of(table.game).owned["L&E"] == expected


@pytest.mark.clause("1862/7.10-f", "1862/7.10-g", "1862/7.10-c")
def test_warranties_go_along_with_a_sold_train_at_the_same_price() -> None:
    """An A train with three warranties costs 100 like any other, and has them afterwards."""
    table = buying()
    (train,) = table.owns_trains("SVR", "A")
    table.warranties_are(train, 3)
    assert used_price(table.game, table.data, train) == 100
    table.act(ADA, BuyTrain("L&E", train, 100, "SVR"))
    table.act(BEN, AnswerOffer(True))
    assert trains_of(table.game).owned["L&E"] == (train,)
    assert own(table.game).warranties == {train: 3}


@pytest.mark.clause("1862/11.3-c")
def test_beginners_buy_no_warranties() -> None:
    """In the beginners' game A trains have their free one and no more can be bought."""
    table = buying("simple_express", "beginners")
    assert table.refusal(ADA, bank(table, "A-0", 1)) == ("1862.variant_forbids", "1862/11.3-c")
    table.act(ADA, bank(table, "A-0", 0))
    assert own(table.game).warranties == {"A-0": 1}
