"""A turn that goes through steps in a fixed order, each with automatic effects and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import StepStarted
from services.rules.kernel.game import Game
from services.rules.kernel.passing import PASS
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.turns import has_choice


def nothing(draft: Draft, context: Context) -> None:
    """There are no automatic effects."""


@dataclass(frozen=True, slots=True, eq=False)
class TurnStep:
    """`begin` records automatic effects when the company reaches the step; it may ask questions or end the turn.

    `is_waiting`: whether the company at turn has (still) something to decide in it; asked after `begin` and after every
    command, not once the company passed. `leave` records automatic effects once nothing is to be decided any more."""

    step: Step
    is_waiting: Callable[[Game, Context], bool]
    begin: Callable[[Draft, Context], None] = nothing
    leave: Callable[[Draft, Context], None] = nothing

    @property
    def is_automatic(self) -> bool:
        """Whether the step may bring something by itself."""
        return self.begin is not nothing or self.leave is not nothing


def never_in_vain(game: Game, context: Context) -> bool:
    """Nobody is asked who can only pass."""
    return False


def optional_step(
    name: str,
    actions: Mapping[type[Command], Action],
    players: Callable[[Game, Context], tuple[str, ...]],
    is_waiting: Callable[[Game, Context], bool] | None = None,
    begin: Callable[[Draft, Context], None] = nothing,
    leave: Callable[[Draft, Context], None] = nothing,
    passing: Action = PASS,
    asked_in_vain: Callable[[Game, Context], bool] = never_in_vain,
) -> TurnStep:
    """A step that may be passed; without `is_waiting` it is left out when none of `actions` is possible, or when nobody decides:
    the first of `players` is empty. `asked_in_vain`: whether he who decides is asked though he can only pass, by a ruling."""
    step = Step(name, {**actions, Pass: passing}, players)

    def is_possible(game: Game, context: Context) -> bool:
        player = players(game, context)[0]
        return bool(player) and (asked_in_vain(game, context) or has_choice(step, game, context, player))

    return TurnStep(step, is_waiting or is_possible, begin, leave)


def never_over(game: Game) -> bool:
    """Every turn goes through all its steps."""
    return False


def all_steps(game: Game, step: TurnStep) -> bool:
    """No step is left out."""
    return False


def take_steps(
    draft: Draft,
    context: Context,
    steps: tuple[TurnStep, ...],
    is_over: Callable[[Game], bool] = never_over,
    leaves_out: Callable[[Game, TurnStep], bool] = all_steps,
) -> bool:
    """Take the company at turn through `steps` until somebody has to decide; false when its turn is through.

    A step without automatic effects in which nothing is to be decided leaves no trace. `is_over`: whether the turn ends
    before its last step. `leaves_out`: whether a step has no place in the turn at hand."""
    name, place = draft.game.current_round.step, 0
    if name:
        while steps[place].step.name != name:
            place += 1
        if _holds(draft, context, steps[place], is_over):
            return True
        place += 1
    if is_over(draft.game):
        return False
    for each in steps[place:]:
        if leaves_out(draft.game, each):
            continue
        if each.is_automatic:
            draft.emit(StepStarted(each.step.name))
            each.begin(draft, context)
            if _holds(draft, context, each, is_over):
                return True
            if is_over(draft.game):
                return False
        elif each.is_waiting(draft.game, context):
            draft.emit(StepStarted(each.step.name))
            return True
    return False


def _holds(draft: Draft, context: Context, here: TurnStep, is_over: Callable[[Game], bool]) -> bool:
    """Whether the turn stays in this step for a decision; if not, the step has been left."""
    game = draft.game
    over = is_over(game)
    if game.interrupts:
        return True
    if not over and game.turn.passed != here.step.name and here.is_waiting(game, context):
        return True
    if not over:
        here.leave(draft, context)
    return False
