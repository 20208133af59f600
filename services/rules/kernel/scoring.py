"""Who has won: all players by what they are worth."""

from __future__ import annotations

from collections.abc import Callable

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import Score


def ranked(
    game: Game, data: TitleData, player_value: Callable[[Game, TitleData, str], int]
) -> tuple[Score, ...]:
    """All players with their wealth by a title's count, the wealthiest first; equals in seat order."""
    values = [Score(player, player_value(game, data, player)) for player in game.players]
    return tuple(sorted(values, key=lambda score: -score.value))
