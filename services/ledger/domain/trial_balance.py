"""The trial balance: all debits and credits summed up from the transfers alone, without stored balances."""

from __future__ import annotations

from dataclasses import dataclass

from services.ledger.domain.accounts import Account
from services.ledger.domain.book import Book


@dataclass(frozen=True, slots=True)
class Row:
    """What `account` gave (`debits`) and received (`credits`)."""

    account: Account
    debits: int
    credits: int

    @property
    def balance(self) -> int:
        """What the account has."""
        return self.credits - self.debits


@dataclass(frozen=True, slots=True)
class TrialBalance:
    """All accounts used up to `sequence`, by holder and unit, and the sum of the balances of each unit."""

    sequence: int
    rows: tuple[Row, ...]
    totals: dict[str, int]

    @property
    def balanced(self) -> bool:
        """Whether nothing was created or lost."""
        return not any(self.totals.values())


def trial_balance(book: Book, sequence: int) -> TrialBalance:
    """The trial balance after `sequence`; `SequenceOutOfRangeError` when it is not booked."""
    book.check_booked(sequence)
    debits: dict[Account, int] = {}
    credited: dict[Account, int] = {}
    for transfer in book.transfers_until(sequence):
        giver, receiver = Account(transfer.debit, transfer.unit), Account(transfer.credit, transfer.unit)
        debits[giver] = debits.get(giver, 0) + transfer.amount
        credited[receiver] = credited.get(receiver, 0) + transfer.amount
    accounts = sorted(debits.keys() | credited.keys())
    rows = tuple(Row(account, debits.get(account, 0), credited.get(account, 0)) for account in accounts)
    totals: dict[str, int] = {}
    for row in rows:
        totals[row.account.unit] = totals.get(row.account.unit, 0) + row.balance
    return TrialBalance(sequence, rows, totals)
