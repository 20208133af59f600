"""What shares are worth to those who hold them."""

from __future__ import annotations

from collections.abc import Callable

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.shares import shares_of


def worth_of_shares(
    game: Game, data: TitleData, player: str, price: Callable[[Game, TitleData, str], int] = price_of
) -> int:
    """What a player's certificates are worth, at the prices of the market unless another `price` of a company's share is given;
    those of companies without a price, nothing."""
    held = ((symbol, numbers) for (holder, symbol), numbers in game.holdings.items() if holder == player)
    return sum(shares_of(data, symbol, numbers) * price(game, data, symbol) for symbol, numbers in held)
