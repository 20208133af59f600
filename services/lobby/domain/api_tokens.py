"""Tokens for programs that a player has made."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

LABEL_LENGTH_MAX = 64
# Of one player, that have not come to their end: what has to be remembered of tokens is bounded by it.
TOKENS_MAX = 50


class ApiTokenMade(msgspec.Struct, frozen=True):
    """A player made a token for a program. Times are milliseconds since 1970 UTC."""

    token_id: str
    label: str
    scopes: tuple[str, ...]
    last_characters: str
    make_time_ms: int
    expire_time_ms: int


class ApiTokens(msgspec.Struct, frozen=True):
    """The tokens of a player, the oldest first, without some that have come to their end. `version`: how many were ever made."""

    made: tuple[ApiTokenMade, ...] = ()
    version: int = 0

    def after(self, later: Sequence[ApiTokenMade], now_ms: int) -> ApiTokens:
        """With those that were made later, and without those that have come to their end."""
        lasting = tuple(each for each in (*self.made, *later) if each.expire_time_ms > now_ms)
        return ApiTokens(lasting, self.version + len(later))

    def lasting(self, now_ms: int) -> list[ApiTokenMade]:
        """Those that have not come to their end, the newest first; taken back or not."""
        return [each for each in reversed(self.made) if each.expire_time_ms > now_ms]

    def with_id(self, token_id: str) -> ApiTokenMade | None:
        """The token of this id, None if there is none that is known here."""
        return next((each for each in self.made if each.token_id == token_id), None)
