"""How a game of 1865 ends and who wins: the bank is empty, the turn is played to its end, the richest wins (section 7)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import CashMoved, GameEndTriggered
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.companyturns import operating_round
from services.rules.parts.shares.shares import shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.worth import worth_of_shares
from services.rules.titles.g1865.rulings import plays

EMPTY_BANK = "bank"


def notice(draft: Draft, context: Context) -> None:
    """Record that the bank has no money left, if only for a moment of what was drafted (7-a); the Dragons' money is in it."""
    game = draft.game
    if game.finished or game.ending or (game.money(BANK) > 0 and not _was_empty(draft)):
        return
    draft.emit(GameEndTriggered(EMPTY_BANK, *operating_round(game)))


def _was_empty(draft: Draft) -> bool:
    cash = draft.game.money(BANK)
    for event in reversed(draft.events):
        if isinstance(event, CashMoved):
            cash += event.amount * ((event.source == BANK) - (event.target == BANK))
            if cash <= 0:
                return True
    return False


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash and shares at their value, less what the player borrowed; by ruling also less his part of companies' loans (7-d,
    7-e)."""
    value = game.money(player) + worth_of_shares(game, data, player) - game.debts.get(player, 0)
    if plays(game, "loans_of_companies_at_the_end", "lower_shares"):
        for company, state in companies_of(game).items():
            part = game.debts.get(company, 0) // state.shares
            value -= part * shares_held(game, data, player, company)
    return value
