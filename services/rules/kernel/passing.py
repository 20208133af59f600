"""Passing in an optional step of a company's turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import StepPassed
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, never_refused


def perform_pass(draft: Draft, context: Context, player: str, command: Pass) -> None:
    """Leave the step at hand."""
    draft.emit(StepPassed(draft.game.current_round.step))


def pass_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """The one way to pass."""
    yield Choice(player, Pass())


PASS = Action(never_refused, perform_pass, pass_candidates)


def pass_unless(must_act: Callable[[Game, Context], bool], clause: str) -> Action:
    """Passing, refused to a company that has to do something in the step first."""

    def check(game: Game, context: Context, player: str, command: Pass) -> None:
        reject_if(must_act(game, context), "may_not_pass", clause, game.actor)

    return replace(PASS, check=check)
