"""How a game of 1865 ends, and who wins (7)."""

import pytest

from services.rules.kernel.commands import Pass
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.commands import StartCompany
from services.rules.titles.g1865.endings import player_value
from tests.positions.rounds import causes_of_end, ends_of_game, rounds
from tests.titles.g1865.table import ADA, BEN, CLEO, Table, stock_table


def _to_the_end(table: Table) -> list[tuple[str, int, int, int]]:
    """Everybody passes until the game is over; the rounds that began on the way."""
    begun = len(table.log)
    while not table.game.finished:
        table.pass_on()
    return rounds(table.log[begun:])


@pytest.mark.clause("1865/7-a")
@pytest.mark.clause("1865/7-b")
def test_an_empty_bank_in_a_stock_round_leaves_two_operating_rounds() -> None:
    """The stock round is finished, two operating rounds follow."""
    table = stock_table()
    table.bank_has(0)
    table.round_is("stock", *table.game.players, step="stock_turn", turn=4)
    table.has_taken_action("1865.dragons")
    events = table.act(ADA, Pass())
    assert causes_of_end(events) == [("bank", 4, 0)] and ends_of_game(events) == []
    assert _to_the_end(table) == [("operating", 4, 1, 2), ("operating", 4, 2, 2)]
    assert table.game.ending == "bank"


@pytest.mark.clause("1865/7-a")
@pytest.mark.parametrize(("left", "is_over"), [(1, False), (0, True), (-20, True)])
def test_the_bank_is_empty_without_any_money(left: int, is_over: bool) -> None:
    """1 is something."""
    table = stock_table()
    table.bank_has(left)
    assert (causes_of_end(table.act(ADA, Pass())) != []) == is_over


@pytest.mark.clause("1865/7-c")
@pytest.mark.parametrize(("number", "left"), [(1, [("operating", 5, 2, 2)]), (2, [])])
def test_an_empty_bank_in_an_operating_round_leaves_the_pair(
    number: int, left: list[tuple[str, int, int, int]]
) -> None:
    """The current pair of operating rounds is played to its end."""
    table = stock_table()
    table.bank_has(-1)
    table.round_is("operating", turn=5, number=number, count=2)
    events = table.carry_on()
    assert causes_of_end(events) == [("bank", 5, number)] and rounds(events) == left
    assert ends_of_game(events) == ["bank"]


@pytest.mark.clause("1865/7-d")
@pytest.mark.clause("1865/7-e")
def test_cash_and_shares_less_loans() -> None:
    """640 and 3 shares at 210 and 2 at 90 are 1450; a loan is 500 less."""
    table = stock_table()
    table.is_launched("FMS", 210, ADA, shares=3)
    table.is_launched("FA", 90, BEN, shares=2)
    table.is_converted("FA")
    table.holds(ADA, "FA", 2)
    table.has_cash(ADA, 640)
    table.has_maritime(ADA, "M1")
    assert player_value(table.game, table.data, ADA) == 1450
    table.borrows(ADA, 500, "1865.loan")
    assert player_value(table.game, table.data, ADA) == 950


@pytest.mark.clause("1865/7-d")
def test_the_richest_player_wins() -> None:
    """Standings from the wealthiest down."""
    table = stock_table()
    table.bank_has(-1)
    table.has_cash(BEN, 3000)
    table.has_cash(ADA, 1000)
    table.bank_has(-1)
    table.round_is("operating", turn=5, number=2, count=2)
    table.carry_on()
    values = [score.value for score in table.game.scores]
    assert values == sorted(values, reverse=True) and table.game.scores[-1].player == ADA


@pytest.mark.clause("1865/7-e")
@pytest.mark.parametrize(("ruling", "value"), [("not_counted", 630), ("lower_shares", 480)])
def test_loans_of_companies_at_the_end(ruling: str, value: int) -> None:
    """They count nothing, or 50 for each share of a major and each loan."""
    table = stock_table(loans_of_companies_at_the_end=ruling)
    table.is_launched("FMS", 210, ADA, shares=2)
    table.is_converted("FMS")
    table.holds(ADA, "FMS", 1)
    table.has_cash(ADA, 0)
    table.borrows("FMS", 500, "1865.loan")
    found = player_value(table.game, table.data, ADA)
    assert found == value and type(found) is int
    assert table.game.money(BANK) > 0 and StartCompany("FA", 60) not in table.offered(CLEO)
