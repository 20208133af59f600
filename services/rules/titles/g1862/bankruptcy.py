"""Bankruptcy: a price down at the end of the market, or no train and no money for one (1862/7.12)."""

from __future__ import annotations

from typing import Literal

from services.rules.domain import events as e
from services.rules.domain.board import token_cities
from services.rules.domain.draft import Draft
from services.rules.domain.market import price_of
from services.rules.domain.shares import PLAIN_PERCENT, holders
from services.rules.domain.title import Context
from services.rules.titles.g1862.restarting import restart
from services.rules.titles.g1862.rulings import plays


def go_bankrupt(draft: Draft, context: Context, symbol: str, cause: Literal["price", "train"]) -> None:
    """Dissolve the company: players are refunded when the missing train was the cause, everything else is the bank's, and
    the company can be opened again (1862/7.12-c to 7.12-f)."""
    game, data = draft.game, context.data
    refund = price_of(game, data, symbol) // 2 if cause == "train" else 0
    for player, percent in holders(game, data, symbol).items():
        draft.pay(e.BANK, player, refund * percent // PLAIN_PERCENT, "bankruptcy_refund", symbol)
    draft.pay(symbol, e.BANK, game.money(symbol), "company_dissolved", symbol)
    lost = plays(game, "trains_of_bankrupt_companies", "out_of_game")
    for train in game.trains.get(symbol, ()):
        if lost and train in game.warranties:
            draft.emit(e.WarrantiesSet(train, 0))
        draft.emit(e.TrainMoved(train, symbol, "", "removed"))
    for hex_id, city in token_cities(game.tokens, symbol):
        slot = game.tokens[hex_id, city].index(symbol)
        draft.emit(e.TokenReplaced(symbol, hex_id, city, slot, "", "removed"))
    restart(draft, symbol)
