"""The start of a game of 1862: money, the draw, the offer (section 2.4)."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PriorityMoved, RoundStarted, TurnStarted
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import CompanyAdded, CompanyClosed
from services.rules.parts.shares.shares import divide_shares
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.events import PhaseStarted
from services.rules.titles.g1862.draw import draw
from services.rules.titles.g1862.figures import figures_of, phases_of
from services.rules.titles.g1862.mergers.restarting import put_on_offer
from services.rules.titles.g1862.rulings import plays


def opening_bank(data: TitleData, players: int, rulings: Mapping[str, str]) -> int:
    """What the bank holds before the players' cash is dealt out of it (1862/2.0-a)."""
    return data.header.bank


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Draw the offer, deal the money and begin with two parliamentary rounds (2.4.1 to 2.4.4)."""
    data, players = context.data, command.players
    for player in players:
        draft.pay(BANK, player, data.header.starting_cash[len(players)], "starting_cash")
    extra = "extra_companies" in command.options or plays(draft.game, "extra_companies", "always")
    for offer in draw(data, len(players), command.seed, extra):
        draft.emit(CompanyAdded(offer.company))
        put_on_offer(draft, offer.company, offer.phase, offer.licence)
        divide_shares(draft, offer.company, cards_of(data)[offer.company].divided_into[0], BANK)
    for symbol in cards_of(data):
        if symbol not in companies_of(draft.game):
            draft.emit(CompanyAdded(symbol))
            draft.emit(CompanyClosed(symbol))
    draft.emit(PhaseStarted(next(iter(phases_of(data)))))
    draft.emit(PriorityMoved(players[0]))
    draft.emit(RoundStarted("1862.parliamentary", 1, 1, figures_of(data).opening_parliaments, players))
    draft.emit(TurnStarted(0))
