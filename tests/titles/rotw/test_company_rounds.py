"""The rounds of the companies and their income (rotw/company, rotw/pass, rotw/income)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.titles.rotw.commands import BuildLink, DeliverGood
from services.rules.titles.rotw.figures import figures_of
from services.rules.titles.rotw.state import own
from tests.positions.reading import moved_cash, paid, payments
from tests.positions.rounds import ended_turns, round_orders, rounds
from tests.titles.rotw.table import (
    ADA,
    BEN,
    BLUE,
    CLEO,
    GREEN,
    RED,
    YELLOW,
    build,
    chosen_actions,
    deliver,
    income_marks,
    running_table,
)


@pytest.mark.clause("rotw/company-a")
def test_a_turn_has_three_rounds() -> None:
    """Every company acts in each of them, then come the dividends."""
    table = running_table()
    events = table.pass_on(6)
    companies = [each for each in rounds(events) if each[0] == "rotw.companies"]
    assert companies[:2] == [("rotw.companies", 2, 2, 3), ("rotw.companies", 2, 3, 3)]
    assert ended_turns(events)[:6] == [RED, BLUE] * 3
    assert "rotw.dividends" in [kind for kind, *_ in rounds(events)]


@pytest.mark.clause("rotw/company-b")
def test_companies_act_by_falling_value() -> None:
    """GREEN has the highest now."""
    table = running_table()
    table.owns(CLEO, GREEN, 1, controls=True)
    table.value_is(GREEN, 11)
    table.value_is(RED, 5)
    assert round_orders(table.pass_on(2)) == [(GREEN, BLUE, RED)]


@pytest.mark.clause("rotw/company-c", "rotw/dividends-s")
def test_of_equals_the_last_arrival_goes_first() -> None:
    """RED, then GREEN came to where BLUE was: GREEN is on top of the pile."""
    table = running_table()
    table.owns(CLEO, GREEN, 1, controls=True)
    table.value_is(RED, 7)
    table.value_is(GREEN, 7)
    assert round_orders(table.pass_on(2)) == [(GREEN, RED, BLUE)]


@pytest.mark.clause("rotw/company-d")
def test_the_controller_chooses_one_of_three_actions() -> None:
    """Build, deliver or pass; one of them ends the choice."""
    table = running_table(cash=20000)
    table.has_links(RED, "Ashford", "Brookton", "Carlow")
    table.goods_are("Ashford", "blue")
    assert {type(each.command) for each in table.choices(ADA)} == {BuildLink, DeliverGood, Pass}
    table.act(ADA, deliver(RED, "Ashford", "blue", "1", "2"))
    assert table.asked() == BEN
    assert table.refusal(ADA, build(RED, "Brookton", "Fulton"))[0] == "not_your_turn"
    assert table.refusal(BEN, build(RED, "Brookton", "Fulton")) == ("not_your_turn", "")


@pytest.mark.clause("rotw/company-e")
def test_a_company_that_nobody_controls_does_nothing() -> None:
    """GREEN has the highest value, but no shareholder."""
    table = running_table()
    table.value_is(GREEN, 11)
    assert round_orders(table.pass_on(2)) == [(RED, BLUE)]


@pytest.mark.clause("rotw/pass-a")
def test_a_pass_does_nothing() -> None:
    """No money moves, nothing is built; it is noted that the company passed."""
    table = running_table(cash=20000)
    events = table.act(ADA, Pass())
    assert (moved_cash(events), chosen_actions(events)) == ([], [(RED, "pass")])
    assert own(table.game).links == {}


@pytest.mark.clause("rotw/income-a")
@pytest.mark.parametrize(
    ("reading", "space", "income"),
    [
        ("printed", 1, 3000),
        ("printed", 5, 7000),
        ("printed", 30, 22000),
        ("printed", 100, 9000),
        ("printed", 130, 9000),
        ("spaces", 1, 1000),
        ("spaces", 5, 5000),
        ("spaces", 46, 46000),
        ("spaces", 100, 100000),
        ("spaces", 101, 100000),
    ],
)
def test_income_by_the_space_of_the_marker(reading: str, space: int, income: int) -> None:
    """As printed for the space (low confidence), or 1,000 for each space; beyond the end as for the last one."""
    table = running_table(income_reading=reading)
    table.income_is(RED, space)
    table.company_round_is(RED, number=3)
    assert payments(table.act(ADA, Pass()), "company_income")[0].amount == income


def test_the_tables_of_income() -> None:
    """Both readings go from space 0 to 100, and space 0 brings nothing."""
    printed = figures_of(running_table().data).income.by_space
    spaces = figures_of(running_table(income_reading="spaces").data).income.by_space
    assert (len(printed), printed[0], printed[46], printed[47]) == (101, 0, 26000, 25000)
    assert spaces == tuple(1000 * space for space in range(101))


def test_income_comes_after_the_third_round_alone() -> None:
    """Not after the second."""
    table = running_table()
    table.income_is(RED, 5)
    table.company_round_is(RED, BLUE, number=2)
    assert payments(table.pass_on(2)) == []
    events = table.pass_on(2)
    assert paid(events, BANK, RED, 7000, "company_income", RED)


@pytest.mark.clause("rotw/income-b")
def test_markers_go_back_before_dividends() -> None:
    """All of them, once everybody is paid; when Ada is asked for a dividend RED's is on zero and its treasury filled."""
    table = running_table()
    table.income_is(RED, 5)
    table.income_is(BLUE, 2)
    table.has_chosen(RED, "deliver")
    table.company_round_is(RED, number=3)
    events = table.act(ADA, Pass())
    assert income_marks(events) == [(RED, 0), (BLUE, 0)]
    assert own(table.game).income == {RED: 0, BLUE: 0}
    assert table.game.current_round.kind == "rotw.dividends" and table.game.money(RED) == 7000


@pytest.mark.clause("rotw/income-c")
@pytest.mark.parametrize("reading", ["printed", "spaces"])
def test_a_marker_on_zero_brings_nothing(reading: str) -> None:
    """By both readings."""
    table = running_table(income_reading=reading)
    table.income_is(RED, 0)
    table.income_is(YELLOW, 0)
    table.company_round_is(RED, number=3)
    assert payments(table.act(ADA, Pass()), "company_income") == []
