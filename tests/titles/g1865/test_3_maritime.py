"""Sea companies in players' hands and with railways (section 3)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.decide import acting_players
from services.rules.parts.trains.commands import BuyTrain, DeclareDividend
from services.rules.titles.g1865.commands import HandOver, PlaceTokenByRoute, TakeMaritime
from services.rules.titles.g1865.revenue import coverage_of, revenue_of
from services.rules.titles.g1865.state import own
from tests.positions.reading import payments
from tests.positions.rounds import questions
from tests.positions.trains import phases
from tests.titles.g1865.table import (
    ADA,
    BEN,
    CLEO,
    TO_CAGLIARI,
    TO_CAGLIARI_HEXES,
    Table,
    closed_maritime,
    maritime_moves,
    stock_table,
    traffic_changes,
    used_ports,
)


def _running(phase: str = "2", **rulings: str) -> Table:
    """FMS of Ada is at turn before its track, with the sea company of Cagliari in Ben's hands and another with Ada."""
    table = stock_table(**rulings)
    table.is_launched("FMS", 80, ADA, treasury=1000)
    table.has_maritime(BEN, "M1")
    table.has_maritime(ADA, "M3")
    if phase != "2":
        table.phase_is(phase)
    table.company_turn_is("FMS", step="lay_track")
    return table


@pytest.mark.clause("1865/3-a")
@pytest.mark.clause("1865/3-e")
@pytest.mark.parametrize(("ruling", "times"), [("each_operating_round", 2), ("each_set", 1)])
def test_sea_companies_pay_20_at_the_start_of_operating_rounds(ruling: str, times: int) -> None:
    """Two in hand bring 40; one that was handed to a railway brings nothing."""
    table = stock_table(maritime_income=ruling)
    table.has_maritime(BEN, "M1", "M2")
    table.is_launched("FMS", 80, ADA)
    table.has_maritime("FMS", "M3")
    table.have_passed(*table.game.players)
    events = list(table.carry_on())
    income = [(each.target, each.amount, each.subject) for each in payments(events, "1865.maritime_income")]
    assert income == [(BEN, 20, "M1"), (BEN, 20, "M2")]
    while table.game.current_round.kind == "operating":
        player = table.asked()
        buys = table.offered(player, BuyTrain)
        events += table.act(player, buys[0] if buys and Pass() not in table.offered(player) else Pass())
    assert sum(each.amount for each in payments(events, "1865.maritime_income")) == 40 * times


@pytest.mark.clause("1865/3-b")
@pytest.mark.clause("1865/3-c")
@pytest.mark.clause("1865/3-o")
def test_any_owner_hands_over_to_the_railway_at_turn() -> None:
    """Ben gives Ada's railway his sea company for nothing; only what one has, and only to the railway at turn."""
    table = _running()
    table.is_launched("FA", 80, ADA)
    table.company_turn_is("FMS", "FA", step="lay_track")
    cash = table.game.money(BEN)
    assert table.refusal(BEN, HandOver("FA", "M1")) == ("not_your_turn", "1865/3-b")
    assert table.refusal(BEN, HandOver("FMS", "M3")) == ("1865.maritime_not_owned", "1865/3-b")
    assert table.refusal(BEN, HandOver("FMS", "M9")) == ("1865.maritime_unknown", "1865/1-n")
    assert table.offered(BEN) == [HandOver("FMS", "M1")]
    assert maritime_moves(table.act(BEN, HandOver("FMS", "M1"))) == [("M1", "FMS")]
    assert table.game.money(BEN) == cash
    assert table.refusal(BEN, HandOver("FMS", "M1"))[0] == "not_your_turn"
    assert table.refusal(BEN, TakeMaritime("M1"))[0] == "not_your_turn"
    assert maritime_moves(table.act(ADA, HandOver("FMS", "M3"))) == [("M3", "FMS")]


@pytest.mark.clause("1865/3-b")
def test_the_president_may_act_and_the_other_owners() -> None:
    """Each once, though Ada has a sea company as well."""
    table = _running()
    assert acting_players(table.title, table.data, table.game) == (ADA, BEN)


def test_nobody_else_acts_for_the_president() -> None:
    """Who may hand something over may not lay track, pass, or decide anything."""
    table = _running()
    assert table.refusal(BEN, Pass()) == ("not_your_turn", "")
    assert table.offered(CLEO) == [] and table.refusal(CLEO, Pass())[0] == "not_your_turn"


@pytest.mark.clause("1865/3-b")
def test_by_one_ruling_the_president_alone_hands_over() -> None:
    """Ben may not, Ada may."""
    table = _running(handing_over="president")
    assert table.refusal(BEN, HandOver("FMS", "M1"))[0] == "not_your_turn"
    table.act(ADA, HandOver("FMS", "M3"))


def test_the_president_is_asked_before_revenue_is_reckoned() -> None:
    """One who has a sea company has a last moment to hand it over."""
    table = _running()
    table.act(ADA, Pass())
    while table.game.current_round.step != "hand_over":
        table.act(ADA, Pass())
    table.act(ADA, HandOver("FMS", "M3"))
    assert table.game.current_round.step != "hand_over"


def _with_nothing_to_do(**rulings: str) -> Table:
    """FMS of Ada, without money and with no place for a tile in this phase, is about to have its turn; it has a train and more
    traffic than that covers. Cleo has two sea companies, Ben has one, Ada none."""
    table = stock_table(**rulings)
    table.is_launched("FMS", 80, ADA)
    table.tiles_lie((("D37", "3", 0), ("C38", "5", 3)))
    table.has_maritime(BEN, "M1")
    table.has_maritime(CLEO, "M3", "M4")
    table.owns_trains("FMS", "2")
    table.traffic_is("FMS", 30)
    table.company_turn_is("FMS")
    return table


@pytest.mark.clause("1865/3-b")
def test_owners_are_asked_where_the_president_is_asked_nothing_before_revenue() -> None:
    """Ben and then Cleo, who may hand over both of hers; what they hand over counts for the revenue of this turn."""
    table = _with_nothing_to_do()
    events = table.carry_on()
    assert questions(events) == [("1865.hand_over", BEN, "FMS"), ("1865.hand_over", CLEO, "FMS")]
    assert table.asked() == BEN
    assert table.refusal(ADA, Pass())[0] == "not_your_turn"
    assert table.refusal(BEN, HandOver("FMS", "M3")) == ("1865.maritime_not_owned", "1865/3-b")
    table.act(BEN, Pass())
    assert table.offered(CLEO) == [HandOver("FMS", "M3"), HandOver("FMS", "M4"), Pass()]
    table.act(CLEO, HandOver("FMS", "M3"))
    assert table.asked() == CLEO
    table.act(CLEO, HandOver("FMS", "M4"))
    assert table.offered(ADA) == [DeclareDividend("FMS", "pay"), DeclareDividend("FMS", "withhold")]
    assert revenue_of(table.game, table.data, "FMS") == 240


@pytest.mark.clause("1865/3-b")
def test_owners_are_not_asked_where_the_president_is_or_hands_over_alone() -> None:
    """While the president is asked for a tile or for a sea company of his own they have their moment; by one ruling they have
    none at all."""
    assert questions(_with_nothing_to_do(handing_over="president").carry_on()) == []
    table = _with_nothing_to_do()
    table.has_maritime(ADA, "M2")
    assert questions(table.carry_on()) == []
    assert table.game.current_round.step == "hand_over" and table.offered(BEN) == [HandOver("FMS", "M1")]
    table = stock_table()
    table.is_launched("FMS", 80, ADA)
    table.has_maritime(BEN, "M1")
    table.company_turn_is("FMS")
    events = [*table.carry_on(), *table.act(ADA, Pass())]
    assert questions(events) == [] and table.game.current_round.step == "buy_trains"


@pytest.mark.clause("1865/3-d")
@pytest.mark.clause("1865/5.4-b")
def test_a_sea_company_covers_8_more() -> None:
    """One phase-2 train and one sea company cover 16."""
    table = _running()
    table.owns_trains("FMS", "2")
    assert coverage_of(table.game, table.data, "FMS") == 8
    table.act(ADA, HandOver("FMS", "M3"))
    assert coverage_of(table.game, table.data, "FMS") == 16


@pytest.mark.clause("1865/3-f")
@pytest.mark.clause("1865/3-g")
def test_phase_5_closes_those_of_players() -> None:
    """The first phase-5 train closes what is in hands, not what railways have."""
    table = _running()
    table.has_maritime("FMS", "M2")
    table.phase_is("4")
    table.trains_are_sold("4")
    table.company_turn_is("FMS", step="buy_trains")
    events = table.act(ADA, BuyTrain("FMS", "5-0", 500))
    assert phases(events) == ["5"]
    assert sorted(closed_maritime(events)) == [("M1", BEN), ("M3", ADA)]
    assert own(table.game).maritime == {"M2": "FMS"}


@pytest.mark.clause("1865/3-h")
@pytest.mark.parametrize("phase", ["2", "3", "4"])
def test_a_port_with_a_token_brings_traffic_at_once(phase: str) -> None:
    """Phase 4, a token in Cagliari, its sea company handed over: 4 traffic."""
    table = _running(phase)
    table.token_stands("FMS", "F39")
    events = table.act(BEN, HandOver("FMS", "M1"))
    assert traffic_changes(events) == [("FMS", int(phase), "port", "M1")]
    assert used_ports(events) == [("M1", "FMS")]


@pytest.mark.clause("1865/3-i")
@pytest.mark.clause("1865/3-j")
def test_a_token_placed_later_brings_the_traffic_of_that_phase() -> None:
    """Handed over in phase 4, token in Cagliari in phase 6: 6 traffic, once."""
    table = _running("4")
    assert traffic_changes(table.act(BEN, HandOver("FMS", "M1"))) == []
    table.phase_is("6")
    table.tiles_lie(TO_CAGLIARI)
    table.company_turn_is("FMS", step="place_token")
    events = table.act(ADA, PlaceTokenByRoute("FMS", "F39", 0, TO_CAGLIARI_HEXES))
    assert traffic_changes(events, "port") == [("FMS", 6, "port", "M1")]
    table.has_maritime("FMS", "M3")
    table.company_turn_is("FMS", step="place_token")
    table.tile_lies("D37", "141", 3)
    assert traffic_changes(table.act(ADA, Pass()), "port") == []


@pytest.mark.clause("1865/3-k")
@pytest.mark.parametrize("mine", ["B39", "C40", "D39"])
def test_any_mine_of_the_district_is_the_port_of_carbonia(mine: str) -> None:
    """A token in one of the three mines is one at the location of M2; one elsewhere is not."""
    table = _running()
    table.has_maritime(BEN, "M2")
    table.token_stands("FMS", mine)
    assert used_ports(table.act(BEN, HandOver("FMS", "M2"))) == [("M2", "FMS")]
    other = _running()
    other.has_maritime(BEN, "M2")
    other.token_stands("FMS", "C36")
    assert used_ports(other.act(BEN, HandOver("FMS", "M2"))) == []


@pytest.mark.clause("1865/3-l")
def test_sea_companies_alone_cover_nothing() -> None:
    """No train, two sea companies, 12 traffic: no revenue."""
    table = _running()
    table.has_maritime("FMS", "M2", "M4")
    table.traffic_is("FMS", 12)
    assert revenue_of(table.game, table.data, "FMS") == 0
    table.owns_trains("FMS", "2")
    assert revenue_of(table.game, table.data, "FMS") == 120


@pytest.mark.clause("1865/3-m")
@pytest.mark.clause("1865/5.5-f")
def test_a_sea_company_is_no_train() -> None:
    """A railway that has only sea companies has to buy a train as the last thing in its turn."""
    table = _running()
    table.has_maritime("FMS", "M2")
    table.company_turn_is("FMS", step="buy_trains")
    assert table.refusal(ADA, Pass()) == ("may_not_pass", "1865/5.5-f")
    table.act(ADA, BuyTrain("FMS", "2-0", 100))
    assert Pass() in table.offered(ADA) or table.game.actor != "FMS"


@pytest.mark.clause("1865/3-n")
def test_nothing_moves_a_sea_company_from_one_railway_to_another() -> None:
    """What a railway has nobody hands over; a train can be bought of it, a sea company cannot."""
    table = _running()
    table.is_launched("FA", 80, ADA)
    table.has_maritime("FA", "M4")
    assert table.refusal(ADA, HandOver("FMS", "M4")) == ("1865.maritime_not_owned", "1865/3-b")
    kinds = {type(command) for command in table.offered(ADA)}
    assert DeclareDividend not in kinds and HandOver("FMS", "M4") not in table.offered(ADA)
