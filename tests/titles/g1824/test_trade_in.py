"""Trains given in part payment for new ones in 1824 (VII.13)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.state import phase_of, trains_of
from services.rules.titles.g1824.commands import TradeInTrain
from tests.positions.reading import moved_cash, moved_trains
from tests.titles.g1824.operating_positions import buyer, neighbour
from tests.titles.g1824.table import ADA


@pytest.mark.clause("1824/VII.13-a")
def test_only_a_train_of_the_type_before_is_taken_in_part_payment() -> None:
    """A 2-train counts for a 3-train, not for a 2g-train; and nothing counts for a 1g-train or another company's train."""
    table = buyer("2", phase="3")
    (theirs,) = neighbour(table, ADA, "3")
    table.operating_round_is("MS")
    three = f"3-{trains_of(table.game).depot_gone['3']}"
    for wanted in ("2g-0", "1g-0"):
        bad = TradeInTrain("MS", wanted, 140, "2-0")
        assert table.refusal(ADA, bad) == ("1824.trade_in_not_possible", "1824/VII.13-a")
    for_theirs = TradeInTrain("MS", theirs, 140, "2-0")
    assert table.refusal(ADA, for_theirs) == ("train_not_available", "1824/VII.11-r")
    stranger = TradeInTrain("MS", three, 140, "2-1")
    assert table.refusal(ADA, stranger) == ("train_not_owned", "1824/VII.13-a")
    table.act(ADA, TradeInTrain("MS", three, 140, "2-0"))


@pytest.mark.clause("1824/VII.13-a")
def test_trade_ins_are_listed_beside_the_purchases_of_the_same_train() -> None:
    """A train in the bank, then what can be handed in for it, then the next train."""
    table = buyer("2", "1g", phase="3")
    three, one = (f"{kind}-{trains_of(table.game).depot_gone[kind]}" for kind in ("3", "1g"))
    assert table.offered(ADA) == [
        BuyTrain("MS", three, 180),
        TradeInTrain("MS", three, 140, "2-0"),
        BuyTrain("MS", one, 120),
        BuyTrain("MS", "2g-0", 240),
        TradeInTrain("MS", "2g-0", 180, "1g-0"),
        Pass(),
    ]


@pytest.mark.clause("1824/VII.13-a")
def test_a_company_hands_in_trains_in_its_own_turn_and_for_its_own_money() -> None:
    """Of another company, for no train that there is, and without the money it is refused."""
    table = buyer("2", phase="3", treasury=139)
    three = f"3-{trains_of(table.game).depot_gone['3']}"
    assert table.refusal(ADA, TradeInTrain("CL", three, 140, "2-0"))[0] == "not_your_turn"
    assert table.refusal(ADA, TradeInTrain("MS", "7-0", 140, "2-0"))[0] == "unknown_train"
    assert table.refusal(ADA, TradeInTrain("MS", three, 140, "2-0")) == ("not_enough_cash", "1824/V-b")


@pytest.mark.clause("1824/VII.13-b", "1824/VII.13-d")
def test_last_5_train_traded_in_for_the_first_6_train() -> None:
    """The printed example: the last 5-train for 400, then the first 6-train for 400 instead of 600; the 5-train is gone."""
    table = buyer(phase="5", treasury=800)
    table.trains_are_sold("5", leave=1)
    table.act(ADA, BuyTrain("MS", "5-2", 400))
    events = table.act(ADA, TradeInTrain("MS", "6-0", 400, "5-2"))
    assert moved_cash(events, "train_bought") == [("MS", BANK, 400)]
    assert moved_trains(events, "1824.traded_in") == [("5-2", "MS", "")]
    assert trains_of(table.game).owned["MS"] == ("6-0",)
    assert table.game.money("MS") == 0
    assert phase_of(table.game) == "6"


@pytest.mark.clause("1824/VII.13-b")
def test_wrong_trade_in_price_is_refused() -> None:
    """A 2-train for a 3-train leaves 140 to pay, not 139."""
    table = buyer("2", phase="3")
    three = f"3-{trains_of(table.game).depot_gone['3']}"
    cheap = TradeInTrain("MS", three, 139, "2-0")
    assert table.refusal(ADA, cheap) == ("train_price", "1824/VII.13-b")


@pytest.mark.clause("1824/VII.13-c")
def test_one_trade_in_a_round() -> None:
    """After one train has been handed in a second one is refused, a goods train too."""
    table = buyer("2", "2", "1g", phase="3")
    gone = trains_of(table.game).depot_gone["3"]
    table.act(ADA, TradeInTrain("MS", f"3-{gone}", 140, "2-0"))
    again = TradeInTrain("MS", f"3-{gone + 1}", 140, "2-1")
    assert table.refusal(ADA, again) == ("1824.trade_in_not_possible", "1824/VII.13-c")
    goods = TradeInTrain("MS", "2g-0", 180, "1g-0")
    assert table.refusal(ADA, goods) == ("1824.trade_in_not_possible", "1824/VII.13-c")
    assert not table.offered(ADA, TradeInTrain)


@pytest.mark.clause("1824/VII.13-d")
def test_traded_in_train_does_not_return_to_the_bank() -> None:
    """A handed-in 2g-train leaves the game: the bank has as many 2g-trains as before."""
    table = buyer("2g", phase="4")
    gone = dict(trains_of(table.game).depot_gone)
    table.act(ADA, TradeInTrain("MS", "3g-0", 240, "2g-0"))
    assert trains_of(table.game).depot_gone["2g"] == gone["2g"]
    assert "2g-0" not in [train for trains in trains_of(table.game).owned.values() for train in trains]


@pytest.mark.clause("1824/VII.13-e")
def test_trade_in_at_the_limit() -> None:
    """At its limit of 3 in phase 4 a company may still turn a 3-train into a 4-train."""
    table = buyer("3", "1g", "1g", phase="4", treasury=500)
    assert table.refusal(ADA, BuyTrain("MS", "4-1", 280)) == ("train_limit", "1824/VII.11-p")
    assert set(table.offered(ADA)) == {
        TradeInTrain("MS", "4-1", 190, "3-0"),
        TradeInTrain("MS", "2g-0", 180, "1g-0"),
        TradeInTrain("MS", "2g-0", 180, "1g-1"),
        Pass(),
    }
    table.act(ADA, TradeInTrain("MS", "4-1", 190, "3-0"))
    assert trains_of(table.game).owned["MS"] == ("1g-0", "1g-1", "4-1")
