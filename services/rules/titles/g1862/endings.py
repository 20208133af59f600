"""How a game of 1862 ends: the top of the market, an empty bank, or the London & North Eastern Railway (section 10)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEndTriggered
from services.rules.kernel.game import Game
from services.rules.kernel.payments import least_in_bank
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceMoved
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.companyturns import operating_round
from services.rules.parts.shares.events import CompanyClosed
from services.rules.parts.shares.shares import move_certificates, shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.companies import in_game, is_started
from services.rules.titles.g1862.events import MonopolyFormed
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own

MONOPOLY = "LNER"
TOP_PRICE, EMPTY_BANK, LAST_COMPANY = "1862.stock_market", "bank", "1862.lner"


def notice(draft: Draft, context: Context) -> None:
    """Record what brings the end: the top price before all, then the bank, which the LNER forestalls, then the LNER."""
    game = draft.game
    if game.finished or game.ending == TOP_PRICE:
        return
    if _is_top_price_reached(draft, context.data):
        draft.emit(GameEndTriggered(TOP_PRICE, *operating_round(game)))
    elif game.ending != EMPTY_BANK and not own(game).monopoly and _is_bank_empty(draft):
        draft.emit(GameEndTriggered(EMPTY_BANK, *operating_round(game)))
    elif not game.ending and _last_letter(game) in trains_of(game).depot_sold:
        draft.emit(GameEndTriggered(LAST_COMPANY, *operating_round(game)))


def _is_top_price_reached(draft: Draft, data: TitleData) -> bool:
    """Whether a marker stands on the top price, or under one ruling has just moved there otherwise than in a merger."""
    if plays(draft.game, "top_price_in_a_merger", "ends_the_game"):
        return any(cell in market_of(draft.game).cells for cell in chart_of(data).zones["game_end"])
    moves = [event for event in draft.events if type(event) is PriceMoved and event.reason != "1862.merged"]
    return any((move.row, move.column) in chart_of(data).zones["game_end"] for move in moves)


def _is_bank_empty(draft: Draft) -> bool:
    """Whether the bank ran out, if only for a moment of what was drafted (1862/10.2-a)."""
    return least_in_bank(draft) <= (0 if plays(draft.game, "bank_broken", "empty") else -1)


def _last_letter(game: Game) -> str:
    """The letter whose first train brings the LNER (1862/10.3-a, 11.2-b)."""
    if "shorter_game" not in game.options:
        return "H"
    return game.rulings["monopoly_letter_in_shorter_game"]


def ends_now(game: Game) -> bool:
    """Whether the game is over with the operating round that just ended (1862/10.1-a, 10.2-a, 10.3-j)."""
    current = game.current_round
    if game.ending == TOP_PRICE:
        return True
    return current.number >= current.count and (game.ending == EMPTY_BANK or bool(own(game).monopoly))


def form_monopoly(draft: Draft, context: Context) -> None:
    """The LNER forms: nothing can be opened any more, the initial offer goes to the pool, the limit changes (10.3, 6.5.2-e)."""
    game, data = draft.game, context.data
    most = max(_shares_of(game, data, player) for player in game.players)
    draft.emit(MonopolyFormed(MONOPOLY, most))
    for symbol in list(companies_of(game)):
        unsold = draft.game.held(BANK, symbol)
        if is_started(game, symbol):
            move_certificates(draft, symbol, unsold, BANK, POOL, "1862.merged")
        elif in_game(game, symbol):
            move_certificates(draft, symbol, unsold, BANK, "", "removed")
            draft.emit(CompanyClosed(symbol))


def _shares_of(game: Game, data: TitleData, player: str) -> int:
    """Shares, not certificates, of a player."""
    return sum(shares_held(game, data, player, symbol) for symbol in companies_of(game))
