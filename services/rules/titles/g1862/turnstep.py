"""One step of a company's turn in an operating round: what happens of itself in it, and whether somebody has to decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.title import Context, Step


def nothing(draft: Draft, context: Context) -> None:
    """Nothing happens of itself."""


@dataclass(frozen=True, slots=True)
class TurnStep:
    """`begin` records what goes without saying when the company comes to the step; it may ask questions or end the turn.

    `is_waiting`: whether the company at turn has (still) something to decide in it; asked after `begin` and after every
    command, not once the company passed. `leave` records what goes without saying once nothing is to be decided any more."""

    step: Step
    is_waiting: Callable[[Game, Context], bool]
    begin: Callable[[Draft, Context], None] = nothing
    leave: Callable[[Draft, Context], None] = nothing
