"""Bankruptcy: a price down at the end of the market, or no train and no money for one (1862/7.12)."""

from __future__ import annotations

from typing import Literal

from services.rules.kernel.draft import Draft
from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.board import token_cities
from services.rules.parts.map.events import TokenReplaced
from services.rules.parts.map.state import map_of
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.shares import holders
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.events import TrainAbandoned, WarrantiesSet
from services.rules.titles.g1862.mergers.restarting import restart
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own


def go_bankrupt(draft: Draft, context: Context, symbol: str, cause: Literal["price", "train"]) -> None:
    """Dissolve the company: players are refunded when the missing train was the cause, everything else is the bank's, and
    the company can be opened again (1862/7.12-c to 7.12-f)."""
    game, data = draft.game, context.data
    refund = price_of(game, data, symbol) // 2 if cause == "train" else 0
    for player, shares in holders(game, data, symbol).items():
        draft.pay(BANK, player, refund * shares, "1862.bankruptcy_refund", symbol)
    draft.pay(symbol, BANK, game.money(symbol), "1862.company_dissolved", symbol)
    lost = plays(game, "trains_of_bankrupt_companies", "out_of_game")
    for train in trains_of(game).owned.get(symbol, ()):
        if lost and train in own(game).warranties:
            draft.emit(WarrantiesSet(train, 0))
        draft.emit(TrainMoved(train, symbol, "", "removed"))
        draft.emit(TrainAbandoned(train, symbol))
    for hex_id, city in token_cities(map_of(game).tokens, symbol):
        slot = map_of(game).tokens[hex_id, city].index(symbol)
        draft.emit(TokenReplaced(symbol, hex_id, city, slot, "", "removed"))
    restart(draft, symbol)
