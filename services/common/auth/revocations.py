"""Which tokens count no more: what a process knows of bans, ended sessions and tokens taken back, in memory.

A token is signed and checked by each service alone, so all of them have to know. What they know is a time for each player: tokens
issued before it are refused. A ban until a time is that time; the lobby issues no tokens meanwhile. Tokens for programs have
ids, so that each can be refused by itself.
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
        self._tokens: dict[str, int] = {}
        self._listeners: list[Callable[[str], None]] = []

    @property
    def player_count(self) -> int:
        """Players of whom all tokens from before some time are refused."""
        return len(self._revoked)

    @property
    def token_count(self) -> int:
        """Tokens that are refused by their ids."""
        return len(self._tokens)

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

    def refuse_token(self, player_id: str, token_id: str, end_ms: int) -> None:
        """The token of this id, which ends then by itself, is refused."""
        if end_ms <= self._clock.now_ms():
            return
        with self._lock:
            self._forget_ended()
            self._tokens[token_id] = end_ms
        self._report(player_id)

    def is_revoked(self, player_id: str, issued_ms: int, token_id: str = "") -> bool:
        """Whether a token of this player that was issued then is refused. `token_id`: empty for one without an id."""
        known = self._revoked.get(player_id)
        return (known is not None and issued_ms < known.before_ms) or token_id in self._tokens

    def _set(self, player_id: str, before_ms: int, forget_ms: int) -> None:
        now_ms = self._clock.now_ms()
        if forget_ms <= now_ms:
            return
        with self._lock:
            self._forget_ended()
            known = self._revoked.get(player_id, Revocation(0, 0))
            self._revoked[player_id] = Revocation(before_ms, max(known.forget_ms, forget_ms))
        self._report(player_id)

    def _forget_ended(self) -> None:
        now_ms = self._clock.now_ms()
        if now_ms < self._clean_ms:
            return
        self._revoked = {
            each: revoked for each, revoked in self._revoked.items() if revoked.forget_ms > now_ms
        }
        self._tokens = {each: end_ms for each, end_ms in self._tokens.items() if end_ms > now_ms}
        self._clean_ms = now_ms + CLEAN_EVERY_MS

    def _report(self, player_id: str) -> None:
        for listener in self._listeners:
            listener(player_id)
