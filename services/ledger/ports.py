"""Ports of the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.ledger.domain.journal import Entry

OPERATOR = "operator"
"""The reason of a hold that an operator wanted."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A game that must not go on: `reason` is one of the codes in ledger.proto, `detail` what was found, or an operator's reason.

    `sequence` is the last one booked when it was found."""

    game_id: str
    reason: str
    detail: str
    sequence: int

    @property
    def shown(self) -> str:
        """What players read whose commands are rejected."""
        return self.detail if self.reason == OPERATOR else self.reason


@dataclass(frozen=True, slots=True)
class StoredBook:
    """A book as it was stored: its journal and the last sequence it had booked.

    `agreed_sequence`: the last at which it agreed with rules; 0: never compared."""

    sequence: int
    entries: tuple[Entry, ...]
    agreed_sequence: int = 0


class BrokenBookError(Exception):
    """A stored book cannot be read; the message says why. The book can be rebuilt from the log."""


class StaleBookError(Exception):
    """Another writer stored something of this book since it was loaded, and nothing was stored; or the book breaks a law and is
    to be made anew from the log."""


class UnwritableStoreError(Exception):
    """The store takes nothing now, for example because its disk is full; nothing was stored, and reads go on."""


class BookStore(Protocol):
    """Keeps books and holds. `append` and `forget` take effect as a whole or not at all. What stores something raises
    `UnwritableStoreError`."""

    def load(self, game_id: str) -> StoredBook | None:
        """The stored book, None when there is none; `BrokenBookError` when it cannot be read."""

    def append(self, game_id: str, expected: int, sequence: int, entries: Sequence[Entry]) -> None:
        """Store further entries and the last sequence together. `StaleBookError` unless the stored sequence
        is `expected` (0: nothing stored)."""

    def note_agreed(self, game_id: str, sequence: int) -> None:
        """Store the last sequence at which the book agreed with rules."""

    def forget(self, game_id: str) -> None:
        """Drop what is stored of the book; its hold stays."""

    def put_hold(self, hold: Hold) -> None:
        """Store the hold of a game in place of an older one."""

    def remove_hold(self, game_id: str) -> None:
        """Drop the hold of a game, if there is one."""

    def hold_of(self, game_id: str) -> Hold | None:
        """The hold of a game, if there is one."""

    def holds(self) -> tuple[Hold, ...]:
        """All holds by game id."""

    def close(self) -> None:
        """Close files."""


class EventSource(Protocol):
    """The event log of rules, for books that are new here or behind."""

    def events(self, game_id: str, after: int) -> Sequence[GameEvent]:
        """All committed events of the game after sequence `after`, in order; none for an unknown game."""


class GameHold(Protocol):
    """Rules rejects commands in a held game with the reason `ledger_hold`. Both calls may be repeated."""

    def hold(self, game_id: str, reason: str) -> None:
        """Reject commands in this game from now on."""

    def release(self, game_id: str) -> None:
        """Accept commands again."""


class Alarm(Protocol):
    """Alerts operators and counts."""

    def booked(self, events: int) -> None:
        """`events` events were booked."""

    def raised(self, hold: Hold) -> None:
        """A game was held."""

    def rebuilt(self, game_id: str, why: str) -> None:
        """A stored book was dropped and is rebuilt from the log."""
