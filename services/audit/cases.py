"""Everything a log says about one game, gathered for its check; small enough to be handed to another process."""

from __future__ import annotations

import msgspec


class KeptFact(msgspec.Struct, frozen=True, array_like=True):
    """One event as it is stored."""

    type: str
    schema_version: int
    payload: bytes
    recorded_time_ms: int


class KeptRequest(msgspec.Struct, frozen=True, array_like=True):
    """One request with its outcome as it is stored. `first` and `last` are where its commit stands, 0 where unknown."""

    request_id: str
    player: str
    outcome: bytes
    first: int = 0
    last: int = 0


class KeptSnapshot(msgspec.Struct, frozen=True, array_like=True):
    """A state as it is stored."""

    sequence: int
    schema: int
    payload: bytes


class KeptBook(msgspec.Struct, frozen=True, array_like=True):
    """What is stored of a game's book: its last sequence, version and encoded batches of entries."""

    sequence: int
    schema_version: int
    batches: tuple[bytes, ...]


class KeptHold(msgspec.Struct, frozen=True, array_like=True):
    """Why a game is held."""

    reason: str
    detail: str
    sequence: int


class GameCase(msgspec.Struct, frozen=True, kw_only=True):
    """One game. `standing` is the newest `log.v1.Standing`, encoded."""

    game_id: str
    facts: list[KeptFact]
    requests: list[KeptRequest]
    snapshots: list[KeptSnapshot] = []
    standing: bytes | None = None
    has_standings: bool = False
    """Whether the log keeps standings at all, so that one must be there."""
    moved: bool = False
    """Whether it went on while the log was read, so that what is said of it may be behind its events."""
    book: KeptBook | None = None
    card: bytes | None = None
    """What lists show of the game, `lobby.v1.GameCard`."""
    hold: KeptHold | None = None
