"""The start of a game of 1865: money, certificates, home tokens and the draft of the sea companies (section 2)."""

from __future__ import annotations

from services.rules.kernel.chance import numbers_from, shuffled
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PriorityMoved
from services.rules.kernel.payments import deal_cash
from services.rules.kernel.title import Context
from services.rules.parts.map.board import city_slots
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.map.placing import place_next_token
from services.rules.parts.map.state import map_of
from services.rules.parts.shares.events import CompanyAdded
from services.rules.parts.shares.shares import divide_shares
from services.rules.parts.trains.depot import start_first_phase
from services.rules.titles.g1865.companies import home_of
from services.rules.titles.g1865.figures import railway_cards
from services.rules.titles.g1865.seadraft import start_draft


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Deal the money, lay the minors' shares into their offers and the home tokens on the map, draw who begins (2-a to 2-d)."""
    deal_cash(draft)
    for company, card in railway_cards(context.data).items():
        draft.emit(CompanyAdded(company))
        divide_shares(draft, company, card.divided_into[0], company)
        draft.emit(CharterTokensSet(company, card.tokens))
    start_first_phase(draft)
    for company in railway_cards(context.data):
        place_home(draft, context, company)
    draft.emit(PriorityMoved(shuffled(command.players, numbers_from(command.seed))[0]))
    start_draft(draft, context.data)


def place_home(draft: Draft, context: Context, company: str) -> None:
    """The first token of a company, in the first free slot of its home (2-c, 5.2-b)."""
    city = home_of(draft.game, context.data, company)
    slots = city_slots(context.data, map_of(draft.game).tiles, map_of(draft.game).tokens, city)
    place_next_token(draft, company, city, slots.index(""), len(slots), "home")
