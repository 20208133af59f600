"""A request to a game, and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import msgspec

from services.common.eventlog.port import NewRecord
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.routing.domain.solution import RouteSolution
from services.rules.kernel.commands import Command
from services.rules.kernel.rejections import Rejection

CREATION_REQUEST = "create"
NUL = "\0"
"""Not allowed in the ids of games and requests: some libraries end a text there."""


class StaleSequenceError(Exception):
    """The game is at sequence `actual`, the request expected another one."""

    def __init__(self, expected: int, actual: int) -> None:
        self.expected = expected
        self.actual = actual
        super().__init__(f"the game is at sequence {actual}, the request expects {expected}")


class ImportGame(Command, frozen=True):
    """Begin a game with the events that it has elsewhere; sent by the lobby, never by a player."""

    facts: tuple[NewRecord, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A player's command. `expected_sequence`: the last event the player knew; `request_id` is unique in the game."""

    game_id: str
    player: str
    request_id: str
    expected_sequence: int
    command: Command

    def content(self) -> bytes:
        """A hash of the whole content."""
        content = (self.expected_sequence, type(self.command).__name__, self.command)
        return blake2b(msgspec.msgpack.encode(content), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class CommandAccepted:
    """The events `first` to `last` of a command are in the log. `repeated`: the request was accepted earlier, and this is its
    first result. `events`: empty where the log has to be read for them."""

    first: int
    last: int
    repeated: bool = False
    events: Sequence[GameEvent] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CommandRejected:
    """A command changed nothing. `best_runs` are given when a better run was possible."""

    rejection: Rejection
    best_runs: RouteSolution | None = None


CommandResult = CommandAccepted | CommandRejected
