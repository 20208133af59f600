"""Stands in."""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.title import Context, Step
from services.rules.titles.g1862.turnstep import TurnStep


def _nobody(game: Game, context: Context) -> tuple[str, ...]:
    return ()


def _never(game: Game, context: Context) -> bool:
    return False


MERGE = TurnStep(Step("merge", {}, _nobody), _never)
ACQUIRE = TurnStep(Step("acquire", {}, _nobody), _never)
ANSWER_MERGER = Step("answer_merger", {}, _nobody)
CHOOSE_SURVIVOR = Step("choose_survivor", {}, _nobody)
REMOVE_TOKEN = Step("remove_token", {}, _nobody)
