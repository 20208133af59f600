"""Whose turn it is in a stock round of 1865, when the round ends, and who begins the next (4.2, 4.5)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from tests.positions.rounds import ended_rounds, passed, priorities
from tests.titles.g1865.table import ADA, BEN, CLEO, Table, dragon_choices, dragon_turns, stock_table


def _with_green_company(**rulings: str) -> Table:
    """FMS of Ada is in the green zone: the Dragons buy it as long as they may. Ben has the priority; his turn begins."""
    table = stock_table(first=BEN, **rulings)
    table.is_launched("FMS", 80, ADA, treasury=0)
    table.owns_trains("FMS", "2", "2")
    table.stock_round_is(BEN)
    return table


@pytest.mark.clause("1865/4.2-a")
@pytest.mark.clause("1865/4.2-b")
@pytest.mark.clause("1865/4.2-c")
def test_the_dragons_act_before_every_player() -> None:
    """Dragons, Ben, Dragons, Cleo, Dragons, Ada, Dragons, Ben."""
    table = _with_green_company()
    assert dragon_turns(table.carry_on()) == ["acted"] and table.asked() == BEN
    for player in (CLEO, ADA, BEN):
        assert (
            len(
                dragon_turns(
                    table.act(table.asked(), StartCompany({CLEO: "FA", ADA: "CFC", BEN: "CFD"}[player], 60))
                )
            )
            == 1
        )
        assert table.asked() == player


@pytest.mark.clause("1865/4.2-c")
def test_the_dragons_do_not_act_again_within_a_player_s_turn() -> None:
    """Ben sells and goes on; their next turn comes before Cleo's."""
    table = _with_green_company()
    table.is_launched("FA", 60, BEN)
    table.carry_on()
    assert dragon_turns(table.act(BEN, SellCertificates("FA", 1))) == [] and table.asked() == BEN
    assert dragon_turns(table.act(BEN, Pass())) == ["acted"] and table.asked() == CLEO


@pytest.mark.clause("1865/4.2-d")
def test_the_round_ends_when_all_and_the_dragons_pass() -> None:
    """A purchase of the Dragons between the passes gives everybody another turn."""
    table = _with_green_company()
    table.carry_on()
    assert dragon_choices(table.log) == [("FMS", "FMS")]
    events = list(table.act(BEN, Pass()))
    assert dragon_choices(events) == [("FMS", "FMS")]
    for player in (CLEO, ADA):
        assert table.asked() == player
        events += table.act(player, Pass())
    assert table.asked() == BEN and ended_rounds(events) == []
    assert ended_rounds(table.act(BEN, Pass())) == ["stock"]


@pytest.mark.clause("1865/4.2-d")
def test_by_one_ruling_players_alone_have_to_pass() -> None:
    """Three passes end the round though the Dragons bought in between."""
    table = _with_green_company(end_of_stock_round="all_players_pass")
    table.carry_on()
    events = [event for player in (BEN, CLEO, ADA) for event in table.act(player, Pass())]
    assert dragon_choices(events) == [("FMS", "FMS")] and ended_rounds(events)[0] == "stock"


@pytest.mark.clause("1865/4.5-a")
@pytest.mark.parametrize(("last", "next_first"), [(ADA, BEN), (BEN, CLEO), (CLEO, ADA)])
def test_the_priority_goes_to_the_left_of_the_last_who_dealt(last: str, next_first: str) -> None:
    """Whether it was a purchase or a sale."""
    table = stock_table(first=last)
    table.is_launched("FMS", 80, ADA)
    table.act(last, StartCompany("FA", 60))
    assert priorities(table.pass_on(3)) == [next_first]
    sold = stock_table(first=ADA)
    sold.is_launched("FMS", 80, ADA)
    sold.act(ADA, SellCertificates("FMS", 1))
    assert priorities(sold.pass_on(4)) == [BEN]


@pytest.mark.clause("1865/4.5-b")
def test_the_dragons_do_not_count_for_the_priority() -> None:
    """Only the Dragons deal: the priority stays where it is."""
    table = _with_green_company()
    table.carry_on()
    events = table.pass_on(4)
    assert ended_rounds(events) == ["stock"] and priorities(events) == []
    assert table.game.priority == BEN


@pytest.mark.clause("1865/4.4-a")
def test_sales_come_before_the_one_purchase() -> None:
    """Ada sells twice, buys, and it is Ben's turn."""
    table = stock_table()
    table.is_launched("FMS", 80, ADA, shares=3)
    table.is_launched("FA", 60, ADA, shares=3)
    table.act(ADA, SellCertificates("FMS", 1))
    table.act(ADA, SellCertificates("FA", 1))
    assert passed(table.act(ADA, StartCompany("CFC", 60))) == []
    assert table.asked() == BEN
    bought = stock_table()
    bought.is_launched("FMS", 80, ADA)
    bought.has_bought(ADA, "FMS")
    assert bought.refusal(ADA, SellCertificates("FMS", 1)) == ("buy_before_sell", "1865/4.4-a")
    assert bought.refusal(BEN, BuyCertificate("FMS", "FMS"))[0] == "not_your_turn"
