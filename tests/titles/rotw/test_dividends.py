"""Interest, dividends and the values that follow from them (rotw/dividends)."""

from __future__ import annotations

import pytest

from services.common.clock import ManualClock
from services.common.eventlog.memory import MemoryEventLog
from services.rules.history import History
from services.rules.kernel.directing.commands import ActForSeat, Direct, LeastMove
from services.rules.kernel.vocabulary import BANK
from services.rules.leastmove import with_least_move
from services.rules.sessions import LoadedGame
from services.rules.titles.rotw.commands import PayDividend, RepayBonds
from services.rules.titles.rotw.financing import bonds_of
from services.rules.titles.rotw.title import TITLE
from tests.positions.market import price_moves
from tests.positions.reading import Payment, moved_cash, payments
from tests.positions.rounds import ended_turns, round_orders
from tests.titles.rotw.table import ADA, BEN, BLUE, CLEO, GREEN, RED, Table, running_table


def at_dividends(value: int = 8, cash: int = 30000, **rulings: str) -> Table:
    """RED, which has delivered and is worth so many thousands, is to pay a dividend; three shares are Ada's."""
    table = running_table(by=rulings)
    table.value_is(RED, value)
    table.has_cash(RED, cash)
    table.has_chosen(RED, "deliver")
    table.directs("", BLUE)
    table.dividends_begin()
    return table


def indebted(bonds: int, cash: int, links: int, *, issued: int = 5, **rulings: str) -> Table:
    """RED has bonds and links, has issued so many shares, and has delivered; its value is 7."""
    table = running_table(cash=cash, by=rulings)
    table.directs("", BLUE)
    table.has_links(RED, *("Ashford", "Brookton", "Carlow", "Dunmore", "Jasper")[: links + 1])
    table.has_issued(RED, issued)
    table.has_bonds(RED, bonds)
    table.has_chosen(RED, "deliver")
    table.value_is(RED, 7)
    return table


@pytest.mark.clause("rotw/dividends-a")
def test_the_order_is_fixed_when_dividends_begin() -> None:
    """BLUE falls below GREEN when its turn comes, and RED rises; the order stays."""
    table = running_table(cash=3000)
    table.owns(CLEO, GREEN, 1, controls=True)
    for company in (RED, BLUE, GREEN):
        table.has_chosen(company, "deliver")
        table.has_cash(company, 3000)
    events = table.dividends_begin()
    assert round_orders(events) == [(RED, BLUE, GREEN)]
    assert [table.asked()] == [ADA]
    table.act(ADA, PayDividend(RED, 0))
    table.act(BEN, PayDividend(BLUE, 0))
    assert table.asked() == CLEO and table.game.current_round.order == (RED, BLUE, GREEN)


@pytest.mark.clause("rotw/dividends-b")
def test_interest_comes_first() -> None:
    """Before anybody is asked."""
    table = indebted(2, 9000, 2)
    events = table.dividends_begin()
    assert moved_cash(events) == [(RED, BANK, 2000)]
    assert table.asked() == ADA and isinstance(table.choices(ADA)[0].command, RepayBonds)


@pytest.mark.clause("rotw/dividends-d")
def test_interest_that_cannot_be_paid_takes_a_bond() -> None:
    """Two bonds, 1,000 in the treasury, three links: one new bond, 4,000 left, and no interest on it in this turn."""
    table = indebted(2, 1000, 3)
    events = table.dividends_begin()
    assert moved_cash(events) == [(BANK, RED, 5000), (RED, BANK, 2000)]
    assert (bonds_of(table.game, table.data, RED), table.game.money(RED)) == (3, 4000)
    assert table.price_of(RED) == 7000
    table.act(ADA, PayDividend(RED, 0))
    assert payments(table.dividends_begin(), "rotw.interest") == [
        Payment(RED, BANK, 3000, "rotw.interest", RED)
    ]


@pytest.mark.clause("rotw/dividends-e")
@pytest.mark.parametrize(("cash", "links", "issued"), [(0, 2, 5), (1000, 2, 5), (1000, 3, 4)])
def test_interest_that_cannot_be_paid_at_all(cash: int, links: int, issued: int) -> None:
    """No bond is left, or shares are: the money goes to the bank, the value falls from 7 to 5, once, and no dividend is paid."""
    table = indebted(2, cash, links, issued=issued)
    events = table.dividends_begin()
    assert moved_cash(events, "rotw.interest") == ([(RED, BANK, cash)] if cash else [])
    assert [(each.reason, each.price) for each in price_moves(events)] == [("rotw.unpaid_interest", 5000)]
    assert (table.game.money(RED), bonds_of(table.game, table.data, RED)) == (0, 2)
    assert ended_turns(events)[0] == RED


def test_shares_for_interest_by_a_ruling() -> None:
    """By the other reading the share that is left is issued, at 7,000."""
    table = indebted(2, 1000, 3, issued=4, shares_for_interest="issued")
    assert moved_cash(table.dividends_begin()) == [(BANK, RED, 7000), (RED, BANK, 2000)]


@pytest.mark.parametrize("ruling", ["not_issued", "issued"])
def test_no_bond_for_interest_while_a_share_is_available(ruling: str) -> None:
    """By the stricter reading of when bonds may be taken: the reserve is gone, but the bank has two shares left."""
    table = indebted(
        2, 1000, 3, issued=5, shares_for_interest=ruling, shares_before_bonds="reserve_and_available"
    )
    assert moved_cash(table.dividends_begin(), "rotw.interest") == [(RED, BANK, 1000)]
    assert bonds_of(table.game, table.data, RED) == 2


@pytest.mark.clause("rotw/dividends-f")
def test_the_controller_decides_how_much() -> None:
    """Any whole thousand that the treasury has, nothing included."""
    table = at_dividends(cash=5500)
    choice = table.choices(ADA)[0]
    assert (choice.command, choice.minimum, choice.maximum, choice.step) == (
        PayDividend(RED, 0),
        0,
        5000,
        1000,
    )
    assert table.refusal(ADA, PayDividend(RED, 6000)) == ("not_enough_cash", "rotw/dividends-f")
    assert table.refusal(ADA, PayDividend(RED, 2500)) == ("rotw.amount_uneven", "rotw/dividends-f")
    assert table.refusal(ADA, PayDividend(RED, -1))[0] == "value_out_of_range"
    assert table.refusal(BEN, PayDividend(RED, 1000)) == ("not_your_turn", "")
    assert table.refusal(ADA, PayDividend(BLUE, 1000)) == ("not_your_turn", "")
    table.act(ADA, PayDividend(RED, 5000))
    assert table.game.money(RED) == 500


@pytest.mark.clause("rotw/dividends-g")
def test_three_times_the_value_at_most() -> None:
    """Value 6: 18,000."""
    table = at_dividends(6)
    assert table.choices(ADA)[0].maximum == 18000
    assert table.refusal(ADA, PayDividend(RED, 19000)) == ("rotw.dividend_too_high", "rotw/dividends-g")
    table.act(ADA, PayDividend(RED, 18000))


@pytest.mark.clause(
    "rotw/dividends-h",
    "rotw/dividends-i",
    "rotw/dividends-j",
    "rotw/dividends-k",
    "rotw/dividends-l",
    "rotw/dividends-t",
)
@pytest.mark.parametrize(
    ("value", "dividend", "then"),
    [
        (8, 0, 6),
        (8, 1, 7),
        (8, 4, 7),
        (8, 5, 8),
        (8, 7, 8),
        (8, 8, 9),
        (6, 17, 8),
        (6, 18, 9),
        (2, 0, 1),
        (1, 0, 1),
        (3, 0, 1),
        (2, 1, 1),
        (1, 3, 4),
        (7, 3, 6),
        (7, 4, 7),
        (7, 7, 8),
        (7, 14, 9),
        (7, 21, 10),
        (100, 100, 100),
    ],
)
def test_the_dividend_chart(value: int, dividend: int, then: int) -> None:
    """Nothing: -2; half or less: -1; less than the value: 0; else + dividend / value; never below 1, nor beyond the track."""
    table = at_dividends(value, 300000)
    events = table.act(ADA, PayDividend(RED, dividend * 1000))
    assert table.price_of(RED) == then * 1000
    assert len(price_moves(events)) == (value != then)


@pytest.mark.clause("rotw/dividends-m", "rotw/dividends-o")
@pytest.mark.parametrize(("unit", "per_share", "rest"), [("thousands", 3000, 2000), ("dollars", 3400, 0)])
def test_what_one_share_gets(unit: str, per_share: int, rest: int) -> None:
    """17,000 over five shares: 3,000 each and 2,000 for the bank, or 3,400 by the other reading."""
    table = at_dividends(6, dividend_unit=unit)
    table.owns(BEN, RED, 2)
    events = table.act(ADA, PayDividend(RED, 17000))
    assert payments(events, "dividend") == [
        Payment(RED, ADA, 3 * per_share, "dividend", RED),
        Payment(RED, BEN, 2 * per_share, "dividend", RED),
    ]
    assert sum(each.amount for each in payments(events, "rotw.remainder")) == rest
    assert table.game.money(RED) == 13000


@pytest.mark.clause("rotw/dividends-n")
def test_the_bank_gets_what_issued_shares_bring() -> None:
    """8,000, three shares of players, one on the issued board: 6,000 and 2,000."""
    table = at_dividends()
    table.has_issued(RED, 1)
    events = table.act(ADA, PayDividend(RED, 8000))
    assert payments(events, "dividend") == [
        Payment(RED, ADA, 6000, "dividend", RED),
        Payment(RED, BANK, 2000, "dividend", RED),
    ]


@pytest.mark.clause("rotw/dividends-p")
def test_other_shares_bring_nothing() -> None:
    """Two available and five in reserve are not counted: 9,000 are 3,000 for each of Ada's three."""
    table = at_dividends()
    events = table.act(ADA, PayDividend(RED, 9000))
    assert payments(events) == [Payment(RED, ADA, 9000, "dividend", RED), *payments(events)[1:]]
    assert payments(events, "rotw.remainder") == [] and len(payments(events, "dividend")) == 1


@pytest.mark.clause("rotw/dividends-q")
def test_a_company_that_nobody_controls_is_left_alone() -> None:
    """BLUE, worth 7, pays nothing and stays."""
    table = running_table(cash=5000)
    table.directs("", BLUE, RED)
    events = table.dividends_begin()
    assert price_moves(events) == [] and payments(events, "dividend") == []
    assert table.price_of(BLUE) == 7000


@pytest.mark.clause("rotw/dividends-r")
def test_every_player_gets_5000_in_the_end() -> None:
    """Once all dividends are done, whatever anybody owns."""
    table = at_dividends()
    before = {player: table.game.money(player) for player in table.game.players}
    events = table.act(ADA, PayDividend(RED, 0))
    assert moved_cash(events, "rotw.player_income") == [(BANK, player, 5000) for player in table.game.players]
    assert {player: table.game.money(player) for player in table.game.players} == {
        player: cash + 5000 for player, cash in before.items()
    }


def test_a_company_that_has_nothing_is_not_asked() -> None:
    """It pays no dividend, and its value falls."""
    table = running_table(cash=900)
    table.has_chosen(RED, "deliver")
    events = table.dividends_begin()
    assert [(each.company, each.price) for each in price_moves(events)] == [(RED, 6000), (BLUE, 5000)]


def test_a_marker_that_moves_comes_on_top() -> None:
    """RED falls to 6, where GREEN is: it acts before GREEN in the next turn."""
    table = at_dividends()
    table.owns(CLEO, GREEN, 1, controls=True)
    table.act(ADA, PayDividend(RED, 0))
    while table.game.current_round.kind != "rotw.companies":
        table.pass_on()
    assert table.game.current_round.order == (RED, GREEN)


@pytest.mark.clause("rotw/dividends-k", "rotw/dividends-o")
@pytest.mark.parametrize(
    ("cash", "issued", "paid"),
    [
        (30000, 0, 24000),
        (11000, 0, 9000),
        (17000, 2, 16000),
        (7000, 0, 6000),
        (5000, 0, 5000),
        (4000, 0, 3000),
        (2000, 0, 1000),
    ],
)
def test_for_an_absent_player_the_full_dividend_is_paid(cash: int, issued: int, paid: int) -> None:
    """Up to three times the value; not what would go to the bank without another space for the marker."""
    table = at_dividends(8, cash)
    table.has_issued(RED, issued)
    loaded = LoadedGame("g", TITLE, table.data, table.game, History(MemoryEventLog(ManualClock(0)), "g"), 0)
    direction = Direct(ActForSeat(ADA, LeastMove()), "overdue")
    move = with_least_move(loaded, direction, None).direction
    assert isinstance(move, ActForSeat) and move.command == PayDividend(RED, paid)
