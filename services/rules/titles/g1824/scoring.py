"""Wealth in 1824: cash and shares at market price; debt and private companies by ruling (IX.2)."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.worth import worth_of_shares
from services.rules.titles.g1824.companies import PRIVATES, of_kind
from services.rules.titles.g1824.rulings import plays


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash plus shares at their price, less debt, in G; private companies count what was paid, or nothing."""
    value = game.money(player)
    if plays(game, "debt_at_game_end", "subtracted"):
        value -= game.debts.get(player, 0)
    value += worth_of_shares(game, data, player)
    if plays(game, "private_companies_at_game_end", "price_paid"):
        privates = of_kind(data, *PRIVATES)
        value += sum(
            companies_of(game)[symbol].price_paid for symbol in privates if game.held(player, symbol)
        )
    return value
