"""What can be held up between the services of a cluster, as operators see it and settle it. Names equal those on the wire
(`blocked.proto`). Times are milliseconds since 1970 UTC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from services.common.errors import SignalboxError

NO_GAME = "(none)"
"""How records without a readable game are shown."""


class NothingHeldUp(SignalboxError):
    """There is no such blocked game or waiting command; the message says why."""


class DeadRecord(msgspec.Struct, frozen=True):
    """A record that could not be processed, or that came after one. `byte_count`: as far as it is kept."""

    topic: str
    partition: int
    offset: int
    reason: str
    recorded_time_ms: int
    byte_count: int


class BlockedGame(msgspec.Struct, frozen=True):
    """A game that a reader of the log holds back. `game_id`: empty for records without a readable game; `reason`: of its
    first record; `records`: the first ones where they were asked for."""

    reader: str
    game_id: str
    reason: str
    record_count: int
    since_time_ms: int
    is_release_asked: bool
    records: tuple[DeadRecord, ...] = ()


class WaitingCommand(msgspec.Struct, frozen=True):
    """A command that the owner of its game has not finished; `waiting_count` counts those behind it too.

    `attempts_alone`: owners that died over it, each after it had begun it alone; `owner`: the last that noted it, empty if none
    did; `has_hung`: whether that one came to no end."""

    partition: int
    offset: int
    waiting_count: int
    game_id: str
    player_id: str
    kind: str
    sent_time_ms: int
    attempts_alone: int
    owner: str
    has_hung: bool


Record = Callable[[str], None]
"""Records an act about the game of this id before it is done; nothing is done if that raises."""


class Queues(Protocol):
    """What is held up now. All methods but `are_there` raise `Unavailable`."""

    @property
    def are_there(self) -> bool:
        """Whether anything can be held up on this host: not where all services are one process."""
        ...

    def blocked(self) -> list[BlockedGame]:
        """The games with dead letters, by reader."""
        ...

    def blocked_game(self, reader: str, game_id: str, most: int) -> BlockedGame:
        """One of them with its first records, up to `most`. Raises `NothingHeldUp`."""
        ...

    def release(self, reader: str, game_id: str, record: Record, seconds: float) -> bool:
        """Have the reader process the dead letters again; whether it has done so in time. Raises `NothingHeldUp`."""
        ...

    def waiting(self) -> list[WaitingCommand]:
        """The next command of each partition where one waits."""
        ...

    def skip(
        self, partition: int, offset: int, operator: str, reason: str, record: Record, seconds: float
    ) -> bool:
        """Have the owner pass over a command; whether it has done so in time. Raises `NothingHeldUp`."""
        ...
