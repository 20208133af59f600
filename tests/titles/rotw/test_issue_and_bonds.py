"""Issues of shares, and bonds (rotw/issue, rotw/bonds)."""

from __future__ import annotations

import pytest

from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.titles.rotw.commands import BuildLink, PayDividend, RepayBonds
from services.rules.titles.rotw.financing import bonds_left, bonds_of
from tests.positions.market import price_moves
from tests.positions.reading import CertificateMove, DebtChange, moved_cash, only, paid
from tests.titles.rotw.table import ADA, RED, Table, build, running_table


def issued_out(*, cash: int = 0, links: int = 2, **rulings: str) -> Table:
    """RED has issued its whole reserve, and has so many links of the line from Ashford to Dunmore, two at least."""
    table = running_table(cash=cash, by=rulings)
    table.has_issued(RED, 5)
    table.has_links(RED, *("Ashford", "Brookton", "Carlow", "Dunmore")[: links + 1])
    return table


@pytest.mark.clause("rotw/issue-a", "rotw/issue-g")
def test_an_issue_brings_the_present_value() -> None:
    """Value 9: one share goes to the issued board, the bank pays 9,000, and the value stays."""
    table = running_table(cash=0)
    table.value_is(RED, 9)
    events = table.act(ADA, build(RED, "Ashford", "Brookton", shares=1))
    assert paid(events, BANK, RED, 9000, "rotw.share_issued", RED)
    assert [(each.source, each.target, each.shares) for each in only(events, CertificateMove)] == [
        (RED, POOL, 1)
    ]
    assert (price_moves(events), table.price_of(RED)) == ([], 9000)


@pytest.mark.clause("rotw/issue-b")
def test_only_what_is_needed_is_issued() -> None:
    """With 4,000 in the treasury a link for 4,000 needs no share; with 1,000 it needs one, not two."""
    table = running_table(cash=4000)
    assert table.refusal(ADA, build(RED, "Ashford", "Brookton", shares=1)) == (
        "rotw.issue_not_needed",
        "rotw/issue-b",
    )
    table.has_cash(RED, 1000)
    assert table.refusal(ADA, build(RED, "Ashford", "Brookton", shares=2)) == (
        "rotw.issue_not_needed",
        "rotw/issue-b",
    )
    assert table.refusal(ADA, build(RED, "Ashford", "Brookton"))[0] == "not_enough_cash"
    assert build(RED, "Ashford", "Brookton", shares=1) in table.offered(ADA, BuildLink)


@pytest.mark.clause("rotw/issue-c", "rotw/issue-d", "rotw/bonds-f")
def test_nothing_is_issued_for_dividends() -> None:
    """A dividend is paid from what is there; no command but building and merging issues anything."""
    table = running_table(cash=3000)
    table.has_chosen(RED, "deliver")
    table.dividends_begin()
    assert table.refusal(ADA, PayDividend(RED, 4000)) == ("not_enough_cash", "rotw/dividends-f")
    assert table.choices(ADA)[0].maximum == 3000
    events = table.act(ADA, PayDividend(RED, 3000))
    assert table.shares(RED, RED) == 5 and only(events, DebtChange) == []


@pytest.mark.clause("rotw/issue-e")
def test_what_is_left_over_may_be_paid_out() -> None:
    """The 4,000 left of an issue for track are paid as a dividend."""
    table = running_table(cash=0)
    table.act(ADA, build(RED, "Ashford", "Brookton", shares=1))
    assert table.game.money(RED) == 4000
    table.has_chosen(RED, "deliver")
    table.dividends_begin()
    assert table.choices(ADA)[0].maximum == 4000
    table.act(ADA, PayDividend(RED, 4000))


@pytest.mark.clause("rotw/issue-f")
def test_only_the_reserve_is_issued() -> None:
    """With five issued there are none left, whatever is available for auction."""
    table = issued_out()
    assert table.shares(BANK, RED) == 2
    assert table.refusal(ADA, build(RED, "Brookton", "Fulton", shares=1)) == (
        "rotw.no_reserve_left",
        "rotw/issue-f",
    )
    assert table.refusal(ADA, build(RED, "Brookton", "Fulton", shares=-1))[0] == "value_out_of_range"


@pytest.mark.clause("rotw/bonds-a")
@pytest.mark.parametrize(("ruling", "allowed"), [("reserve", True), ("reserve_and_available", False)])
def test_bonds_come_after_the_reserve(ruling: str, allowed: bool) -> None:
    """Not while a share could be issued; by the other reading neither while one is available."""
    table = running_table(cash=0, shares_before_bonds=ruling)
    table.has_links(RED, "Ashford", "Brookton", "Carlow")
    command = build(RED, "Brookton", "Fulton", bonds=1)
    assert table.refusal(ADA, command) == ("rotw.shares_before_bonds", "rotw/bonds-a")
    table.has_issued(RED, 5)
    if allowed:
        table.act(ADA, command)
    else:
        assert table.refusal(ADA, command) == ("rotw.shares_before_bonds", "rotw/bonds-a")
        table.owns(ADA, RED, 2)
        table.act(ADA, command)


@pytest.mark.clause("rotw/bonds-b")
def test_a_bond_brings_5000_at_once() -> None:
    """It counts as the company's debt, in dollars."""
    table = issued_out()
    events = table.act(ADA, build(RED, "Brookton", "Fulton", bonds=1))
    assert paid(events, BANK, RED, 5000, "rotw.bond", RED)
    assert only(events, DebtChange) == [DebtChange(RED, 5000, "rotw.bond")]
    assert (bonds_of(table.game, table.data, RED), table.game.money(RED)) == (1, 1000)


@pytest.mark.clause("rotw/bonds-c")
def test_each_bond_costs_1000_a_turn() -> None:
    """Three bonds: 3,000, in every phase of dividends."""
    table = issued_out(cash=8000, links=3)
    table.has_bonds(RED, 3)
    for left in (5000, 2000):
        events = table.dividends_begin()
        assert moved_cash(events, "rotw.interest") == [(RED, BANK, 3000)] and table.game.money(RED) == left


@pytest.mark.clause("rotw/bonds-d", "rotw/dividends-c")
def test_bonds_are_repaid_after_the_interest() -> None:
    """5,000 each, any number, and only then: in a company round there is no such command."""
    table = issued_out(cash=13000, links=3)
    table.has_bonds(RED, 3)
    assert table.refusal(ADA, RepayBonds(RED, 5000)) == ("wrong_step", "")
    table.dividends_begin()
    choice = table.choices(ADA)[0]
    assert (choice.minimum, choice.maximum, choice.step) == (5000, 10000, 5000)
    assert table.refusal(ADA, RepayBonds(RED, 15000)) == ("not_enough_cash", "rotw/dividends-c")
    for amount in (0, 4000, -1):
        assert table.refusal(ADA, RepayBonds(RED, amount)) == ("rotw.amount_uneven", "rotw/bonds-d")
    events = table.act(ADA, RepayBonds(RED, 10000))
    assert moved_cash(events, "rotw.bond") == [(RED, BANK, 10000)]
    assert (bonds_of(table.game, table.data, RED), table.game.money(RED)) == (1, 0)


def test_no_more_is_repaid_than_there_is() -> None:
    """One bond, much money."""
    table = issued_out(cash=50000)
    table.has_bonds(RED, 1)
    table.dividends_begin()
    assert table.refusal(ADA, RepayBonds(RED, 10000)) == ("rotw.not_so_many_bonds", "rotw/dividends-c")
    assert table.refusal(ADA, RepayBonds("BLUE", 5000)) == ("not_your_turn", "")


@pytest.mark.clause("rotw/bonds-e")
@pytest.mark.parametrize(("bonds", "allowed"), [(1, True), (2, False)])
def test_no_more_bonds_than_links(bonds: int, allowed: bool) -> None:
    """Two links: a second bond is taken beside one, a third is not beside two; the link that is built does not count yet."""
    table = issued_out()
    table.has_bonds(RED, bonds)
    assert bonds_left(table.game, table.data, RED) == 2 - bonds
    command = build(RED, "Brookton", "Fulton", bonds=1)
    if allowed:
        assert any(isinstance(each, BuildLink) and each.bonds for each in table.offered(ADA, BuildLink))
        table.act(ADA, command)
    else:
        assert table.refusal(ADA, command) == ("rotw.bond_limit", "rotw/bonds-e")
        assert table.offered(ADA, BuildLink) == []


@pytest.mark.clause("rotw/bonds-h")
def test_bonds_are_taken_only_for_a_need() -> None:
    """As shares: not when the treasury pays, and not one too many."""
    table = issued_out(cash=4000)
    assert table.refusal(ADA, build(RED, "Brookton", "Fulton", bonds=1)) == (
        "rotw.issue_not_needed",
        "rotw/bonds-h",
    )
    table.has_cash(RED, 0)
    assert table.refusal(ADA, build(RED, "Brookton", "Fulton", bonds=2)) == (
        "rotw.issue_not_needed",
        "rotw/bonds-h",
    )
    table.act(ADA, build(RED, "Brookton", "Fulton", bonds=1))


def test_shares_and_bonds_together() -> None:
    """Of one share left and a bond both are needed: neither goes without the other."""
    table = running_table(cash=0)
    table.has_links(RED, "Ashford", "Brookton", "Hadley")
    table.has_issued(RED, 4)
    table.value_is(RED, 3)
    assert table.refusal(ADA, build(RED, "Brookton", "Fulton", bonds=1))[0] == "rotw.shares_before_bonds"
    table.act(ADA, build(RED, "Brookton", "Fulton", shares=1, bonds=1))
    assert table.game.money(RED) == 4000
