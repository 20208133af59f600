"""Wealth in 1862: cash and shares; what a company owns does not count (10.4)."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.shares import shares_of
from services.rules.titles.g1862.companies import has_train, share_price
from services.rules.titles.g1862.rulings import plays


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash plus shares at market price, those of a company without train at half of it under one ruling."""
    return game.money(player) + sum(
        _worth(game, data, symbol, numbers)
        for (holder, symbol), numbers in game.holdings.items()
        if holder == player and numbers
    )


def _worth(game: Game, data: TitleData, symbol: str, numbers: tuple[int, ...]) -> int:
    """What certificates count; where they count by half each certificate is rounded down."""
    price = share_price(game, data, symbol)
    values = [shares_of(data, symbol, (number,)) * price for number in numbers]
    halved = not has_train(game, symbol) and plays(game, "trainless_shares_at_game_end", "half_price")
    return sum(value // 2 for value in values) if halved else sum(values)
