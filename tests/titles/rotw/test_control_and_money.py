"""Control and money (rotw/control, rotw/money)."""

from __future__ import annotations

import pytest

from services.rules.kernel.vocabulary import BANK
from services.rules.titles.rotw.commands import COMMANDS, NameShare
from services.rules.titles.rotw.financing import bonds_of
from tests.positions.reading import moved_cash
from tests.positions.shares import new_directors
from tests.titles.rotw.table import ADA, BEN, CLEO, RED, build, running_table


@pytest.mark.clause("rotw/control-a")
def test_the_controller_decides() -> None:
    """Nobody else does, whatever he holds."""
    table = running_table(cash=20000)
    table.owns(BEN, RED, 2)
    assert table.refusal(BEN, build(RED, "Ashford", "Brookton"))[0] == "not_your_turn"
    table.act(ADA, build(RED, "Ashford", "Brookton"))


@pytest.mark.clause("rotw/control-b", "rotw/newauction-h", "rotw/control-d")
@pytest.mark.parametrize(("shares_of_ben", "controller"), [(2, ADA), (3, BEN)])
def test_control_passes_only_to_more_shares(shares_of_ben: int, controller: str) -> None:
    """With as many shares as Ada Ben gets nothing, with one more the board with all that is on it, at once."""
    table = running_table()
    table.owns(BEN, RED, 2)
    table.has_cash(RED, 6000)
    table.has_issued(RED, 5)
    table.has_bonds(RED, 1)
    if shares_of_ben == 3:
        table.gets_certificates(BEN, RED, *table.game.held("pool", RED)[:1], source="pool")
    table.priority_is(BEN)
    table.has_cash(ADA, 0)
    table.has_cash(CLEO, 0)
    table.new_auctions_begin()
    before = table.director(RED)
    events = table.act(BEN, NameShare(RED, "pool", 8000))
    assert (before, table.director(RED)) == (ADA, controller)
    assert new_directors(events) == ([(RED, BEN)] if controller == BEN else [])
    assert (table.game.money(RED), bonds_of(table.game, table.data, RED)) == (6000, 1)


@pytest.mark.clause("rotw/money-a")
def test_no_command_moves_money_between_a_player_and_a_company() -> None:
    """But for the price of a share and dividends no command has an amount, and building takes nothing from the player."""
    with_amount = {each.__name__ for each in COMMANDS if {"price", "amount"} & set(each.__struct_fields__)}
    assert with_amount == {"NameShare", "RepayBonds", "PayDividend"}
    table = running_table(cash=4000)
    events = table.act(ADA, build(RED, "Ashford", "Brookton"))
    assert moved_cash(events) == [(RED, BANK, 4000)]


@pytest.mark.clause("rotw/money-b")
def test_track_is_paid_by_the_treasury() -> None:
    """A rich controller does not help a company that has nothing."""
    table = running_table(cash=0)
    table.has_cash(ADA, 90000)
    assert table.refusal(ADA, build(RED, "Ashford", "Brookton")) == ("not_enough_cash", "rotw/money-b")
