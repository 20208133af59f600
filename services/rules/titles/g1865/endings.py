"""How a game of 1865 ends and who wins: the bank is empty, the turn is played to its end, the richest wins (section 7)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import GameEndTriggered
from services.rules.kernel.game import Game
from services.rules.kernel.payments import least_in_bank
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.shares.companyturns import operating_round
from services.rules.parts.shares.shares import shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.worth import worth_of_shares
from services.rules.titles.g1865.rulings import plays

EMPTY_BANK = "bank"


def notice(draft: Draft, context: Context) -> None:
    """Record that the bank has no money left, if only for a moment of a decision (7-a); the Dragons' money is in it."""
    game = draft.game
    if not game.ending and least_in_bank(draft) <= 0:
        draft.emit(GameEndTriggered(EMPTY_BANK, *operating_round(game)))


def player_value(game: Game, data: TitleData, player: str) -> int:
    """Cash and shares at their value, less what the player borrowed; by ruling also less his part of companies' loans (7-d,
    7-e)."""
    value = game.money(player) + worth_of_shares(game, data, player) - game.debts.get(player, 0)
    if plays(game, "loans_of_companies_at_the_end", "lower_shares"):
        for company, state in companies_of(game).items():
            part = game.debts.get(company, 0) // state.shares
            value -= part * shares_held(game, data, player, company)
    return value
