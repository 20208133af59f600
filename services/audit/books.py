"""Books made again from the events, against rules' figures, the laws of bookkeeping and what the ledger stored."""

from __future__ import annotations

from typing import Protocol

import msgspec

from services.audit.cases import GameCase, KeptBook
from services.audit.findings import Kind
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.convert import fact_of
from services.ledger.domain.audit import RulesReport, audit
from services.ledger.domain.book import Book
from services.ledger.domain.booking import apply
from services.ledger.domain.journal import Entry
from services.rules.ports import Standing

_decode = msgspec.msgpack.Decoder(list[Entry]).decode


class Notes(Protocol):
    """Where findings go."""

    def find(self, kind: Kind, sequence: int, text: str) -> None:
        """Note a finding."""


def booked_again(game_id: str, events: list[GameEvent]) -> Book:
    """The book of a game from nothing but its events. Raises `LedgerError`."""
    book = Book(game_id)
    for event in events:
        apply(book, fact_of(event))
    return book


def compare_books(case: GameCase, book: Book, standing: Standing, notes: Notes) -> None:
    """Find every account in which rules and books differ, every broken law, and what the stored book has otherwise."""
    report = RulesReport(standing.sequence, standing.cash, standing.percents, standing.debts)
    found = audit(book, report)
    for difference in found.differences:
        notes.find("books", standing.sequence, str(difference))
    for law in found.broken_laws:
        notes.find("books", standing.sequence, law)
    if case.book is not None:
        _compare_stored(case.book, book, notes)


def _compare_stored(kept: KeptBook, book: Book, notes: Notes) -> None:
    """The ledger may be behind, but what it has must be what the events say."""
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
        "books", first, f"the stored book has {len(entries)} entries, booked again {len(wanted)}, others"
    )
