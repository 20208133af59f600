"""Checks books rebuilt from the events against the balances of rules, the laws of bookkeeping and the stored book."""

from __future__ import annotations

from typing import Protocol

import msgspec

from services.audit.cases import GameCase, StoredBook
from services.audit.findings import Kind
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.convert import fact_of
from services.ledger.domain.audit import ReportedBalances, audit
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply
from services.ledger.domain.journal import Entry

_decode = msgspec.msgpack.Decoder(list[Entry]).decode


class Notes(Protocol):
    """Collects findings."""

    def find(self, kind: Kind, sequence: int, text: str) -> None:
        """Note a finding."""


def rebuilt_book(game_id: str, events: list[GameEvent]) -> Book:
    """The book of a game rebuilt from its events. Raises `LedgerError`."""
    book = Book(game_id)
    for event in events:
        apply(book, fact_of(event))
    return book


def compare_books(case: GameCase, book: Book, reported: ReportedBalances, notes: Notes) -> None:
    """Report every account in which rules and books differ, every broken law, and differences in the stored book."""
    found = audit(book, reported)
    for difference in found.differences:
        notes.find("books", reported.sequence, str(difference))
    for law in found.broken_laws:
        notes.find("books", reported.sequence, law)
    if case.book is not None:
        _compare_stored(case.book, book, notes)


def _compare_stored(kept: StoredBook, book: Book, notes: Notes) -> None:
    """Compare the stored book with the rebuilt one; it may be behind, but not different."""
    try:
        entries = [entry for batch in kept.batches for entry in _decode(batch)]
    except msgspec.MsgspecError as error:
        notes.find("books", kept.sequence, f"the stored book cannot be read: {error}")
        return
    if kept.sequence > book.sequence:
        notes.find("books", kept.sequence, f"the stored book is at {kept.sequence} of {book.sequence}")
        return
    wanted = [entry for entry in book.entries if entry.sequence <= kept.sequence]
    if entries == wanted:
        return
    pairs = zip(entries, wanted, strict=False)
    first = next((mine.sequence for theirs, mine in pairs if theirs != mine), kept.sequence)
    notes.find(
        "books",
        first,
        f"the stored book has {len(entries)} entries, the rebuilt one has {len(wanted)} different ones",
    )
