"""Everything that a log holds about one game, as input of its check in any process."""

from __future__ import annotations

import msgspec


class StoredFact(msgspec.Struct, frozen=True, array_like=True):
    """A stored event."""

    type: str
    schema_version: int
    payload: bytes
    recorded_time_ms: int


class StoredRequest(msgspec.Struct, frozen=True, array_like=True):
    """A stored request with its outcome. `first`, `last`: the sequences of its commit, 0 where unknown."""

    request_id: str
    player: str
    outcome: bytes
    first: int = 0
    last: int = 0


class StoredSnapshot(msgspec.Struct, frozen=True, array_like=True):
    """A stored snapshot of a game's state."""

    sequence: int
    schema: int
    payload: bytes


class StoredBook(msgspec.Struct, frozen=True, array_like=True):
    """A stored book: its last sequence, version and encoded batches of entries."""

    sequence: int
    schema_version: int
    batches: tuple[bytes, ...]


class StoredHold(msgspec.Struct, frozen=True, array_like=True):
    """Why a game is held."""

    reason: str
    detail: str
    sequence: int


class GameCase(msgspec.Struct, frozen=True, kw_only=True):
    """One game. `status` is the newest `log.v1.GameStatus`, encoded."""

    game_id: str
    facts: list[StoredFact]
    requests: list[StoredRequest]
    snapshots: list[StoredSnapshot] = []
    status: bytes | None = None
    has_statuses: bool = False
    """Whether the log stores statuses, so that one is required."""
    advanced: bool = False
    """Whether it got events while the log was read, so that its other records may be behind them."""
    book: StoredBook | None = None
    summary: bytes | None = None
    """What lists show of the game, `lobby.v1.GameSummary`."""
    hold: StoredHold | None = None
