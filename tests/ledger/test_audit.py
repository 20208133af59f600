"""The audit finds what differs and what cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.ledger.domain.accounts import DEBT, MONEY, Account, shares_of
from services.ledger.domain.audit import Difference, ReportedBalances, audit, broken_laws
from services.ledger.domain.errors import SequenceOutOfRangeError

from .tables import booked

GAME = """
create 1000 ann,bob
cash bank ann 400 starting_cash
shares issue bank BH 10 bought
cash ann bank 100 certificate_bought BH
shares bank ann BH 2 bought
cash loans ann 20 loan_taken
debt ann 30 loan
"""
AGREED = ReportedBalances(
    sequence=7,
    cash={"bank": 700, "ann": 320, "bob": 0, "loans": -20},
    shares={("bank", "BH"): 8, ("ann", "BH"): 2},
    debts={"ann": 30},
)


def test_an_honest_report_passes() -> None:
    """Books and rules agree account by account; holders without anything may be left out or in."""
    assert audit(booked(GAME), AGREED).passed


SEEDED = [
    (replace(AGREED, cash={**AGREED.cash, "ann": 330}), Difference(Account("ann", MONEY), 320, 330)),
    (replace(AGREED, cash={**AGREED.cash, "BH": 10}), Difference(Account("BH", MONEY), 0, 10)),
    (
        replace(AGREED, shares={("bank", "BH"): 8}),
        Difference(Account("ann", shares_of("BH")), 2, 0),
    ),
    (replace(AGREED, debts={}), Difference(Account("ann", DEBT), 30, 0)),
    (replace(AGREED, debts={"ann": 30, "bob": 1}), Difference(Account("bob", DEBT), 0, 1)),
]


@pytest.mark.parametrize(("report", "expected"), SEEDED)
def test_a_seeded_difference_is_found(report: ReportedBalances, expected: Difference) -> None:
    """One changed figure in the report is found as exactly that account with both figures."""
    assert audit(booked(GAME), report).differences == (expected,)


def test_a_difference_reads_as_a_sentence() -> None:
    """The words name the account and both figures."""
    assert str(SEEDED[0][1]) == "ann has 320 money in the books, 330 in rules"


def test_a_report_about_an_earlier_sequence_is_compared_there() -> None:
    """Balances are known at every sequence, so an older status is compared with the older balances."""
    book = booked(GAME + "cash bank bob 50 dividend")
    assert audit(book, AGREED).passed
    assert not audit(book, replace(AGREED, sequence=8)).passed


def test_a_report_from_the_future_is_refused() -> None:
    """What is not booked cannot be compared."""
    with pytest.raises(SequenceOutOfRangeError, match="sequence 8 was asked for, 1 to 7 are booked"):
        audit(booked(GAME), replace(AGREED, sequence=8))


@pytest.mark.parametrize(
    ("line", "law"),
    [
        ("cash bob bank 1 tile_cost", "bob has -1 money, less than nothing"),
        ("cash BH bank 40 train_bought", "BH has -40 money, less than nothing"),
        ("shares pool bob BH 1 bought", "pool has -1 shares:BH, less than nothing"),
        ("debt bob -5 repaid", "bob has -5 debt, less than nothing"),
    ],
)
def test_nobody_but_the_sources_may_have_less_than_nothing(line: str, law: str) -> None:
    """A holder that gave what it did not have breaks a law, named by account."""
    assert broken_laws(booked(GAME + line)) == (law,)


def test_the_bank_may_owe() -> None:
    """A bank that pays more than it has breaks no law."""
    assert broken_laws(booked("create 10 ann\ncash bank ann 25 dividend")) == ()


def test_a_balance_that_no_transfer_made_is_found() -> None:
    """A balance changed behind the transfers' back no longer adds up."""
    book = booked(GAME)
    book.balances[Account("ann", MONEY)] += 5
    assert broken_laws(book) == ("all money together is 5, not 0",)
