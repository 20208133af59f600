"""What a director asks for. The lobby sends these after it has checked who directs the game; players never do."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from services.rules.kernel.commands import Command
from services.rules.kernel.values import BearerKind, DecisionKind, Score


class Direction(Struct, frozen=True):
    """Base of what a director may do. `KIND`: how the log calls it. `NEEDS_SEQUENCE`: it is decided for one position, so a
    request for it has to say which one it expects."""

    KIND: ClassVar[DecisionKind]
    NEEDS_SEQUENCE: ClassVar[bool] = True


class AssignSeat(Direction, frozen=True):
    """The account `bearer` plays `seat` from now on."""

    KIND = "assign_seat"
    NEEDS_SEQUENCE = False
    seat: str
    bearer: str
    kind: BearerKind


class Suspend(Direction, frozen=True):
    """Nobody may move for the time being."""

    KIND = "suspend"
    NEEDS_SEQUENCE = False


class Resume(Direction, frozen=True):
    """The players may move again."""

    KIND = "resume"
    NEEDS_SEQUENCE = False


class RollBack(Direction, frozen=True):
    """Take back everything after `to_sequence`, whatever the table's undo policy says."""

    KIND = "roll_back"
    to_sequence: int


class ActForSeat(Direction, frozen=True):
    """Carry out a command of the player who plays `seat`."""

    KIND = "act_for_seat"
    seat: str
    command: Command


class LeastMove(Command, frozen=True):
    """The least harmful of a seat's choices. Only directors ask for it."""


class Correct(Direction, frozen=True):
    """Move money from one holder to another. `subject`: what it is about, may be empty."""

    KIND = "correct"
    source: str
    target: str
    amount: int
    subject: str = ""


class EndGame(Direction, frozen=True):
    """End the game with these scores, one for each seat."""

    KIND = "end_game"
    scores: tuple[Score, ...]


DIRECTIONS: tuple[type[Direction], ...] = (
    AssignSeat,
    Suspend,
    Resume,
    RollBack,
    ActForSeat,
    Correct,
    EndGame,
)


class Direct(Command, frozen=True):
    """A director's command, with the reason that everybody at the table reads. `confirmed_by`: the second person, empty where
    none is needed."""

    direction: Direction
    reason: str
    confirmed_by: str = ""
