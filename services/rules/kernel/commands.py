"""What a player asks for in any game, imperative. A command changes nothing by itself: `decide` turns it into events, or
rejects it."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.values import EVERYBODY, Audience, Ruling, UndoPolicy


class Command(Struct, frozen=True, gc=False):
    """Base of all commands; carries nothing itself."""


class CreateGame(Command, frozen=True):
    """Set up a game; sent by the lobby, never by a player."""

    title: str
    players: tuple[str, ...]
    options: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    undo_policy: UndoPolicy = "own_turn"
    seed: int = 0
    audience: Audience = EVERYBODY


class Pass(Command, frozen=True):
    """Do nothing, or nothing more, in the step at hand."""


class AnswerOffer(Command, frozen=True):
    """Agree or not to what another player offered: to buy a train, or to merge."""

    accept: bool


class Undo(Command, frozen=True):
    """Take back everything after `to_sequence`, as far as the table's undo policy allows."""

    to_sequence: int


COMMANDS: tuple[type[Command], ...] = (Pass, AnswerOffer, Undo)
