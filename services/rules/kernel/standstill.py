"""Detects a game that can never change again: a whole game turn had no decision and changed nothing."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData


def stands_still(before: Game, now: Game, data: TitleData) -> bool:
    """Whether everything that a decision can depend on is equal: if so after a whole game turn, it stays so for ever."""
    return _position(before, data) == _position(now, data)


def _position(game: Game, data: TitleData) -> object:
    parts = {name: state.position(data) for name, state in game.parts.items()}
    return game.cash, game.holdings, game.priority, game.ending, parts
