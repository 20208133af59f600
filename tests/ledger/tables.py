"""Scenario tables: one fact per line, numbered from 1 in the order written, booked into a book.

create 1000 ann,bob            bank cash, players in seat order
cash bank ann 480 starting_cash [subject]
shares issue bank BH 10 bought
debt ann 150 loan
price BH 120
initial BH 74
private EPP ann 160
closed EPP
declared BH pay 80 20          kind, revenue, per share
phase 3 | round stock 1 1 ann,bob | turn 0 | ended | finish | over | other
undo 4
"""

from __future__ import annotations

from collections.abc import Callable

from services.ledger.domain import facts as f
from services.ledger.domain.accounts import ISSUE, MONEY, Account
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply

Words = list[str]

_READERS: dict[str, Callable[[int, Words], f.Fact]] = {
    "create": lambda at, w: f.GameCreated(at, tuple(w[1].split(",")), int(w[0])),
    "cash": lambda at, w: f.CashMoved(at, w[0], w[1], int(w[2]), w[3], w[4] if len(w) > 4 else ""),
    "shares": lambda at, w: f.CertificatesMoved(at, w[2], int(w[3]), _outside(w[0]), _outside(w[1]), w[4]),
    "debt": lambda at, w: f.DebtChanged(at, w[0], int(w[1]), w[2]),
    "price": lambda at, w: f.PriceSet(at, w[0], int(w[1])),
    "initial": lambda at, w: f.InitialPriceSet(at, w[0], int(w[1])),
    "private": lambda at, w: f.CompanyBought(at, w[0], w[1], int(w[2])),
    "closed": lambda at, w: f.CompanyClosed(at, w[0]),
    "declared": lambda at, w: f.DividendDeclared(at, w[0], w[1], int(w[2]), int(w[3])),
    "phase": lambda at, w: f.PhaseStarted(at, w[0]),
    "round": lambda at, w: f.RoundStarted(at, w[0], int(w[1]), int(w[2]), tuple(w[3].split(","))),
    "finish": lambda at, w: f.RoundEnded(at),
    "order": lambda at, w: f.OrderChanged(at, tuple(w[0].split(","))),
    "turn": lambda at, w: f.TurnStarted(at, int(w[0])),
    "ended": lambda at, w: f.TurnEnded(at),
    "over": lambda at, w: f.GameEnded(at),
    "other": lambda at, w: f.Unmoved(at),
    "undo": lambda at, w: f.Undone(at, int(w[0])),
}


def _outside(holder: str) -> str:
    return "" if holder == ISSUE else holder


def read_facts(table: str, first: int = 1) -> list[f.Fact]:
    """The facts of a table."""
    lines = [line.split() for line in table.strip().splitlines()]
    return [_READERS[words[0]](first + index, words[1:]) for index, words in enumerate(lines)]


def booked(table: str) -> Book:
    """A book of game `g` that holds the facts of a table."""
    book = Book("g")
    for fact in read_facts(table):
        apply(book, fact)
    return book


def money(book: Book, holder: str) -> int:
    """The cash of a holder in the books."""
    return book.balances.get(Account(holder, MONEY), 0)
