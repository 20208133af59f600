"""Doing nothing in a step of a company's turn that nobody has to use."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import Pass
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.title import Action, Context, never_refused


def perform_pass(draft: Draft, context: Context, player: str, command: Pass) -> None:
    """Leave the step at hand."""
    draft.emit(e.StepPassed(draft.game.current_round.step))


def pass_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """The one way to pass."""
    yield Choice(player, Pass())


PASS = Action(never_refused, perform_pass, pass_candidates)
