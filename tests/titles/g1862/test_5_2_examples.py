"""The two long examples of an exchange of shares, holder by holder (5.2.6, 5.2.7)."""

import pytest

from services.rules.kernel.events import Event
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.titles.g1862.commands import ChooseSurvivor, Merge, SettleOption
from services.rules.titles.g1862.state import Exchange, charter_of, own
from tests.positions.market import price_moves
from tests.positions.reading import CertificateMove, only, paid
from tests.positions.shares import first_prices
from tests.titles.g1862.mergers import join, merging_table, set_up_company, settle, shares
from tests.titles.g1862.reading import before_exchange, chart_areas, exchanges, options
from tests.titles.g1862.table import ADA, BEN, CLEO, DORA, Table

RICHARD, EMMA, PETER, LINDA = ADA, BEN, CLEO, DORA
HELEN, MARTIN, RACHEL, CHARLES = ADA, BEN, CLEO, DORA


def first_example(lindas_cash: int = 66) -> Table:
    """Richard is about to merge N&E and WStI, each with a train and at 90."""
    table = merging_table()
    holders = {RICHARD: 4, EMMA: 3, PETER: 1, "N&E": 2}
    set_up_company(table, "N&E", 90, holders, director=RICHARD, treasury=67)
    holders = {RICHARD: 5, PETER: 1, LINDA: 1, "WStI": 1, POOL: 1}
    set_up_company(table, "WStI", 90, holders, director=RICHARD, chartered=True)
    for player, cash in ((RICHARD, 100), (EMMA, 100), (PETER, 100), (LINDA, lindas_cash)):
        table.has_cash(player, cash)
    join(table, "N&E", "WStI")
    table.operating_round_is("N&E", "WStI", step="merge")
    return table


def start_first_example(lindas_cash: int = 66) -> tuple[Table, tuple[Event, ...]]:
    """Richard proposes the merger and lets N&E survive."""
    table = first_example(lindas_cash)
    table.act(RICHARD, Merge("N&E", "WStI"))
    return table, table.act(RICHARD, ChooseSurvivor("N&E"))


@pytest.mark.clause("1862/5.2.6-a", "1862/5.2.6-b", "1862/5.2.6-c", "1862/5.2.2-a", "1862/5.2.3-b")
def test_first_example_before_anybody_acts() -> None:
    """All shares add up; 90 + 45 = 135 gives 134, the chart 100; the offered share goes to the pool, the treasuries lie
    together with two N&E and one WStI."""
    table = first_example()
    assert shares(table, "N&E") == {RICHARD: 4, EMMA: 3, PETER: 1, "N&E": 2}
    before = {RICHARD: 5, PETER: 1, LINDA: 1, "WStI": 1, POOL: 1, BANK: 1}
    assert shares(table, "WStI") == before
    table, events = start_first_example()
    holders = (*table.game.players, "N&E")
    assert exchanges(events) == [Exchange("merger", "N&E", "WStI", RICHARD, 134, holders)]
    assert price_moves(before_exchange(events)) == [("N&E", 0, 32, "1862.merged", 134)]
    assert first_prices(events) == [("N&E", 100)]
    assert chart_areas(events) == [("N&E", True)]
    moved = [(move.source, move.target, move.shares) for move in only(events, CertificateMove)[:2]]
    assert moved == [(BANK, POOL, 1), ("WStI", "N&E", 1)]
    assert (table.shares("N&E", "N&E"), table.shares("N&E", "WStI")) == (2, 1)


@pytest.mark.clause("1862/5.2.6-d", "1862/5.2.4-g", "1862/5.2.4-h", "1862/5.2.4-m")
def test_first_example_richard() -> None:
    """Of nine shares he returns four WStI, swaps the fifth, an option, with Emma, and pays 67 for it."""
    table, _ = start_first_example()
    assert shares(table, "N&E") == {RICHARD: 5, EMMA: 2, PETER: 1, "N&E": 2}
    assert table.shares(POOL, "WStI") == 2 + 4
    assert table.shares(EMMA, "WStI") == 1
    assert table.asked() == RICHARD
    exchange = own(table.game).exchange
    assert exchange is not None
    (option,) = exchange.options
    assert (option.holder, option.company, option.redeem_price, option.give_up_price) == (
        RICHARD,
        "N&E",
        67,
        67,
    )
    table.act(RICHARD, SettleOption(True))
    assert (table.shares(RICHARD, "N&E"), table.game.money(RICHARD)) == (5, 33)


@pytest.mark.clause("1862/5.2.6-e", "1862/5.2.4-d")
def test_first_example_emma() -> None:
    """Emma now has two N&E and one WStI: she returns the WStI, has an option on an N&E and pays 67."""
    table, _ = start_first_example()
    table.act(RICHARD, SettleOption(True))
    assert table.asked() == EMMA
    assert (table.shares(EMMA, "N&E"), table.shares(EMMA, "WStI")) == (2, 0)
    table.act(EMMA, SettleOption(True))
    assert (table.shares(EMMA, "N&E"), table.game.money(EMMA)) == (2, 33)


@pytest.mark.clause("1862/5.2.6-f", "1862/5.2.6-g", "1862/5.2.4-l", "1862/5.2.4-n", "1862/5.2.4-o")
def test_first_example_peter_and_linda() -> None:
    """Peter keeps one N&E and is asked nothing. Linda's option goes to the treasury for an N&E, which she cannot redeem:
    it is given up for 67, and the treasury is asked next."""
    table, _ = start_first_example()
    table.act(RICHARD, SettleOption(True))
    events = table.act(EMMA, SettleOption(True))
    assert (table.shares(PETER, "N&E"), table.shares(PETER, "WStI"), table.game.money(PETER)) == (
        1,
        0,
        100,
    )
    assert (table.shares(LINDA, "N&E"), table.shares(LINDA, "WStI"), table.game.money(LINDA)) == (0, 0, 133)
    swap = [(move.company, move.source, move.target) for move in only(events, CertificateMove)]
    assert swap[-6:-3] == [("WStI", LINDA, "N&E"), ("N&E", "N&E", LINDA), ("N&E", LINDA, POOL)]
    assert paid(events, BANK, LINDA, 67, "1862.option_sold", "N&E")
    assert table.game.interrupts[0].subject == "N&E"


@pytest.mark.clause("1862/5.2.6-h", "1862/5.2.6-i", "1862/5.2.6-k", "1862/5.2.4-a")
def test_first_example_treasury_and_result() -> None:
    """The treasury returns one WStI, swaps the other for Linda's share and pays 67; Richard stays director of N&E with 50,
    20, 10 and 0 %, and nothing of it is in the pool; all of WStI is with the bank again."""
    table, _ = start_first_example()
    table.act(RICHARD, SettleOption(True))
    table.act(EMMA, SettleOption(True))
    assert (table.shares("N&E", "N&E"), table.shares("N&E", "WStI")) == (2, 0)
    assert table.asked() == RICHARD
    table.act(RICHARD, SettleOption(True))
    assert shares(table, "N&E") == {RICHARD: 5, EMMA: 2, PETER: 1, "N&E": 2}
    assert table.director("N&E") == RICHARD
    assert [table.game.money(holder) for holder in (RICHARD, EMMA, PETER, LINDA, "N&E")] == [
        33,
        33,
        100,
        133,
        0,
    ]
    assert table.game.held(BANK, "WStI") == tuple(range(8))
    assert charter_of(table.game, "WStI").licences == ("local",)


@pytest.mark.clause("1862/5.2.6-j")
def test_first_example_had_linda_redeemed() -> None:
    """With Linda's share gone the treasury has nothing to swap its option for and has to sell it for half of 134."""
    table = first_example(lindas_cash=67)
    table.act(RICHARD, Merge("N&E", "WStI"))
    table.act(RICHARD, ChooseSurvivor("N&E"))
    for player in (RICHARD, EMMA):
        table.act(player, SettleOption(True))
    assert (table.asked(), table.game.interrupts[0].subject) == (LINDA, LINDA)
    events = table.act(LINDA, SettleOption(True))
    assert paid(events, BANK, "N&E", 67, "1862.option_sold", "WStI")
    assert shares(table, "N&E") == {RICHARD: 5, EMMA: 2, PETER: 1, LINDA: 1, "N&E": 1}


def second_example() -> Table:
    """Martin is about to merge N&E, at 100 without train, and I&B, at 74 with one."""
    table = merging_table()
    stakes = {HELEN: 1, MARTIN: 4, CHARLES: 3}
    set_up_company(table, "N&E", 100, stakes, director=MARTIN, train=False, chartered=True)
    set_up_company(table, "I&B", 74, {MARTIN: 5, RACHEL: 3, "I&B": 2}, director=MARTIN)
    for player in table.game.players:
        table.has_cash(player, 50)
    join(table, "N&E", "I&B")
    table.operating_round_is("N&E", "I&B", step="merge")
    return table


def start_second_example() -> tuple[Table, tuple[Event, ...]]:
    """Martin proposes the merger and lets N&E survive."""
    table = second_example()
    table.act(MARTIN, Merge("N&E", "I&B"))
    return table, table.act(MARTIN, ChooseSurvivor("N&E"))


@pytest.mark.clause("1862/5.2.7-a", "1862/5.2.7-b", "1862/5.2.7-c")
def test_second_example_before_anybody_acts() -> None:
    """50 for the trainless N&E and half of 74 are 87, so the price is 86, the chart 82 and an option 43; two N&E go from the
    offer to the pool."""
    table = second_example()
    assert shares(table, "N&E") == {HELEN: 1, MARTIN: 4, CHARLES: 3, BANK: 2}
    assert shares(table, "I&B") == {MARTIN: 5, RACHEL: 3, "I&B": 2}
    table, events = start_second_example()
    assert price_moves(events) == [("N&E", 0, 23, "1862.merged", 86)]
    assert first_prices(events) == [("N&E", 82)]
    assert chart_areas(events) == [("N&E", True)]
    assert CertificateMove("N&E", (6, 7), BANK, POOL, "1862.merged", 2) in only(events, CertificateMove)
    assert options(events)[0].redeem_price == 43


@pytest.mark.clause("1862/5.2.7-d", "1862/5.2.7-e", "1862/5.2.7-f", "1862/5.2.7-g")
def test_second_example_players() -> None:
    """Martin swaps his option with the pool and pays 43; Rachel swaps two shares, the option last, and pays 43; Charles
    returns one share and pays 43; Helen, whose only share is an option, pays 43."""
    table, _ = start_second_example()
    assert (table.shares(MARTIN, "N&E"), table.shares(MARTIN, "I&B")) == (5, 0)
    assert table.asked() == MARTIN
    events = table.act(MARTIN, SettleOption(True))
    marked = [(mark.company, mark.holder) for mark in options(events)]
    assert marked == [("I&B", RACHEL), ("N&E", RACHEL)]
    assert (table.shares(RACHEL, "N&E"), table.shares(RACHEL, "I&B")) == (2, 0)
    table.act(RACHEL, SettleOption(True))
    assert (table.shares(CHARLES, "N&E"), table.shares(CHARLES, "I&B")) == (2, 0)
    table.act(CHARLES, SettleOption(True))
    assert table.shares(HELEN, "N&E") == 1
    assert [table.game.money(player) for player in table.game.players] == [50, 7, 7, 7]
    assert table.asked() == HELEN


@pytest.mark.clause("1862/5.2.7-h", "1862/5.2.7-i", "1862/5.2.4-j")
def test_second_example_treasury_and_result() -> None:
    """No N&E is left for the treasury: it sells its share of I&B at 86. N&E ends with 10, 50, 20 and 20 %."""
    table, _ = start_second_example()
    for player in (MARTIN, RACHEL, CHARLES):
        table.act(player, SettleOption(True))
    events = settle(table, True)
    assert paid(events, BANK, "N&E", 86, "certificate_sold", "I&B")
    moved = [(each.company, each.source, each.target) for each in only(events, CertificateMove)]
    assert moved[:2] == [("I&B", "N&E", POOL)] * 2
    assert shares(table, "N&E") == {HELEN: 1, MARTIN: 5, RACHEL: 2, CHARLES: 2}
    assert [table.game.money(player) for player in table.game.players] == [7, 7, 7, 7]
    assert table.game.money("N&E") == 86
