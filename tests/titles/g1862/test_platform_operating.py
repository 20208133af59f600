"""What the platform `18xx.games` plays otherwise than the rulebook in a company's turn, ruling by ruling."""

from __future__ import annotations

import pytest

from services.rules.kernel.title import Context
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import Run, trains_of
from services.rules.titles.g1862.commands import BuyNewTrain, RaiseCash, SettleOption
from services.rules.titles.g1862.operating import runs
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.trains import buying as trains, redeeming
from services.rules.titles.g1862.trains.bankruptcy import go_bankrupt
from services.rules.titles.g1862.trains.depots import bank_train
from services.rules.titles.g1862.trains.forced import used_offers
from tests.titles.g1862.runboard import board
from tests.titles.g1862.table import ADA, BEN, Table, new_table


def after_bankruptcy(**rulings: str) -> Table:
    """SVR went bankrupt by its price and left an A train with a warranty; L&E, with a train and money for half of one, is
    about to buy."""
    table = new_table(4, offer=("L&E", "SVR"), by=rulings)
    table.is_founded("L&E", 82, ADA, chartered=False, treasury=60)
    table.is_founded("SVR", 7, BEN, treasury=300)
    (lost,) = table.owns_trains("SVR", "A")
    table.owns_trains("L&E", "A", runs_as="local")
    table.warranties_are(lost, 1)
    table.phase_is("B")
    draft = table.draft()
    go_bankrupt(draft, Context(table.data), "SVR", "price")
    table.take(draft)
    table.operating_round_is("L&E")
    return table


def test_trains_of_bankrupt_companies_leave_the_game() -> None:
    """By the rulebook nobody can buy them any more, and their warranties are gone with them."""
    table = after_bankruptcy(trains_of_bankrupt_companies="out_of_game")
    assert not used_offers(table.game, table.data, "L&E") and not own(table.game).warranties
    assert not trains.BUY.is_waiting(table.game, Context(table.data))
    assert table.refusal(ADA, BuyTrain("L&E", "A-0", 50, "SVR"))[0] in ("train_not_available", "wrong_step")


def test_trains_of_bankrupt_companies_stay_on_sale() -> None:
    """By one ruling half the price goes into the treasury of the bankrupt company, and the warranty comes along."""
    table = after_bankruptcy(trains_of_bankrupt_companies="on_sale")
    assert trains.BUY.is_waiting(table.game, Context(table.data))
    assert table.offered(ADA, BuyTrain) == [BuyTrain("L&E", "A-0", 50, "SVR")]
    table.act(ADA, BuyTrain("L&E", "A-0", 50, "SVR"))
    assert "A-0" in trains_of(table.game).owned["L&E"] and not own(table.game).abandoned
    assert (table.game.money("L&E"), table.game.money("SVR"), own(table.game).warranties["A-0"]) == (
        10,
        50,
        1,
    )


@pytest.mark.parametrize("warranties", [0, 1])
def test_an_obsolete_train_of_a_bankrupt_company_needs_a_warranty(warranties: int) -> None:
    """Once the first C train is sold an A train stays on sale only while it has a warranty left."""
    table = after_bankruptcy(trains_of_bankrupt_companies="on_sale")
    table.warranties_are("A-0", warranties)
    table.phase_is("C")
    assert bool(used_offers(table.game, table.data, "L&E")) is bool(warranties)


def test_a_company_does_not_buy_the_train_it_left_itself() -> None:
    """Opened again, the company is not offered what it had before it went bankrupt."""
    table = after_bankruptcy(trains_of_bankrupt_companies="on_sale")
    assert not used_offers(table.game, table.data, "SVR")


@pytest.mark.parametrize(("ruling", "asked"), [("runs", True), ("not_in_receivership", False)])
def test_running_after_a_merger_that_took_the_director(ruling: str, asked: bool) -> None:
    """By one ruling a company that its merger left in receivership does not run in this turn."""
    table = board("L&H", "B5:15/1 C4:793/4", "3E", phase="C", run_after_merger=ruling)
    table.operating_round_is("L&H", step="run_trains")
    context = Context(table.data)
    table.has_taken_action("merged")
    assert runs.RUN.is_waiting(table.game, context)
    table.has_no_director("L&H")
    assert runs.RUN.is_waiting(table.game, context) is asked


@pytest.mark.parametrize(("ruling", "asked"), [("skipped", False), ("asked", True)])
def test_a_company_that_ran_before_and_has_no_route_now(ruling: str, asked: bool) -> None:
    """By one ruling it is asked all the same and can only let its trains stand."""
    table = board("L&H", "C4:793/4", "3E", phase="C", idle_turns=ruling)
    table.operating_round_is("L&H", step="run_trains")
    context = Context(table.data)
    assert not runs.RUN.is_waiting(table.game, context)
    (train,) = trains_of(table.game).owned["L&H"]
    earlier = Run(train, ("C4.0", "B5.0"), (), ("C4", "B5"), 80, 0)
    table.has_run("L&H", 80, 0, earlier)
    table.operating_round_is("L&H", step="run_trains")
    assert runs.RUN.is_waiting(table.game, context) is asked


@pytest.mark.parametrize(
    ("ruling", "cash", "missed"),
    [("as_always", 10, False), ("if_possible_before", 10, True), ("if_possible_before", 90, False)],
)
def test_redeeming_after_a_refinancing_that_asks_holders(ruling: str, cash: int, missed: bool) -> None:
    """By one ruling a company that could not pay for its share while holders were asked cannot redeem in this turn."""
    rulings = {"only_way_of_raising_cash": "taken", "redeeming_after_refinancing": ruling}
    table = new_table(4, offer=("L&E",), by=rulings)
    table.is_founded("L&E", 82, ADA, shares=9, chartered=False, treasury=cash)
    table.phase_is("B")
    table.operating_round_is("L&E")
    draft = table.draft()
    trains.BUY.begin(draft, Context(table.data))
    table.take(draft)
    assert table.game.interrupts[0].kind == "1862.settle_option"
    while table.game.interrupts:
        table.act(ADA, SettleOption(False))
    table.act(ADA, BuyNewTrain("L&E", bank_train(table.game, table.data), 200, "express"))
    table.step_is("redeem_share")
    assert table.game.money("L&E") >= 82
    assert redeeming.REDEEM.is_waiting(table.game, Context(table.data)) is not missed


@pytest.mark.parametrize("again", [False, True])
def test_a_company_short_again_after_its_refinancing(again: bool) -> None:
    """L&E has 60 and needs 600; a refinancing brings 540, but 41 of its money went for an option: by one ruling it may sell
    that share or refinance again, else it is bankrupt."""
    ruling = "taken" if again else "asked"
    table = new_table(4, offer=("L&E",), by={"only_way_of_raising_cash": ruling})
    table.is_founded("L&E", 82, ADA, shares=9, chartered=False, treasury=60)
    table.par_is("L&E", 54)
    table.phase_is("F")
    table.operating_round_is("L&E")
    table.act(ADA, RaiseCash("L&E", "refinancing"))
    table.act(ADA, SettleOption(True))
    assert table.game.interrupts[0].subject == "L&E"
    table.act(ADA, SettleOption(True))
    assert companies_of(table.game)["L&E"].opened is again
    if again:
        assert table.game.money("L&E") == 60 - 41 + 540
        ways = [RaiseCash("L&E", "treasury_shares"), RaiseCash("L&E", "refinancing")]
        assert table.offered(ADA, RaiseCash) == ways
        table.act(ADA, ways[0])
        assert table.game.money("L&E") == 559 + 82
