"""From when on the tokens of a player count: what a process knows of bans and ended sessions, in memory.

A token is signed and checked by each service alone, so it cannot be taken back itself. What can be known everywhere is a time for
each player: tokens issued before it are refused. A ban until a time is that time; the lobby issues no tokens meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from services.common.clock import Clock

# Later than any token: a ban for good.
NEVER_MS = 2**62
# Of what has ended by itself: each time costs a look at all players.
CLEAN_EVERY_MS = 3_600_000


class Revocation(NamedTuple):
    """Tokens issued before `before_ms` are refused. After `forget_ms` they have ended by themselves."""

    before_ms: int
    forget_ms: int


class Revocations:
    """Safe to use from several threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._clean_ms = 0
        self._revoked: dict[str, Revocation] = {}
        self._listeners: list[Callable[[str], None]] = []

    @property
    def player_count(self) -> int:
        """Players of whom some tokens are refused."""
        return len(self._revoked)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the id of each player of whom something was revoked, in the thread that reports it."""
        self._listeners.append(listener)

    def refuse_before(self, player_id: str, before_ms: int, forget_ms: int) -> None:
        """Tokens issued before this time are refused, unless a later time is in force already."""
        known = self._revoked.get(player_id, Revocation(0, 0))
        self._set(player_id, max(known.before_ms, before_ms), forget_ms)

    def refuse_until(self, player_id: str, end_ms: int, forget_ms: int) -> None:
        """Tokens issued before this time are refused, whatever was in force."""
        self._set(player_id, end_ms, forget_ms)

    def is_revoked(self, player_id: str, issued_ms: int) -> bool:
        """Whether a token of this player that was issued then is refused."""
        known = self._revoked.get(player_id)
        return known is not None and issued_ms < known.before_ms

    def _set(self, player_id: str, before_ms: int, forget_ms: int) -> None:
        now_ms = self._clock.now_ms()
        if forget_ms <= now_ms:
            return
        with self._lock:
            if now_ms >= self._clean_ms:
                self._revoked = {
                    each: revoked for each, revoked in self._revoked.items() if revoked.forget_ms > now_ms
                }
                self._clean_ms = now_ms + CLEAN_EVERY_MS
            known = self._revoked.get(player_id, Revocation(0, 0))
            self._revoked[player_id] = Revocation(before_ms, max(known.forget_ms, forget_ms))
        for listener in self._listeners:
            listener(player_id)
