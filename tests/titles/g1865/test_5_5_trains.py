"""Trains of 1865: buying them, phases and limits (5.5)."""

import pytest

from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import owned_by
from services.rules.titles.g1865.figures import phases_of
from tests.positions.reading import moved_trains, paid
from tests.positions.rounds import questions
from tests.positions.trains import phases
from tests.titles.g1865.table import ADA, BEN, Table, stock_table


def _buying(*trains: str, treasury: int = 2000, phase: str = "2", **rulings: str) -> Table:
    """FMS of Ada has these trains and may buy; FA of Ben and CFC of Ada have started too."""
    table = stock_table(**rulings)
    for player in table.game.players:
        table.has_cash(player, 300)
    table.is_launched("FMS", 100, ADA, treasury=treasury)
    table.is_launched("FA", 60, BEN, treasury=100)
    table.is_launched("CFC", 60, ADA, treasury=100)
    if phase != "2":
        table.phase_is(phase)
    for number, kind in enumerate(trains):
        table.train_is_owned(f"{kind}-{90 + number}", "FMS")
    table.company_turn_is("FMS", step="buy_trains")
    return table


@pytest.mark.clause("1865/5.5-a")
def test_trains_of_the_bank_cost_their_face_value() -> None:
    """100, and no other price; only the next kind is for sale."""
    table = _buying()
    events = table.act(ADA, BuyTrain("FMS", "2-0", 100))
    assert paid(events, "FMS", BANK, 100, "train_bought", "2-0")
    assert table.refusal(ADA, BuyTrain("FMS", "2-1", 99)) == ("train_price", "1865/5.5-c")
    assert table.refusal(ADA, BuyTrain("FMS", "3-0", 200)) == ("train_not_available", "1865/5.5-a")
    assert table.refusal(ADA, BuyTrain("FMS", "9-0", 200)) == ("unknown_train", "")


@pytest.mark.clause("1865/5.5-b")
def test_another_company_sells_at_any_price_of_at_least_1() -> None:
    """Between companies of one president at once; another president is asked, and may decline for the turn."""
    table = _buying()
    table.train_is_owned("2-80", "CFC")
    table.train_is_owned("2-81", "FA")
    assert table.refusal(ADA, BuyTrain("FMS", "2-80", 0, "CFC")) == ("train_price", "1865/5.5-b")
    assert table.refusal(ADA, BuyTrain("FMS", "2-80", 5, "FA")) == ("train_not_available", "1865/5.5-b")
    assert table.refusal(ADA, BuyTrain("FMS", "2-80", 5, "XYZ")) == ("unknown_company", "")
    offer = next(each for each in table.choices(ADA) if each.command == BuyTrain("FMS", "2-80", 1, "CFC"))
    assert (offer.open_field, offer.minimum, offer.maximum) == ("price", 1, 2000)
    assert paid(table.act(ADA, BuyTrain("FMS", "2-80", 1, "CFC")), "FMS", "CFC", 1, "train_bought", "2-80")
    assert questions(table.act(ADA, BuyTrain("FMS", "2-81", 333, "FA"))) == [("sell_train", BEN, "FMS")]
    events = table.act(BEN, AnswerOffer(True))
    assert paid(events, "FMS", "FA", 333, "train_bought", "2-81")
    assert moved_trains(events) == [("2-81", "FA", "FMS")]


@pytest.mark.clause("1865/5.5-b")
def test_an_offer_may_be_declined() -> None:
    """Nothing changes hands, and it is not made again in this turn."""
    table = _buying()
    table.train_is_owned("2-81", "FA")
    table.act(ADA, BuyTrain("FMS", "2-81", 50, "FA"))
    assert moved_trains(table.act(BEN, AnswerOffer(False))) == []
    assert table.refusal(ADA, BuyTrain("FMS", "2-81", 500, "FA")) == ("offer_declined", "1865/5.5-b")


@pytest.mark.clause("1865/5.5-c")
@pytest.mark.parametrize(
    ("kind", "last", "price"), [("2", 5, 70), ("3", 4, 160), ("4", 3, 300), ("5", 1, 500), ("6", 2, 650)]
)
def test_the_last_train_of_the_first_three_kinds_is_cheaper(kind: str, last: int, price: int) -> None:
    """70 for 100, 160 for 200, 300 for 350; the others are not."""
    table = _buying()
    if kind != "2":
        table.phase_is(kind)
    table.trains_are_sold(kind, leave=1)
    table.company_turn_is("FMS", step="buy_trains")
    assert BuyTrain("FMS", f"{kind}-{last}", price) in table.offered(ADA, BuyTrain)
    assert paid(
        table.act(ADA, BuyTrain("FMS", f"{kind}-{last}", price)),
        "FMS",
        BANK,
        price,
        "train_bought",
        f"{kind}-{last}",
    )


@pytest.mark.clause("1865/5.5-d")
@pytest.mark.clause("1865/5.5-e")
@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 3), ("4", 3), ("5", 3), ("6", 2), ("7", 2)])
def test_no_train_above_the_limit(phase: str, limit: int) -> None:
    """4 in phase 2, 3 in phases 3 to 5, 2 later; sea companies do not count."""
    assert phases_of(_buying().data)[phase].train_limit == {"railway": limit}
    table = _buying(*("7",) * (limit - 1), phase=phase, treasury=5000)
    table.has_maritime("FMS", "M1", "M2")
    table.train_is_owned("7-70", POOL)
    table.train_is_owned("7-71", POOL)
    table.company_turn_is("FMS", step="buy_trains")
    table.act(ADA, BuyTrain("FMS", "7-70", 800, POOL))
    table.company_turn_is("FMS", step="buy_trains")
    assert table.refusal(ADA, BuyTrain("FMS", "7-71", 800, POOL)) == ("train_limit", "1865/5.5-d")


@pytest.mark.clause("1865/5.5-f")
@pytest.mark.parametrize(
    ("ruling", "traffic", "has_to"),
    [("always", 0, True), ("with_traffic", 0, False), ("with_traffic", 1, True)],
)
def test_a_company_ends_its_turn_with_a_train(ruling: str, traffic: int, has_to: bool) -> None:
    """Always, or by ruling only when it has traffic."""
    table = _buying(train_duty=ruling)
    table.traffic_is("FMS", traffic)
    assert (Pass() not in table.offered(ADA)) == has_to
    if has_to:
        assert table.refusal(ADA, Pass()) == ("may_not_pass", "1865/5.5-f")
    with_train = _buying("2", train_duty=ruling)
    assert Pass() in with_train.offered(ADA)


@pytest.mark.clause("1865/5.5-k")
@pytest.mark.clause("1865/5.5-l")
@pytest.mark.parametrize(("kind", "removed"), [("3", ""), ("4", "2"), ("5", ""), ("6", "3"), ("7", "4")])
def test_the_first_train_of_a_kind_begins_its_phase(kind: str, removed: str) -> None:
    """Phase-2 trains go with phase 4, phase-3 with 6, phase-4 with 7, those in the pool too; 5, 6 and 7 stay."""
    table = _buying(treasury=5000)
    before = str(int(kind) - 1)
    if before != "2":
        table.phase_is(before)
    table.trains_are_sold(before)
    for number, owned in enumerate("234567"):
        table.train_is_owned(f"{owned}-5{number}", ("FA", POOL)[number % 2])
    table.company_turn_is("FMS", step="buy_trains")
    price = {"3": 200, "4": 350, "5": 500, "6": 650, "7": 800}[kind]
    events = table.act(ADA, BuyTrain("FMS", f"{kind}-0", price))
    assert phases(events) == [kind]
    gone = {train.split("-")[0] for train, _, target in moved_trains(events) if not target}
    assert gone == ({removed} if removed else set())
    assert phases(table.act(ADA, table.offered(ADA, BuyTrain)[0])) == []


@pytest.mark.clause("1865/5.5-m")
@pytest.mark.parametrize(("ruling", "target"), [("bank_pool", POOL), ("out_of_game", "")])
def test_a_lower_limit_takes_the_smallest_trains(ruling: str, target: str) -> None:
    """Phase 6: from three trains to two. What goes to the pool is for sale at its face value."""
    table = _buying("7", phase="5", treasury=5000, trains_above_the_limit=ruling)
    table.trains_are_sold("5")
    for train in ("5-60", "4-60", "7-60"):
        table.train_is_owned(train, "FA")
    table.company_turn_is("FMS", step="buy_trains")
    events = table.act(ADA, BuyTrain("FMS", "6-0", 650))
    assert moved_trains(events, "discarded") == [("4-60", "FA", target)]
    assert owned_by(table.game, "FA") == ("5-60", "7-60")
    table.train_is_gone("7-90", "FMS")
    table.company_turn_is("FMS", step="buy_trains")
    assert (BuyTrain("FMS", "4-60", 350, POOL) in table.offered(ADA, BuyTrain)) == bool(target)
