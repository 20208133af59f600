"""The course of a game of 1824 and who pays for what (section V)."""

import pytest

from services.rules.parts.map.commands import LayTile
from services.rules.parts.trains.commands import BuyTrain
from tests.positions.rounds import rounds
from tests.titles.g1824.table import ADA, Table, clear_table, new_table, owned_table


def set_after(phase: str) -> list[tuple[str, int, int, int]]:
    """The rounds that follow a stock round in which everybody passes, in this phase."""
    table = clear_table(3)
    table.phase_is(phase)
    return rounds(table.pass_stock_round())


@pytest.mark.clause("1824/V-a")
def test_stock_rounds_and_operating_rounds_take_turns() -> None:
    """The initial stock round comes first, then operating and stock rounds in turn; sets grow to 2 and 3 rounds."""
    opening = new_table(3)
    assert rounds(opening.log) == [("1824.initial_stock", 1, 1, 1)]
    assert rounds(opening.pass_stock_round()) == [("operating", 1, 1, 1), ("stock", 2, 1, 1)]
    assert set_after("2") == [("operating", 2, 1, 1), ("stock", 3, 1, 1)]
    assert set_after("3") == [("operating", 2, 1, 2), ("operating", 2, 2, 2), ("stock", 3, 1, 1)]
    assert [number for _, _, number, _ in set_after("6")] == [1, 2, 3, 1]


def oderberg(treasury: int) -> Table:
    """Ada's mine company EOD about to build, with this much money."""
    table = owned_table({"EOD": ADA}, 3)
    table.has_cash("EOD", treasury)
    return table


@pytest.mark.clause("1824/V-b")
def test_a_company_pays_for_track_from_its_own_treasury() -> None:
    """Track over a mountain costs the company 40 G and its owner nothing, however rich the owner is."""
    lay = LayTile("EOD", "A10", "3", 4)
    table = oderberg(40)
    before = table.game.money(ADA)
    table.act(ADA, lay)
    assert (table.game.money("EOD"), table.game.money(ADA)) == (0, before)
    assert oderberg(39).refusal(ADA, lay)[0] == "not_enough_cash"


@pytest.mark.clause("1824/V-b")
def test_a_company_pays_for_trains_from_its_own_treasury() -> None:
    """A second 2-train for 80 G is refused to a company that has only 79 G, though its owner could pay."""
    for treasury, accepted in ((79, False), (80, True)):
        table = owned_table({"SD1": ADA}, 3)
        table.owns_trains("SD1", "2")
        table.has_cash("SD1", treasury)
        table.operating_round_is("SD1")
        before = table.game.money(ADA)
        if accepted:
            table.act(ADA, BuyTrain("SD1", "2-1", 80))
            assert table.game.money("SD1") == 0
        else:
            assert table.refusal(ADA, BuyTrain("SD1", "2-1", 80)) == ("not_enough_cash", "1824/V-b")
        assert table.game.money(ADA) == before
