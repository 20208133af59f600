"""A store for tests and for hosts that rebuild their books at every start."""

from __future__ import annotations

from collections.abc import Sequence

from services.ledger.domain.journal import Entry
from services.ledger.ports import Hold, StaleBookError, StoredBook


class MemoryBookStore:
    """Keeps books in memory."""

    def __init__(self) -> None:
        self._books: dict[str, tuple[int, list[Entry]]] = {}
        self._agreed: dict[str, int] = {}
        self._holds: dict[str, Hold] = {}

    def load(self, game_id: str) -> StoredBook | None:
        """The stored book, None when there is none."""
        stored = self._books.get(game_id)
        return StoredBook(stored[0], tuple(stored[1]), self._agreed.get(game_id, 0)) if stored else None

    def append(self, game_id: str, expected: int, sequence: int, entries: Sequence[Entry]) -> None:
        """Store further entries and the last sequence together."""
        last, kept = self._books.get(game_id, (0, []))
        if last != expected:
            raise StaleBookError(f"game {game_id}: stored up to {last}, not {expected}")
        self._books[game_id] = (sequence, [*kept, *entries])

    def note_agreed(self, game_id: str, sequence: int) -> None:
        """Store the last sequence at which the book agreed with rules."""
        self._agreed[game_id] = sequence

    def forget(self, game_id: str) -> None:
        """Drop what is stored of the book."""
        self._agreed.pop(game_id, None)
        self._books.pop(game_id, None)

    def put_hold(self, hold: Hold) -> None:
        """Store the hold of a game."""
        self._holds[hold.game_id] = hold

    def remove_hold(self, game_id: str) -> None:
        """Drop the hold of a game."""
        self._holds.pop(game_id, None)

    def hold_of(self, game_id: str) -> Hold | None:
        """The hold of a game, if there is one."""
        return self._holds.get(game_id)

    def holds(self) -> tuple[Hold, ...]:
        """All holds by game id."""
        return tuple(self._holds[game_id] for game_id in sorted(self._holds))

    def close(self) -> None:
        """Nothing to close."""
