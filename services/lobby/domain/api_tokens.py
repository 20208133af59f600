"""Tokens for programs that a player has made."""

from __future__ import annotations

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
    """All tokens that a player has made, the oldest first."""

    made: tuple[ApiTokenMade, ...] = ()

    @property
    def version(self) -> int:
        """How many events have led to it."""
        return len(self.made)

    def lasting(self, now_ms: int) -> list[ApiTokenMade]:
        """Those that have not come to their end, the newest first; taken back or not."""
        return [each for each in reversed(self.made) if each.expire_time_ms > now_ms]

    def with_id(self, token_id: str) -> ApiTokenMade | None:
        """The token of this id, None if there is none."""
        return next((each for each in self.made if each.token_id == token_id), None)
