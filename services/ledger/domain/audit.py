"""The audit: compares the books with the balances of rules, and checks the laws of bookkeeping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from services.ledger.domain.accounts import (
    DEBT,
    DEBTS,
    ISSUE,
    MONEY,
    Account,
    company_of,
    may_be_negative,
    shares_of,
)
from services.ledger.domain.book import Book

_ONLY_IN_THE_BOOKS = frozenset(("", ISSUE, DEBTS))


@dataclass(frozen=True, slots=True)
class ReportedBalances:
    """Balances as rules reports them, after `sequence`. Missing entries count as 0.

    `cash`: holder -> money. `shares`: (holder, company) -> shares. `debts`: player -> debt, above 0 when
    owed."""

    sequence: int
    cash: Mapping[str, int]
    shares: Mapping[tuple[str, str], int]
    debts: Mapping[str, int]


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """An account in which the books have `book` and rules has `rules`."""

    account: Account
    book: int
    rules: int

    def __str__(self) -> str:
        return (
            f"{self.account.holder} has {self.book} {self.account.unit} in the books, {self.rules} in rules"
        )


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of an audit after `sequence`; both lists are empty when it passed."""

    sequence: int
    differences: tuple[Difference, ...]
    broken_laws: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not (self.differences or self.broken_laws)


def audit(book: Book, status: ReportedBalances) -> Audit:
    """Compare the books with `status`, both after `status.sequence`; `SequenceOutOfRangeError` when that is
    not booked."""
    return Audit(status.sequence, _differences(book, status), broken_laws(book))


def _differences(book: Book, status: ReportedBalances) -> tuple[Difference, ...]:
    """Every account in which the two disagree, by holder and unit; some accounts only the books know."""
    booked = _balances_after(book, status.sequence)
    reported = dict(_accounts(status))
    unequal = {account for account, _ in booked.items() ^ reported.items()}
    found = [
        Difference(account, booked.get(account, 0), reported.get(account, 0))
        for account in unequal
        if booked.get(account, 0) != reported.get(account, 0) and account.holder not in _ONLY_IN_THE_BOOKS
    ]
    return tuple(sorted(found))


def booked_for_rules(book: Book, sequence: int) -> ReportedBalances:
    """What rules must report after `sequence` if the books are right; `SequenceOutOfRangeError` when that is not booked."""
    cash: dict[str, int] = {}
    shares: dict[tuple[str, str], int] = {}
    debts: dict[str, int] = {}
    for (holder, unit), amount in _balances_after(book, sequence).items():
        if holder in _ONLY_IN_THE_BOOKS:
            continue
        if unit == MONEY:
            cash[holder] = amount
        elif unit == DEBT:
            debts[holder] = amount
        else:
            shares[holder, company_of(unit)] = amount
    return ReportedBalances(sequence, cash, shares, debts)


def _balances_after(book: Book, sequence: int) -> Mapping[Account, int]:
    book.check_booked(sequence)
    return book.balances if sequence == book.sequence else book.balances_at(sequence)


def _accounts(status: ReportedBalances) -> Iterable[tuple[Account, int]]:
    for holder, amount in status.cash.items():
        yield Account(holder, MONEY), amount
    for (holder, company), shares in status.shares.items():
        yield Account(holder, shares_of(company)), shares
    for player, debt in status.debts.items():
        yield Account(player, DEBT), debt


def broken_laws(book: Book) -> tuple[str, ...]:
    """The laws that the balances break now, each as a sentence: every unit adds up to 0, and only the
    sources of a unit and the bank may have given more than they received."""
    totals: dict[str, int] = {}
    broken = []
    for account, amount in book.balances.items():
        totals[account.unit] = totals.get(account.unit, 0) + amount
        if amount < 0 and not may_be_negative(account):
            broken.append(f"{account.holder} has {amount} {account.unit}, less than nothing")
    broken += [f"all {unit} together is {total}, not 0" for unit, total in totals.items() if total]
    return tuple(sorted(broken))
