"""Mergers (rotw/merge, rotw/faq-a to -c)."""

from __future__ import annotations

import pytest

from services.rules.kernel.commands import AnswerOffer, Pass
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.titles.rotw.commands import ProposeMerger
from services.rules.titles.rotw.financing import bonds_left, bonds_of
from services.rules.titles.rotw.merging import price_of_all
from services.rules.titles.rotw.state import own
from tests.positions.reading import Payment, moved_cash, payments
from tests.positions.rounds import round_orders
from tests.positions.shares import reset
from tests.titles.rotw.table import (
    ADA,
    BEN,
    BLUE,
    CLEO,
    GREEN,
    RED,
    Table,
    decided_mergers,
    running_table,
    taken_over,
)


def neighbours(*, cash: int = 60000, **rulings: str) -> Table:
    """RED (value 8, three shares of Ada) and BLUE (value 7, three of Ben) meet in Brookton; both have one link, and RED so much
    money. BLUE acts first."""
    table = running_table(by=rulings)
    table.has_link(RED, "Ashford", "Brookton")
    table.has_link(BLUE, "Brookton", "Carlow")
    table.has_cash(RED, cash)
    return table


def proposing(table: Table) -> Table:
    """Mergers have begun, and RED is to act."""
    table.mergers_begin()
    while table.game.actor != RED:
        table.pass_on()
    return table


def merged(table: Table, shares: int = 0, bonds: int = 0) -> list[Payment]:
    """RED acquires BLUE, Ada and Ben agree; all payments."""
    proposing(table).act(ADA, ProposeMerger(RED, BLUE, shares, bonds))
    table.act(ADA, AnswerOffer(True))
    return payments(table.act(BEN, AnswerOffer(True)))


@pytest.mark.clause("rotw/merge-a")
def test_the_lowest_value_comes_first() -> None:
    """BLUE, then RED."""
    table = neighbours()
    assert round_orders(table.mergers_begin()) == [(BLUE, RED)]


@pytest.mark.clause("rotw/merge-b")
def test_the_controller_proposes() -> None:
    """With another company that somebody has shares of; one proposal, then the next company."""
    table = proposing(neighbours())
    assert table.offered(ADA, ProposeMerger) == [ProposeMerger(RED, BLUE)]
    assert table.refusal(BEN, ProposeMerger(RED, BLUE)) == ("not_your_turn", "")
    for other in (RED, GREEN):
        assert table.refusal(ADA, ProposeMerger(RED, other)) == ("rotw.merges_itself", "rotw/merge-b")
    assert table.refusal(ADA, ProposeMerger(RED, "GOLD")) == ("unknown_company", "")
    assert table.refusal(ADA, ProposeMerger(BLUE, RED)) == ("not_your_turn", "")
    table.act(ADA, Pass())
    assert table.game.current_round.kind != "rotw.mergers"


@pytest.mark.clause("rotw/merge-c")
def test_only_companies_that_touch_merge() -> None:
    """A city in common is enough; without one it is refused, and nobody is asked."""
    table = running_table(cash=60000)
    table.has_link(RED, "Ashford", "Brookton")
    table.has_link(BLUE, "Carlow", "Dunmore")
    table.mergers_begin()
    assert table.game.current_round.kind != "rotw.mergers"
    table.round_is("rotw.mergers", RED, step="propose_merger")
    assert table.refusal(ADA, ProposeMerger(RED, BLUE)) == ("rotw.networks_apart", "rotw/merge-c")
    table.has_link(BLUE, "Brookton", "Carlow")
    table.act(ADA, ProposeMerger(RED, BLUE))


@pytest.mark.clause("rotw/merge-d", "rotw/merge-m")
def test_shareholders_of_the_proposer_vote_first() -> None:
    """One vote for each share, in any order; the bank's and the company's own do not vote. Two shares against three."""
    table = neighbours()
    table.owns(BEN, RED, 1)
    table.owns(CLEO, RED, 1)
    table.has_issued(RED, 3)
    proposing(table).act(ADA, ProposeMerger(RED, BLUE))
    assert table.refusal(ADA, ProposeMerger(RED, BLUE)) == ("wrong_step", "")
    assert table.asked() == ADA, "the controller is asked first"
    table.act(CLEO, AnswerOffer(False))
    assert table.refusal(CLEO, AnswerOffer(True)) == ("not_your_turn", "")
    table.act(BEN, AnswerOffer(False))
    assert decided_mergers(table.act(ADA, AnswerOffer(True))) == []
    merger = own(table.game).merger
    assert merger is not None and merger.voting == BLUE


@pytest.mark.clause("rotw/merge-e")
@pytest.mark.parametrize("controller_agrees", [True, False])
def test_on_a_tie_the_controller_decides(controller_agrees: bool) -> None:
    """Two shares of Ada, two of Cleo."""
    table = neighbours()
    table.gets_certificates(BANK, RED, table.game.held(ADA, RED)[0], source=ADA)
    table.owns(CLEO, RED, 2)
    proposing(table).act(ADA, ProposeMerger(RED, BLUE))
    table.act(ADA, AnswerOffer(controller_agrees))
    events = table.act(CLEO, AnswerOffer(not controller_agrees))
    assert decided_mergers(events) == ([] if controller_agrees else [(RED, BLUE, False)])


@pytest.mark.clause("rotw/merge-f")
def test_the_target_votes_only_if_the_first_vote_passes() -> None:
    """Ada's company is against: Ben is not asked, and nothing changes."""
    table = proposing(neighbours())
    table.act(ADA, ProposeMerger(RED, BLUE))
    events = table.act(ADA, AnswerOffer(False))
    assert decided_mergers(events) == [(RED, BLUE, False)]
    assert own(table.game).merger is None and table.links(BLUE) == ["2"]


@pytest.mark.clause("rotw/merge-g")
@pytest.mark.parametrize("target_agrees", [True, False])
def test_both_have_to_agree(target_agrees: bool) -> None:
    """Only then RED has BLUE's link."""
    table = proposing(neighbours())
    table.act(ADA, ProposeMerger(RED, BLUE))
    table.act(ADA, AnswerOffer(True))
    assert table.asked() == BEN
    events = table.act(BEN, AnswerOffer(target_agrees))
    assert decided_mergers(events) == [(RED, BLUE, target_agrees)]
    assert taken_over(events) == ([("2", RED)] if target_agrees else [])


@pytest.mark.clause("rotw/merge-h", "rotw/merge-i")
def test_the_price_of_a_merger() -> None:
    """Value 9, three shares of Ben, one issued: 40,000, of which the bank gets 10,000."""
    table = neighbours()
    table.value_is(BLUE, 9)
    table.has_issued(BLUE, 1)
    assert price_of_all(table.game, table.data, BLUE) == 40000
    table.round_is("rotw.mergers", RED, step="propose_merger")
    table.act(ADA, ProposeMerger(RED, BLUE))
    table.act(ADA, AnswerOffer(True))
    events = table.act(BEN, AnswerOffer(True))
    assert moved_cash(events, "rotw.merged") == [(RED, BEN, 30000), (RED, BANK, 10000)]


@pytest.mark.clause("rotw/faq-b")
def test_the_shares_that_are_bought() -> None:
    """Tom 2, Mike 1, one issued, two available, four in reserve: four shares."""
    table = running_table(4)
    table.owns(BEN, GREEN, 2)
    table.owns(CLEO, GREEN, 1)
    table.has_issued(GREEN, 1)
    assert (table.shares(BANK, GREEN), table.shares(GREEN, GREEN)) == (2, 4)
    assert price_of_all(table.game, table.data, GREEN) == 4 * 7000


@pytest.mark.clause("rotw/merge-j")
def test_shares_then_bonds_pay_for_a_merger() -> None:
    """24,000 with 10,000 in the treasury: two shares at 8,000; with 4,000 and one share left also three bonds."""
    table = neighbours(cash=10000)
    assert Payment(BANK, RED, 16000, "rotw.share_issued", RED) in merged(table, shares=2)
    assert table.game.money(RED) == 2000
    poor = neighbours(cash=4000)
    poor.has_issued(RED, 4)
    poor.has_links(RED, "Brookton", "Fulton", "Granby", "Dunmore")
    assert Payment(BANK, RED, 15000, "rotw.bond", RED) in merged(poor, shares=1, bonds=3)


def test_a_merger_that_cannot_be_paid() -> None:
    """It is not offered, and refused for what is wrong with it."""
    table = neighbours(cash=4000)
    table.has_issued(RED, 4)
    table.round_is("rotw.mergers", RED, step="propose_merger")
    assert table.offered(ADA, ProposeMerger) == []
    assert table.refusal(ADA, ProposeMerger(RED, BLUE, 1)) == ("not_enough_cash", "rotw/money-b")
    assert table.refusal(ADA, ProposeMerger(RED, BLUE, 1, 3)) == ("rotw.bond_limit", "rotw/bonds-e")


@pytest.mark.parametrize("allowed", [True, False])
def test_bonds_for_a_merger_are_a_ruling(allowed: bool) -> None:
    """As for track, or not at all."""
    table = neighbours(cash=20000, bonds_for_mergers="allowed" if allowed else "not_allowed")
    table.has_issued(RED, 5)
    table.round_is("rotw.mergers", RED, step="propose_merger")
    command = ProposeMerger(RED, BLUE, 0, 1)
    if allowed:
        table.act(ADA, command)
    else:
        assert table.refusal(ADA, command) == ("rotw.bonds_not_allowed", "rotw/bonds-h")
        assert table.offered(ADA, ProposeMerger) == []


@pytest.mark.clause("rotw/merge-k")
def test_the_links_are_the_acquirers() -> None:
    """All of them, and only they."""
    table = neighbours()
    table.has_link(BLUE, "Carlow", "Dunmore")
    table.has_link(GREEN, "Fulton", "Granby")
    merged(table)
    assert (table.links(RED), table.links(BLUE), table.links(GREEN)) == (["1", "2", "3"], [], ["4"])
    assert table.game.debts == {}


@pytest.mark.clause("rotw/merge-l", "rotw/newauction-f")
def test_the_target_can_enter_again() -> None:
    """Five shares available, five in reserve, nobody controls it, its value is that of the start."""
    table = neighbours(cash=90000)
    table.value_is(BLUE, 12)
    table.has_issued(BLUE, 2)
    table.owns(CLEO, BLUE, 1)
    table.round_is("rotw.mergers", RED, step="propose_merger")
    table.act(ADA, ProposeMerger(RED, BLUE))
    table.act(ADA, AnswerOffer(True))
    table.act(BEN, AnswerOffer(True))
    events = table.act(CLEO, AnswerOffer(True))
    assert reset(events) == [(BLUE, RED)]
    assert sorted(table.game.held(BANK, BLUE)) == [0, 1, 2, 3, 4]
    assert sorted(table.game.held(BLUE, BLUE)) == [5, 6, 7, 8, 9]
    assert [table.shares(each, BLUE) for each in (*table.game.players, POOL)] == [0, 0, 0, 0]
    assert (table.price_of(BLUE), table.director(BLUE)) == (7000, "")


@pytest.mark.clause("rotw/faq-a", "rotw/merge-n")
def test_treasury_and_bonds_are_taken_over() -> None:
    """BLUE's 9,000 and its bond are RED's, whose limit has grown by BLUE's links."""
    table = neighbours(cash=24000)
    table.has_link(BLUE, "Carlow", "Dunmore")
    table.has_cash(BLUE, 9000)
    table.has_bonds(BLUE, 1)
    merged(table)
    assert (table.game.money(RED), table.game.money(BLUE)) == (9000, 0)
    assert [bonds_of(table.game, table.data, each) for each in (RED, BLUE)] == [1, 0]
    assert bonds_left(table.game, table.data, RED) == 2


@pytest.mark.parametrize("pays", [True, False])
def test_whether_the_targets_treasury_pays_is_a_ruling(pays: bool) -> None:
    """23,000 and the 1,000 of BLUE are enough only by the other reading."""
    table = neighbours(cash=23000, treasury_of_target="pays" if pays else "kept_apart")
    table.has_cash(BLUE, 1000)
    table.round_is("rotw.mergers", RED, step="propose_merger")
    if pays:
        table.act(ADA, ProposeMerger(RED, BLUE))
        table.act(ADA, AnswerOffer(True))
        table.act(BEN, AnswerOffer(True))
        assert table.game.money(RED) == 0
    else:
        assert table.refusal(ADA, ProposeMerger(RED, BLUE))[0] == "not_enough_cash"
        table.act(ADA, ProposeMerger(RED, BLUE, 1))


@pytest.mark.clause("rotw/faq-c")
@pytest.mark.parametrize("ruling", ["allowed", "forbidden"])
def test_one_merger_a_turn(ruling: str) -> None:
    """GREEN has acquired in this turn: it does not again, and by the other reading nobody acquires it."""
    table = neighbours(cash=90000, target_after_acquiring=ruling)
    table.owns(CLEO, GREEN, 1, controls=True)
    table.has_link(GREEN, "Brookton", "Fulton")
    table.has_cash(GREEN, 90000)
    table.round_is("rotw.mergers", GREEN, RED, step="propose_merger")
    table.act(CLEO, ProposeMerger(GREEN, BLUE))
    table.act(CLEO, AnswerOffer(True))
    table.act(BEN, AnswerOffer(True))
    assert table.offered(ADA, ProposeMerger) == ([ProposeMerger(RED, GREEN)] if ruling == "allowed" else [])
    table.round_is("rotw.mergers", GREEN, step="propose_merger")
    table.has_acquired(GREEN, BLUE)
    assert table.refusal(CLEO, ProposeMerger(GREEN, RED)) == ("rotw.merged_before", "rotw/faq-c")
