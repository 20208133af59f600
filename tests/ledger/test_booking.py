"""How single facts are booked, and which are refused."""

from __future__ import annotations

import pytest

from services.ledger.domain import facts as f
from services.ledger.domain.accounts import DEBT, MONEY, Account, shares_of
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply
from services.ledger.domain.errors import GapError, MalformedFactError

from .tables import booked, read_facts

BALANCES = [
    ("create 1000 ann,bob", {("bank", MONEY): 1000, ("issue", MONEY): -1000}),
    (
        "create 1000 ann,bob\ncash bank ann 400 starting_cash\ncash ann BH 250 certificate_bought BH",
        {("bank", MONEY): 600, ("ann", MONEY): 150, ("BH", MONEY): 250, ("issue", MONEY): -1000},
    ),
    (
        "create 1000 ann,bob\ncash bank issue 100 correction",
        {("bank", MONEY): 900, ("issue", MONEY): -900},
    ),
    (
        "create 10 ann\nshares issue bank BH 10 bought\nshares bank ann BH 2 bought\n"
        "shares ann issue BH 1 removed",
        {
            ("bank", MONEY): 10,
            ("issue", MONEY): -10,
            ("issue", shares_of("BH")): -9,
            ("bank", shares_of("BH")): 8,
            ("ann", shares_of("BH")): 1,
        },
    ),
    (
        "create 10 ann\ndebt ann 150 loan\ndebt ann 75 interest\ndebt ann -200 repaid",
        {("bank", MONEY): 10, ("issue", MONEY): -10, ("ann", DEBT): 25, ("debts", DEBT): -25},
    ),
    (
        "create 10 ann,bob\nother\nphase 2\nround stock 1 1 ann,bob\nturn 1\nended\nprice BH 90\nover",
        {("bank", MONEY): 10, ("issue", MONEY): -10},
    ),
]


@pytest.mark.parametrize(("table", "expected"), BALANCES)
def test_facts_lead_to_balances(table: str, expected: dict[tuple[str, str], int]) -> None:
    """Each scenario leaves exactly the balances written beside it."""
    assert booked(table).balances == {Account(*account): amount for account, amount in expected.items()}


def test_a_transfer_tells_where_it_comes_from() -> None:
    """A transfer carries game, sequence and index as its id, its two sides, its reason and its subject."""
    transfer = booked("create 1000 ann\nother\ncash bank BH 90 company_income BH").transfers[-1]
    assert transfer.id == "g/3/0"
    assert (transfer.debit, transfer.credit, transfer.amount) == ("bank", "BH", 90)
    assert (transfer.reason, transfer.subject, transfer.correction_of) == ("company_income", "BH", "")


def test_a_fact_booked_before_is_dropped() -> None:
    """The same facts given twice change nothing the second time."""
    table = "create 1000 ann\ncash bank ann 400 starting_cash\nundo 1\ncash bank ann 300 starting_cash"
    book = booked(table)
    entries = list(book.entries)
    assert [apply(book, fact) for fact in read_facts(table)] == [False] * 4
    assert book.entries == entries


def test_a_gap_names_what_was_expected_and_found() -> None:
    """A fact that skips sequences is refused, named by both numbers, and changes nothing."""
    book = booked("create 1000 ann")
    with pytest.raises(GapError, match="game g: sequence 2 is next, 4 was given"):
        apply(book, f.CashMoved(4, "bank", "ann", 1, "dividend", ""))
    assert (book.sequence, len(book.transfers)) == (1, 1)


MALFORMED = [
    ("cash bank ann 0 dividend", "sequence 2: CashMoved of 0 money, it must be above 0"),
    ("cash bank ann -5 dividend", "sequence 2: CashMoved of -5 money, it must be above 0"),
    ("cash ann ann 5 dividend", "sequence 2: CashMoved from ann to itself"),
    ("shares bank ann BH 0 bought", "sequence 2: CertificatesMoved of 0 shares:BH, it must be above 0"),
    ("shares issue issue BH 1 bought", "sequence 2: CertificatesMoved from issue to itself"),
    ("debt ann 0 loan", "sequence 2: DebtChanged of 0 debt, it must be above 0"),
    ("price BH -1", "sequence 2: price -1 of BH is below 0"),
    ("undo 0", "sequence 2: undo to sequence 0, 1 to 1 are possible"),
    ("undo 2", "sequence 2: undo to sequence 2, 1 to 1 are possible"),
    ("create 5 ann", "sequence 2: a log begins with GameCreated"),
]


@pytest.mark.parametrize(("line", "problem"), MALFORMED)
def test_a_malformed_fact_is_named_and_changes_nothing(line: str, problem: str) -> None:
    """What cannot be booked is refused with its sequence and what is wrong with it."""
    book = booked("create 1000 ann")
    with pytest.raises(MalformedFactError, match=problem):
        apply(book, read_facts(line, first=2)[0])
    assert (book.sequence, len(book.entries)) == (1, 3)


def test_a_log_that_does_not_begin_with_a_game_is_refused() -> None:
    """The first fact must create the game."""
    with pytest.raises(MalformedFactError, match="a log begins with GameCreated"):
        apply(Book("g"), f.Unmoved(1))


def test_a_bank_without_money_is_refused() -> None:
    """A game whose bank opens with nothing is malformed."""
    with pytest.raises(MalformedFactError, match="GameCreated of 0 money"):
        apply(Book("g"), f.GameCreated(1, ("ann",), 0))


def test_a_turn_behind_the_end_of_the_order_is_nobodys() -> None:
    """When everybody had a turn the game stands in the round without an actor."""
    book = booked("create 1000 ann,bob\nround stock 1 1 ann,bob\nturn 1\nturn 2")
    assert [moment.actor for moment in book.moments[-2:]] == ["bob", ""]
