"""Doing nothing in a step of a company's turn that nobody has to use."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import Pass
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.title import Action, Context
from services.rules.titles.g1862.companies import decider


def decides(game: Game, context: Context) -> tuple[str, ...]:
    """The player who decides for the company at turn (1862/7.1-d)."""
    return (decider(game, context.data, game.actor),)


def _check(game: Game, context: Context, player: str, command: Pass) -> None:
    """Such a step may always be passed."""


def _perform(draft: Draft, context: Context, player: str, command: Pass) -> None:
    draft.emit(e.StepPassed(draft.game.current_round.step))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, Pass())


PASS = Action(_check, _perform, _candidates)
