"""Wealth in 1824: cash and shares at market price, less debt (IX.2)."""

from __future__ import annotations

from services.rules.domain.events import Score
from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.shares import percent_of, value_of
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1824.companies import PRIVATES


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash plus shares at their price plus private companies at the price paid, less debt, in G."""
    value = game.money(player) - game.debts.get(player, 0)
    for (holder, symbol), numbers in game.holdings.items():
        if holder == player and numbers:
            if data.companies[symbol].kind in PRIVATES:
                value += game.companies[symbol].price_paid
            else:
                value += value_of(percent_of(data, symbol, numbers), price_of(game, data, symbol))
    return value


def scores(game: Game, data: TitleData) -> tuple[Score, ...]:
    """All players, the wealthiest first; equals in seat order (IX.2-c names no tie-break)."""
    values = [Score(player, player_value(game, data, player)) for player in game.players]
    return tuple(sorted(values, key=lambda score: -score.value))
