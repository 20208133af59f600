"""Statements: why an account has what it has, line by line."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, islice
from operator import attrgetter
from typing import NamedTuple

from services.ledger.domain.accounts import DEBT, MONEY, Account, company_of
from services.ledger.domain.book import Book
from services.ledger.domain.journal import Declared, Moment, Transfer

_sequence_of = attrgetter("sequence")
_DIVIDEND_REASONS = ("dividend", "revenue_withheld")


@dataclass(frozen=True, slots=True)
class Line:
    """One transfer as one of its two accounts sees it: `change` is negative when the account gave.

    `declared` is the company's decision about its revenue that a dividend line rests on."""

    account: Account
    transfer: Transfer
    counterparty: str
    change: int
    balance: int
    moment: Moment
    declared: Declared | None


def statement(book: Book, account: Account, start: int = 0, count: int | None = None) -> tuple[Line, ...]:
    """At most `count` lines of the account from line `start` (0 is the oldest). An account never used has
    no lines."""
    postings = book.postings.get(account, [])
    changes = [each.amount if each.credit == account.holder else -each.amount for each in postings]
    lines = zip(postings, changes, accumulate(changes), strict=True)
    stop = None if count is None else start + count
    return tuple(_line(book, account, *each) for each in islice(lines, start, stop))


def _line(book: Book, account: Account, transfer: Transfer, change: int, balance: int) -> Line:
    counterparty = transfer.debit if change > 0 else transfer.credit
    moment = book.moment_at(transfer.sequence)
    return Line(account, transfer, counterparty, change, balance, moment, _declared(book, transfer, moment))


def _declared(book: Book, transfer: Transfer, moment: Moment) -> Declared | None:
    """The decision taken in the same turn by the company that the transfer is about, or that paid or
    received it."""
    if transfer.reason not in _DIVIDEND_REASONS:
        return None
    for company in (transfer.subject, transfer.debit, transfer.credit, moment.actor):
        history = book.declarations.get(company, [])
        index = bisect_right(history, moment.sequence, key=_sequence_of)
        if index < len(history) and book.moment_at(history[index].sequence) == moment:
            return history[index]
    return None


class Piece(NamedTuple):
    """A piece of a sentence: words, or the name of a holder as the log has it."""

    text: str
    is_holder: bool = False


def explain(line: Line) -> str:
    """The line as one sentence."""
    return "".join(piece.text for piece in pieces(line))


def pieces(line: Line) -> tuple[Piece, ...]:
    """The same sentence, with the holders apart from the words."""
    transfer = line.transfer
    verb, preposition = ("received", "from") if line.change > 0 else ("gave", "to")
    amount = f"{transfer.amount}{_unit_in_words(transfer.unit, transfer.amount)}"
    found = (
        *_when(line.moment),
        Piece(line.account.holder, is_holder=True),
        Piece(f" {verb} {amount} {preposition} "),
        Piece(line.counterparty, is_holder=True),
        Piece(f": {_why(line)}"),
    )
    return tuple(piece for piece in found if piece.text)


def _unit_in_words(unit: str, amount: int) -> str:
    if unit == MONEY:
        return ""
    return " of debt" if unit == DEBT else f" share{'s' * (amount > 1)} of {company_of(unit)}"


def _why(line: Line) -> str:
    transfer, declared = line.transfer, line.declared
    if transfer.correction_of:
        return f"takes back transfer {transfer.correction_of}"
    why = _plain(transfer.reason)
    if transfer.subject:
        why += f" ({transfer.subject})"
    if declared:
        why += f"; {declared.company} earned {declared.revenue}, {_plain(declared.kind)}: "
        why += f"{declared.per_share} for a share"
    return why


def _when(moment: Moment) -> tuple[Piece, ...]:
    if not moment.round_kind:
        return ()
    when = f"{_plain(moment.round_kind)} round {moment.turn}.{moment.round_number}"
    if not moment.actor:
        return (Piece(f"{when}: "),)
    return Piece(f"{when}, turn of "), Piece(moment.actor, is_holder=True), Piece(": ")


def _plain(word: str) -> str:
    """A word of the rules for people: without the title it belongs to."""
    return word.rpartition(".")[2].replace("_", " ")
