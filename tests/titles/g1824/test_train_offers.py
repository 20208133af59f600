"""Trains of other companies: who sells, who has to agree, and who gives up trains above the limit (VII.11-t to VII.11-x)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.commands import DiscardTrain
from tests.positions.reading import moved_cash
from tests.titles.g1824.operating_positions import buyer, major, neighbour, train_commands
from tests.titles.g1824.table import ADA, BEN, CLEO, Table


def offer_made(ruling: str = "asked") -> tuple[Table, str]:
    """MS of Ada has asked for the 3-train of Ben's CL."""
    table = buyer("2", phase="3", treasury=300)
    table.game.rulings["train_sale_between_directors"] = ruling
    (train,) = neighbour(table, BEN, "3")
    table.operating_round_is("MS")
    table.act(ADA, BuyTrain("MS", train, 180, "CL"))
    return table, train


@pytest.mark.clause("1824/VII.11-t", "1824/VII.11-v")
def test_the_other_director_is_asked_first() -> None:
    """Until Ben has answered nothing moves and nobody else may act."""
    table, train = offer_made()
    assert table.asked() == BEN
    assert train in trains_of(table.game).owned["CL"]
    assert table.offered(BEN) == [AnswerOffer(True), AnswerOffer(False)]
    assert table.refusal(ADA, Pass())[0] == "interrupt_first"
    assert table.refusal(ADA, AnswerOffer(True))[0] == "not_your_turn"
    assert table.refusal(BEN, Pass())[0] == "interrupt_first"


@pytest.mark.clause("1824/VII.11-t")
def test_agreeing_sells_at_the_face_value() -> None:
    """Ben agrees: 180 go from MS to CL and the train the other way; Ada goes on buying."""
    table, train = offer_made()
    events = table.act(BEN, AnswerOffer(True))
    assert moved_cash(events, "train_bought") == [("MS", "CL", 180)]
    assert train in trains_of(table.game).owned["MS"]
    assert train not in trains_of(table.game).owned["CL"]
    assert not table.game.interrupts


@pytest.mark.clause("1824/VII.11-t")
def test_declining_moves_nothing_and_is_not_asked_twice() -> None:
    """Ben declines: money and train stay, and the same train cannot be asked for again in this turn."""
    table, train = offer_made()
    before = dict(table.game.cash)
    table.act(BEN, AnswerOffer(False))
    assert table.game.cash == before
    assert train in trains_of(table.game).owned["CL"]
    assert table.refusal(ADA, BuyTrain("MS", train, 180, "CL")) == ("offer_declined", "1824/VII.11-t")
    assert BuyTrain("MS", train, 180, "CL") not in table.offered(ADA)


@pytest.mark.clause("1824/VII.11-t")
def test_nobody_is_asked_under_the_other_ruling() -> None:
    """Under `not_asked` the purchase is made at once."""
    table, train = offer_made("not_asked")
    assert table.asked() == ADA
    assert train in trains_of(table.game).owned["MS"]


@pytest.mark.clause("1824/VII.11-t")
def test_only_the_selling_director_answers() -> None:
    """A third player has no say."""
    table, _ = offer_made()
    assert table.refusal(CLEO, AnswerOffer(True))[0] == "not_your_turn"


@pytest.mark.clause("1824/VII.11-u")
def test_nothing_is_bought_for_nothing() -> None:
    """A company with a train and an empty treasury is offered no train of another company of its director."""
    table = buyer("2", phase="3", treasury=0)
    neighbour(table, ADA, "3")
    table.operating_round_is("MS")
    table.has_cash("MS", 0)
    assert train_commands(table, ADA) == []


@pytest.mark.clause("1824/VII.11-t", "1824/VII.11-v")
def test_a_state_without_director_sells_no_train() -> None:
    """Nobody could consent to it: the train of SD is neither offered nor sold, at its face value or otherwise."""
    table = buyer("2", phase="4", treasury=500)
    table.is_open("SD")
    (train,) = table.owns_trains("SD", "4")
    table.operating_round_is("MS")
    assert not [each for each in train_commands(table, ADA) if each.seller == "SD"]
    assert table.refusal(ADA, BuyTrain("MS", train, 280, "SD")) == ("train_not_available", "1824/VII.11-o")


@pytest.mark.clause("1824/VII.11-v")
@pytest.mark.parametrize("consent", ["asked", "not_asked"])
def test_ruling_sells_the_train_of_a_state_without_director(consent: str) -> None:
    """For what is printed on it, and nobody is asked."""
    table = buyer(
        "2",
        phase="4",
        treasury=500,
        trains_of_state_without_director="for_sale",
        train_sale_between_directors=consent,
    )
    table.is_open("SD")
    (train,) = table.owns_trains("SD", "4")
    table.operating_round_is("MS")
    assert table.refusal(ADA, BuyTrain("MS", train, 270, "SD")) == ("train_price", "1824/VII.11-v")
    table.act(ADA, BuyTrain("MS", train, 280, "SD"))
    assert table.game.money("SD") == 280


@pytest.mark.clause("1824/VII.11-x")
@pytest.mark.parametrize(("ruling", "order"), [("by_first_train", ("MS", "BH")), ("by_symbol", ("BH", "MS"))])
def test_order_in_which_companies_give_up_trains(ruling: str, order: tuple[str, str]) -> None:
    """The one that had a train first, or by symbol as on another platform."""
    table = buyer("3", phase="3", discard_order=ruling)
    for company, director in (("CL", BEN), ("BH", CLEO)):
        major(table, company, director, shares=2)
    for company in ("BH", "MS"):
        table.owns_trains(company, *["1g"] * (4 - len(trains_of(table.game).owned.get(company, ()))))
    table.trains_are_sold("3")
    table.owns_trains("CL", "2")
    table.operating_round_is("CL")
    table.has_cash("CL", 280)
    table.act(BEN, BuyTrain("CL", "4-0", 280))
    assert tuple(each.company for each in table.game.interrupts) == order


@pytest.mark.clause("1824/VII.11-x")
def test_companies_above_the_limit_give_up_trains_one_after_the_other() -> None:
    """The first 4-train leaves CL of Ben and SB of Cleo one train too many: each is asked for its own, CL first."""
    table = buyer("3", phase="3")
    for company, director in (("CL", BEN), ("SB", CLEO)):
        major(table, company, director, shares=2)
        table.owns_trains(company, "1g", "1g", "1g", "2g")
    table.trains_are_sold("3")
    table.operating_round_is("MS")
    table.act(ADA, BuyTrain("MS", "4-0", 280))
    for company, director in (("CL", BEN), ("SB", CLEO)):
        assert table.asked() == director
        trains = [DiscardTrain(company, train) for train in trains_of(table.game).owned[company]]
        assert table.offered(director) == trains
        table.act(director, trains[0])
    assert table.asked() == ADA
