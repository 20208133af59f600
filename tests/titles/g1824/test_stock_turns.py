"""A player's turn in a stock round of 1824 and the order of turns (VI.1, VI.2)."""

import pytest

from services.rules.kernel.commands import Command
from services.rules.kernel.events import (
    CashMoved,
    CertificatesMoved,
    DebtChanged,
    Event,
    PlayerActed,
    PlayerPassed,
    PriorityMoved,
)
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.events import SharesBought
from services.rules.titles.g1824.commands import RepayDebt
from tests.titles.g1824.positions import ADA, BEN, CLEO, DORA, Table, clear_table
from tests.titles.g1824.reading_events import only


def shareholders(**rulings: str) -> Table:
    """Ada directs the open BH and MS and is about to act in a stock round of four; Ben has 20 % of both."""
    table = clear_table(4, **rulings)
    for company in ("BH", "MS"):
        table.price(company, 80)
        table.hold(ADA, company, 5, director=True)
        table.hold(BEN, company, 2)
        table.open(company)
    table.stock_round(ADA)
    return table


@pytest.mark.clause("1824/VI.1-a")
def test_shares_are_bought_from_the_bank_only() -> None:
    """A share in another player's hands, in a company's or in a pool cannot be bought."""
    table = shareholders()
    table.pass_on(2)
    for source in (BEN, "BH", POOL):
        refused = table.refusal(CLEO, BuyCertificate("BH", source))
        assert refused == ("certificate_not_available", "1824/VI.1-a")
    sources = {command.source for command in table.offered(CLEO) if isinstance(command, BuyCertificate)}
    assert sources == {BANK}


@pytest.mark.clause("1824/VI.1-a")
def test_shares_and_money_of_a_sale_pass_between_player_and_bank_only() -> None:
    """Every movement of a sale and of a purchase has the player at one end and the bank at the other."""
    table = shareholders()
    events = [*table.act(ADA, SellCertificates("BH", 2)), *table.act(ADA, BuyCertificate("SD"))]
    moves = [(each.source, each.target) for each in events if isinstance(each, CashMoved)]
    moves += [(each.source, each.target) for each in events if isinstance(each, CertificatesMoved)]
    assert {frozenset(move) for move in moves} == {frozenset((ADA, BANK))}


@pytest.mark.clause("1824/VI.1-b")
@pytest.mark.parametrize(("cell", "price"), [((0, 5), 155), ((4, 8), 170), ((6, 0), 40)])
def test_shares_trade_at_the_price_of_the_marker(cell: tuple[int, int], price: int) -> None:
    """Not the starting price but the cell of the marker says what a share costs and brings."""
    table = shareholders()
    table.move_price("BH", *cell)
    before = table.game.money(BEN), table.game.money(ADA), table.game.money(BANK)
    table.act(ADA, SellCertificates("BH", 1))
    assert table.game.money(ADA) == before[1] + price
    table.move_price("BH", *cell)
    table.pass_on()
    table.act(BEN, BuyCertificate("BH"))
    assert table.game.money(BEN) == before[0] - price
    assert table.game.money(BANK) == before[2]


@pytest.mark.clause("1824/VI.1-c")
def test_a_turn_is_any_number_of_sales_then_one_purchase() -> None:
    """Ada sells three times and buys once, which ends her turn: she can neither sell nor buy any more."""
    table = shareholders()
    for company in ("BH", "MS", "BH"):
        table.act(ADA, SellCertificates(company, 1))
        assert table.asked() == ADA
    table.act(ADA, BuyCertificate("SD"))
    assert table.asked() == BEN
    assert table.refusal(ADA, SellCertificates("BH", 1))[0] == "not_your_turn"
    assert table.refusal(ADA, BuyCertificate("UG"))[0] == "not_your_turn"


@pytest.mark.clause("1824/VI.1-c")
def test_a_sale_after_the_purchase_and_a_second_purchase_are_refused() -> None:
    """Where a turn stands open after the purchase, both are refused with their own reasons."""
    table = shareholders()
    table.write(PlayerActed(ADA), SharesBought(ADA, "SD"))
    assert table.refusal(ADA, SellCertificates("BH", 1)) == ("buy_before_sell", "1824/VI.1-c")
    assert table.refusal(ADA, BuyCertificate("UG")) == ("already_bought", "1824/VI.1-c")
    assert table.refusal(ADA, StartCompany("SB", 60)) == ("already_bought", "1824/VI.1-c")


@pytest.mark.clause("1824/VI.1-c")
def test_a_turn_may_be_a_pass() -> None:
    """Who does nothing passes; a turn with a sale alone is none."""
    table = shareholders()
    table.act(ADA, SellCertificates("BH", 1))
    assert only(table.pass_on(), PlayerPassed) == []
    assert only(table.pass_on(), PlayerPassed) == [PlayerPassed(BEN)]


@pytest.mark.clause("1824/VI.2-a")
def test_the_holder_of_the_priority_card_starts_and_play_goes_clockwise() -> None:
    """Ben acts last, so the card passes to Cleo, and she starts the next stock round."""
    table = clear_table(4)
    table.pass_on()
    table.act(BEN, BuyCertificate("SD"))
    table.pass_stock_round()
    assert (table.game.current_round.kind, table.game.current_round.turn) == ("stock", 3)
    asked = []
    for _ in range(4):
        asked.append(table.asked())
        table.act(asked[-1], BuyCertificate("UG"))
    assert asked == [CLEO, DORA, ADA, BEN]


@pytest.mark.clause("1824/VI.2-b")
def test_the_round_ends_when_all_players_pass_in_succession() -> None:
    """Three passes and a purchase end nothing; the round is over with the fourth pass in a row."""
    table = clear_table(4)
    table.pass_on(3)
    table.act(DORA, BuyCertificate("SD"))
    for player in (ADA, BEN, CLEO, DORA):
        assert (table.game.current_round.turn, table.asked()) == (2, player)
        table.pass_on()
    assert table.game.current_round.turn == 3


@pytest.mark.clause("1824/VI.2-b")
def test_a_turn_with_a_sale_is_no_pass() -> None:
    """Three players pass after Ada's sale; she is asked once more before the round ends."""
    table = shareholders()
    table.act(ADA, SellCertificates("BH", 1))
    table.pass_on(4)
    assert (table.game.current_round.kind, table.asked()) == ("stock", ADA)
    table.pass_on()
    assert table.game.current_round.kind == "operating"


def last_to_act(table: Table, player: str, command: Command) -> str:
    """Who has the priority card after a round in which this was the last thing done."""
    while table.asked() != player:
        table.pass_on()
    table.act(player, command)
    return only(table.pass_stock_round(), PriorityMoved)[-1].player


@pytest.mark.clause("1824/VI.2-c")
@pytest.mark.parametrize(
    ("player", "command", "holder"),
    [
        (CLEO, BuyCertificate("SD"), DORA),
        (DORA, StartCompany("SB", 60), ADA),
        (BEN, SellCertificates("BH", 1), CLEO),
    ],
)
def test_the_priority_card_goes_to_the_left_of_the_last_to_act(
    player: str, command: Command, holder: str
) -> None:
    """A purchase and a sale count alike; left of the last seat sits the first."""
    table = shareholders()
    table.act(ADA, BuyCertificate("UG"))
    assert last_to_act(table, player, command) == holder


@pytest.mark.clause("1824/VI.2-c")
def test_the_priority_card_stays_when_nobody_buys_or_sells() -> None:
    """A round of passes leaves the card where it is."""
    table = shareholders()
    table.stock_round(CLEO)
    events = table.pass_stock_round()
    assert only(events, PriorityMoved) == []
    assert table.game.priority == CLEO


def debtor(**rulings: str) -> list[Event]:
    """What follows when Ben pays back his debt and nobody does anything else; Ada has the priority card."""
    table = shareholders(**rulings)
    table.write(DebtChanged(BEN, 150, "1824.loan"))
    table.cash(BEN, 200)
    table.pass_on()
    events = list(table.act(BEN, RepayDebt(150)))
    assert (table.game.debts, table.game.money(BEN)) == ({}, 50)
    return [*events, *table.pass_stock_round()]


@pytest.mark.clause("1824/VI.2-b", "1824/VI.2-c")
def test_a_repayment_is_neither_purchase_nor_sale() -> None:
    """By the rulebook the turn is a pass all the same, and the priority card stays."""
    events = debtor()
    assert only(events, PriorityMoved) == []
    assert len(only(events, PlayerPassed)) == 3


def test_ruling_a_repayment_may_count_as_an_action() -> None:
    """Under `action` everybody gets another turn, and the card goes to the left of the debtor."""
    events = debtor(debt_repayment="action")
    assert [each.player for each in only(events, PriorityMoved)] == [CLEO]
    assert len(only(events, PlayerPassed)) > 3
