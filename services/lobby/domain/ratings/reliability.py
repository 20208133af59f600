"""How reliable a player is: a figure of its own, which no strength enters."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

UNIT = 1_000_000


class Conduct(msgspec.Struct, frozen=True):
    """What a player did in one game: finished it or left it, turns with their thinking times in ms, expired turns."""

    is_finished: bool
    response_ms: tuple[int, ...] = ()
    expiries: int = 0


class Reliability(msgspec.Struct, frozen=True):
    """Finished games of all, in millionths; the median response time in ms; expired turns of all turns, in millionths."""

    games: int
    finish_rate: int
    response_ms: int
    expiry_rate: int


def reliability_of(games: Sequence[Conduct]) -> Reliability:
    """The figures over these games; without any, a player counts as reliable."""
    times = sorted(each for game in games for each in game.response_ms)
    expiries = sum(game.expiries for game in games)
    finished = sum(game.is_finished for game in games)
    return Reliability(
        games=len(games),
        finish_rate=finished * UNIT // len(games) if games else UNIT,
        response_ms=times[(len(times) - 1) // 2] if times else 0,
        expiry_rate=expiries * UNIT // len(times) if times else 0,
    )
