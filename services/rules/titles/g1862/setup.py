"""The start of a game of 1862: money, the draw, the offer (section 2.4)."""

from __future__ import annotations

from services.rules.kernel.commands import CreateGame
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PriorityMoved, RoundStarted, TurnStarted
from services.rules.kernel.payments import deal_cash
from services.rules.kernel.title import Context
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import CompanyAdded, CompanyClosed
from services.rules.parts.shares.shares import divide_shares
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.depot import start_first_phase
from services.rules.titles.g1862.draw import draw
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.mergers.restarting import put_on_offer
from services.rules.titles.g1862.rulings import plays


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Draw the offer, deal the money and begin with two parliamentary rounds (2.4.1 to 2.4.4)."""
    data, players = context.data, command.players
    deal_cash(draft)
    extra = "extra_companies" in command.options or plays(draft.game, "extra_companies", "always")
    for offer in draw(data, len(players), command.seed, extra):
        draft.emit(CompanyAdded(offer.company))
        put_on_offer(draft, offer.company, offer.phase, offer.licence)
        (shares,) = cards_of(data)[offer.company].divided_into
        divide_shares(draft, offer.company, shares, BANK)
    for symbol in cards_of(data):
        if symbol not in companies_of(draft.game):
            draft.emit(CompanyAdded(symbol))
            draft.emit(CompanyClosed(symbol))
    start_first_phase(draft)
    draft.emit(PriorityMoved(players[0]))
    draft.emit(RoundStarted("1862.parliamentary", 1, 1, figures_of(data).opening_parliaments, players))
    draft.emit(TurnStarted(0))
