"""What every title does with money: the players' cash at the start, refusing what somebody cannot pay, an empty bank."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import CashMoved
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.vocabulary import BANK


def deal_cash(draft: Draft) -> None:
    """The bank gives every player the starting cash for this number of players."""
    players = draft.game.players
    for player in players:
        draft.pay(BANK, player, draft.data.header.starting_cash[len(players)], "starting_cash")


def check_cash(game: Game, payer: str, cost: int, clause: str) -> None:
    """Reject a cost that `payer` cannot pay."""
    reject_if(cost > game.money(payer), "not_enough_cash", clause, str(cost))


def least_in_bank(draft: Draft) -> int:
    """The least that the bank had at any moment of what was drafted: also what it got back within the same decision was out."""
    cash = least = draft.game.money(BANK)
    for event in reversed(draft.events):
        if type(event) is CashMoved:
            cash += event.amount * ((event.source == BANK) - (event.target == BANK))
            least = min(least, cash)
    return least
