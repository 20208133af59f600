"""Wealth in 1824: cash and shares at market price; debt and private companies by ruling (IX.2)."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.shares import shares_of
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1824.companies import PRIVATES
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.rulings import plays


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash plus shares at their price, less debt, in G; private companies count what was paid, or nothing."""
    value = game.money(player)
    if plays(game, "debt_at_game_end", "subtracted"):
        value -= game.debts.get(player, 0)
    counts_privates = plays(game, "private_companies_at_game_end", "price_paid")
    for (holder, symbol), numbers in game.holdings.items():
        if holder == player and numbers:
            if cards_of(data)[symbol].kind in PRIVATES:
                value += companies_of(game)[symbol].price_paid if counts_privates else 0
            else:
                value += shares_of(data, symbol, numbers) * price_of(game, data, symbol)
    return value
