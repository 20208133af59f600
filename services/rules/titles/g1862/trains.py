"""Stands in."""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.title import Context, Step
from services.rules.titles.g1862.turnstep import TurnStep


def _nobody(game: Game, context: Context) -> tuple[str, ...]:
    return ()


def _never(game: Game, context: Context) -> bool:
    return False


BUY = TurnStep(Step("buy_trains", {}, _nobody), _never)
