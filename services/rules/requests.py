"""A request to a game, and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from services.common.eventlog.port import NewRecord
from services.gen.signalbox.events.v1.events_pb2 import GameEvent
from services.routing.domain.solution import RouteSolution
from services.rules.kernel.commands import Command
from services.rules.kernel.directing.commands import ActForSeat, Direct, RollBack
from services.rules.kernel.game import Game
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
    """A player's command, or that of a director. `player`: the account that sends it. `expected_sequence`: the last event the
    sender knew, 0 for a director to whom it does not matter; `request_id` is unique in the game."""

    game_id: str
    player: str
    request_id: str
    expected_sequence: int
    command: Command

    def content(self) -> bytes:
        """A hash of the whole content."""
        content = (self.expected_sequence, _kind_of(self.command), self.command)
        return blake2b(msgspec.msgpack.encode(content), digest_size=16).digest()

    def expects(self, sequence: int) -> bool:
        """Whether the game may be at this sequence."""
        return (self.expected_sequence or sequence) == sequence


def _kind_of(command: Command) -> str:
    """What kind of command it is, as fields alone do not show it."""
    match command:
        case Direct(direction=ActForSeat(command=moved)):
            return f"Direct ActForSeat {type(moved).__name__}"
        case Direct(direction=direction):
            return f"Direct {type(direction).__name__}"
    return type(command).__name__


class Move(NamedTuple):
    """What is to be done for a seat."""

    seat: str
    command: Command


def move_in(request: Request, game: Game) -> Move | None:
    """The move that a request asks for: of the seat that its sender plays now, or of the one for which a director acts. None
    where there is no such seat or no move."""
    command = request.command
    if isinstance(command, Direct):
        direction = command.direction
        return Move(direction.seat, direction.command) if isinstance(direction, ActForSeat) else None
    seat = game.seat_of(request.player)
    return None if seat is None else Move(seat, command)


def is_roll_back(command: Command) -> bool:
    """Whether a director takes back what was played: the one thing that goes on with a finished game."""
    return isinstance(command, Direct) and isinstance(command.direction, RollBack)


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
