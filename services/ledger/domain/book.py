"""The book of one game: its journal and the balances derived from it.

Only a transfer in the journal changes a balance; `booking` says which entries a fact leads to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import attrgetter

from services.ledger.domain.accounts import Account
from services.ledger.domain.errors import SequenceOutOfRangeError
from services.ledger.domain.journal import Declared, Entry, Moment, Restricted, Seated, Transfer, Valued

START = Moment(sequence=0)
_sequence_of = attrgetter("sequence")


class Book:
    """All that was booked of one game up to `sequence`. Lists grow in the order of the log and are never
    cut.

    `balances` has an entry for every account ever used; `moments`, `values` and `declarations` are
    histories, of which the entry at or before a sequence counts."""

    __slots__ = (
        "balances",
        "declarations",
        "entries",
        "game_id",
        "is_restricted",
        "moments",
        "players",
        "postings",
        "sequence",
        "transfers",
        "values",
    )

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.is_restricted = False
        self.sequence = 0
        self.players: tuple[str, ...] = ()
        self.entries: list[Entry] = []
        self.transfers: list[Transfer] = []
        self.balances: dict[Account, int] = {}
        self.postings: dict[Account, list[Transfer]] = {}
        self.values: dict[str, list[Valued]] = {}
        self.moments: list[Moment] = []
        self.declarations: dict[str, list[Declared]] = {}

    @classmethod
    def restored(cls, game_id: str, sequence: int, entries: Iterable[Entry]) -> Book:
        """The book that wrote down `entries` and had booked everything up to `sequence`."""
        book = cls(game_id)
        book.write(sequence, entries)
        return book

    def until(self, sequence: int) -> Book:
        """The book as it was after `sequence`; this one where it has booked no more."""
        if sequence >= self.sequence:
            return self
        return Book.restored(
            self.game_id, sequence, (entry for entry in self.entries if entry.sequence <= sequence)
        )

    def write(self, sequence: int, entries: Iterable[Entry]) -> None:
        """Add the entries that book everything up to `sequence`."""
        for entry in entries:
            self._post(entry)
        self.sequence = sequence

    def _post(self, entry: Entry) -> None:
        self.entries.append(entry)
        if isinstance(entry, Transfer):
            self._move(entry)
        elif isinstance(entry, Moment):
            self.moments.append(entry)
        elif isinstance(entry, Valued):
            self.values.setdefault(entry.company, []).append(entry)
        elif isinstance(entry, Declared):
            self.declarations.setdefault(entry.company, []).append(entry)
        elif isinstance(entry, Seated):
            self.players = entry.players
        elif isinstance(entry, Restricted):
            self.is_restricted = True

    def _move(self, transfer: Transfer) -> None:
        self.transfers.append(transfer)
        for holder, change in ((transfer.debit, -transfer.amount), (transfer.credit, transfer.amount)):
            account = Account(holder, transfer.unit)
            postings = self.postings.get(account)
            if postings is None:
                self.postings[account] = [transfer]
                self.balances[account] = change
            else:
                postings.append(transfer)
                self.balances[account] += change

    def check_booked(self, sequence: int) -> None:
        """Raise `SequenceOutOfRangeError` unless `sequence` is booked."""
        if not 1 <= sequence <= self.sequence:
            raise SequenceOutOfRangeError(self.game_id, sequence, self.sequence)

    def transfers_until(self, sequence: int) -> list[Transfer]:
        """The transfers of all facts up to `sequence`."""
        return self.transfers[: bisect_right(self.transfers, sequence, key=_sequence_of)]

    def transfers_after(self, sequence: int) -> list[Transfer]:
        """The transfers of all facts after `sequence`."""
        return self.transfers[bisect_right(self.transfers, sequence, key=_sequence_of) :]

    def balances_at(self, sequence: int) -> dict[Account, int]:
        """The balance after `sequence` of every account used by then."""
        self.check_booked(sequence)
        if sequence == self.sequence:
            return dict(self.balances)
        balances: dict[Account, int] = {}
        for transfer in self.transfers_until(sequence):
            for holder, change in ((transfer.debit, -transfer.amount), (transfer.credit, transfer.amount)):
                account = Account(holder, transfer.unit)
                balances[account] = balances.get(account, 0) + change
        return balances

    def moment_at(self, sequence: int) -> Moment:
        """Round, phase and turn after `sequence`."""
        index = bisect_right(self.moments, sequence, key=_sequence_of)
        return self.moments[index - 1] if index else START

    def value_at(self, company: str, sequence: int) -> Valued:
        """What `company` was worth after `sequence`; nothing before its first price."""
        history = self.values.get(company, [])
        index = bisect_right(history, sequence, key=_sequence_of)
        return history[index - 1] if index else Valued(sequence, company, 0)
