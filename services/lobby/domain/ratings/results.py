"""What ratings are computed from, and on which boards each result counts."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class RatedResult(msgspec.Struct, frozen=True):
    """A confirmed result: players with their places, 1 being first, ties sharing one. Results are ordered by (finish, table).

    Whether substituted, voided and external games count is decided before: what does not count is not in the list."""

    finished_ms: int
    table: str
    title: str
    players: tuple[str, ...]
    places: tuple[int, ...]


OVERALL = "overall"


def boards_of(result: RatedResult) -> tuple[str, ...]:
    """The names of the leaderboards on which a result counts: overall, its title, its number of players."""
    return OVERALL, f"title {result.title}", f"players {len(result.players)}"


def in_order(results: Iterable[RatedResult]) -> list[RatedResult]:
    """The results in the order in which they are rated."""
    return sorted(results, key=lambda result: (result.finished_ms, result.table))
