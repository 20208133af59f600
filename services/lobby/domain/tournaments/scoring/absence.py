"""Who did not show up may not enter events for some time."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

HOUR_MS = 3_600_000
FIRST_BAN_MS = 24 * HOUR_MS
LONGEST_BAN_MS = 30 * 24 * HOUR_MS


class NoShow(msgspec.Struct, frozen=True, tag="no_show"):
    """A player was missing at a table."""

    at_ms: int


class GameFinished(msgspec.Struct, frozen=True, tag="game_finished"):
    """A player finished a game."""

    at_ms: int


def banned_until_ms(history: Iterable[NoShow | GameFinished]) -> int:
    """Until when a player may not enter, in ms since 1970 UTC; 0 without a ban. The history is in order of time.

    24 hours, doubled with each further absence up to 30 days; one finished game clears all."""
    until, length = 0, 0
    for each in history:
        match each:
            case NoShow(at_ms):
                length = min(LONGEST_BAN_MS, max(FIRST_BAN_MS, 2 * length))
                until = at_ms + length
            case GameFinished():
                until, length = 0, 0
    return until
