"""A turn that goes through steps in a fixed order, each with automatic effects and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import StepStarted
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Step


def nothing(draft: Draft, context: Context) -> None:
    """There are no automatic effects."""


@dataclass(frozen=True, slots=True)
class TurnStep:
    """`begin` records automatic effects when the company reaches the step; it may ask questions or end the turn.

    `is_waiting`: whether the company at turn has (still) something to decide in it; asked after `begin` and after every
    command, not once the company passed. `leave` records automatic effects once nothing is to be decided any more."""

    step: Step
    is_waiting: Callable[[Game, Context], bool]
    begin: Callable[[Draft, Context], None] = nothing
    leave: Callable[[Draft, Context], None] = nothing


def never_over(game: Game) -> bool:
    """Every turn goes through all its steps."""
    return False


def take_steps(
    draft: Draft,
    context: Context,
    steps: tuple[TurnStep, ...],
    is_over: Callable[[Game], bool] = never_over,
) -> bool:
    """Take the company at turn through `steps` until somebody has to decide; false when its turn is through.

    `is_over`: whether the turn ends before its last step."""
    while True:
        game = draft.game
        name = game.current_round.step
        place = _place(steps, name)
        here = None if not name or is_over(game) else steps[place]
        waiting = here is not None and game.turn.passed != name and here.is_waiting(game, context)
        if game.interrupts or waiting:
            return True
        if here is not None:
            here.leave(draft, context)
        if is_over(draft.game):
            return False
        if place + 1 == len(steps):
            return False
        following = steps[place + 1]
        draft.emit(StepStarted(following.step.name))
        following.begin(draft, context)


def _place(steps: tuple[TurnStep, ...], name: str) -> int:
    """The index of the step with this name; -1 for none, before the first one."""
    for index, each in enumerate(steps):
        if each.step.name == name:
            return index
    assert not name, f"no step is called {name}"
    return -1
