"""How a game of 1862 ends: the top of the market, an empty bank, or the London & North Eastern Railway (section 10)."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.shares import PLAIN_PERCENT, percent_held
from services.rules.domain.title import Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.companies import in_game, is_started
from services.rules.titles.g1862.rulings import plays

MONOPOLY = "LNER"
TOP_PRICE, EMPTY_BANK, LAST_COMPANY = "stock_market", "bank", "lner"


def notice(draft: Draft, context: Context) -> None:
    """Record what brings the end: the top price before all, then the bank, which the LNER forestalls, then the LNER."""
    game = draft.game
    if game.finished or game.ending == TOP_PRICE:
        return
    if _is_top_price_reached(draft, context.data):
        draft.emit(e.GameEndTriggered(TOP_PRICE))
    elif game.ending != EMPTY_BANK and not game.monopoly and _is_bank_empty(draft):
        draft.emit(e.GameEndTriggered(EMPTY_BANK))
    elif not game.ending and _last_letter(game) in game.depot_sold:
        draft.emit(e.GameEndTriggered(LAST_COMPANY))


def _is_top_price_reached(draft: Draft, data: TitleData) -> bool:
    """Whether a marker stands on the top price, or under one ruling has just moved there otherwise than in a merger."""
    top = data.market.zones["game_end"]
    if plays(draft.game, "top_price_in_a_merger", "ends_the_game"):
        return any(cell in draft.game.cells for cell in top)
    moves = (event for event in draft.events if isinstance(event, e.PriceMoved))
    return any((move.row, move.column) in top and move.reason != "merged" for move in moves)


def _is_bank_empty(draft: Draft) -> bool:
    """Whether the bank ran out, if only for a moment of what was drafted (1862/10.2-a)."""
    lowest = 0 if plays(draft.game, "bank_broken", "empty") else -1
    cash = least = draft.game.money(e.BANK)
    for event in reversed(draft.events):
        if isinstance(event, e.CashMoved):
            cash += event.amount * ((event.source == e.BANK) - (event.target == e.BANK))
            least = min(least, cash)
    return least <= lowest


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
    return current.number >= current.count and (game.ending == EMPTY_BANK or bool(game.monopoly))


def form_monopoly(draft: Draft, context: Context) -> None:
    """The LNER forms: nothing can be opened any more, the initial offer goes to the pool, the limit changes (10.3, 6.5.2-e)."""
    game, data = draft.game, context.data
    most = max(_shares_of(game, data, player) for player in game.players)
    draft.emit(e.MonopolyFormed(MONOPOLY, most))
    for symbol in list(game.companies):
        unsold = draft.game.held(e.BANK, symbol)
        if is_started(game, symbol):
            draft.move_certificates(symbol, unsold, e.BANK, e.POOL, "merged")
        elif in_game(game, symbol):
            draft.move_certificates(symbol, unsold, e.BANK, "", "removed")
            draft.emit(e.CompanyClosed(symbol))


def _shares_of(game: Game, data: TitleData, player: str) -> int:
    """Shares, not certificates, of a player."""
    return sum(percent_held(game, data, player, symbol) // PLAIN_PERCENT for symbol in game.companies)
