"""Holds of games that the clocks do not know yet."""

from __future__ import annotations

import threading
from collections import deque

from services.lobby.domain.games import HoldChange


class HoldChanges:
    """What the ledger said about games, in its order, until the clocks have it. Thread-safe.

    Who adds may start over and add everything again: clocks drop what they know."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[HoldChange] = deque()

    def add(self, change: HoldChange) -> None:
        """The ledger holds or releases a game."""
        with self._lock:
            self._waiting.append(change)

    def first(self) -> HoldChange | None:
        """The oldest that the clocks do not have, None without any."""
        with self._lock:
            return self._waiting[0] if self._waiting else None

    def drop_first(self) -> None:
        """The clocks have the oldest. One thread takes them."""
        with self._lock:
            self._waiting.popleft()
