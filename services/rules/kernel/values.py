"""Values in the events and the state of every game."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct

UndoPolicy = Literal["free", "own_turn", "none"]
BearerKind = Literal["player", "substitute", "bot", "director"]
DecisionKind = Literal["assign_seat", "suspend", "resume", "roll_back", "act_for_seat", "correct", "end_game"]


class Ruling(Struct, frozen=True):
    """One named ruling and the value a table chose for it."""

    name: str
    value: str


class Score(Struct, frozen=True):
    """A player's final wealth."""

    player: str
    value: int


class Bearer(Struct, frozen=True):
    """The account that plays a seat, and as what."""

    account: str
    kind: BearerKind


class Audience(Struct, frozen=True):
    """Who may see a game. The accounts that play its seats and the `readers` see all of it; of an invited game nobody else
    sees anything, of a delayed one all others see what is older than the last `delay_moves` commands and `delay_seconds`."""

    is_invited: bool = False
    readers: tuple[str, ...] = ()
    delay_moves: int = 0
    delay_seconds: int = 0

    @property
    def is_delayed(self) -> bool:
        """Whether some see the game later than others."""
        return self.delay_moves > 0 or self.delay_seconds > 0


EVERYBODY = Audience()


class Decision(Struct, frozen=True):
    """What a director decided and why; `confirmed_by`: the second person, where one was needed."""

    kind: DecisionKind
    seat: str
    author: str
    reason: str
    confirmed_by: str


@lru_cache(maxsize=1 << 12)
def kind_name(piece: str) -> str:
    """The kind of a piece of which there are several, such as a train: its id is `kind-copy`."""
    return piece.rsplit("-", 1)[0]


def copy_number(piece: str) -> int:
    """The number of a piece among those of its kind, counted from 0."""
    return int(piece.rsplit("-", 1)[1])
