"""Stands in."""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.title import Context, Step


def _nobody(game: Game, context: Context) -> tuple[str, ...]:
    return ()


def _never(game: Game, context: Context) -> bool:
    return False


SELL_TRAIN = Step("sell_train", {}, _nobody)
