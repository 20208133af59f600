"""Accounts: what one holder has of one unit. Money, debt and the shares of each company are units that
never mix.

A holder is a player's id, a company's symbol or one of the names below. A balance is what came in less what
went out, so the balances of one unit always add up to 0: what the players and companies have, `ISSUE`,
`DEBTS` or `LOANS` gave.
"""

from __future__ import annotations

from typing import NamedTuple

BANK = "bank"
POOL = "pool"
LOANS = "loans"
ISSUE = "issue"
"""Where the bank's money and all certificates come from when a game begins, and where they go when they
leave it."""
DEBTS = "debts"
"""The other side of every player's debt."""

OTHER_HOLDERS = frozenset((BANK, POOL, LOANS, ISSUE, DEBTS))
"""Those that are neither players nor companies."""

MONEY = "money"
DEBT = "debt"
_SHARES = "shares:"


class Account(NamedTuple):
    """What `holder` has of `unit`."""

    holder: str
    unit: str


def shares_of(company: str) -> str:
    """The unit that counts shares of `company`."""
    return _SHARES + company


def company_of(unit: str) -> str:
    """The company whose shares `unit` counts, empty for money and debt."""
    return unit[len(_SHARES) :] if unit.startswith(_SHARES) else ""


def may_be_negative(account: Account) -> bool:
    """Whether the account may have given more than it received: the sources of each unit, and a bank that
    owes (1824/IX.1-b)."""
    if account.unit == MONEY:
        return account.holder in (ISSUE, BANK, LOANS)
    return account.holder == (DEBTS if account.unit == DEBT else ISSUE)
