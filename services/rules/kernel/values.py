"""Values in the events and the state of every game."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

UndoPolicy = Literal["free", "own_turn", "none"]


class Ruling(Struct, frozen=True):
    """One named ruling and the value a table chose for it."""

    name: str
    value: str


class Score(Struct, frozen=True):
    """A player's final wealth."""

    player: str
    value: int


def kind_name(piece: str) -> str:
    """The kind of a piece of which there are several, such as a train: its id is `kind-copy`."""
    return piece.rsplit("-", 1)[0]
