"""The start of a game: money, shares, goods drawn by the seed, and the opening auctions (setup-a to -i)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.chance import numbers_from, shuffled
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PriorityMoved
from services.rules.kernel.payments import deal_cash
from services.rules.kernel.title import Context
from services.rules.parts.market.events import PriceStarted
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import CompanyAdded, SharesDivided
from services.rules.parts.shares.shares import move_certificates
from services.rules.titles.rotw.auctions import OPENING, start_round
from services.rules.titles.rotw.board import GOODS, board_of
from services.rules.titles.rotw.events import GoodsPlaced
from services.rules.titles.rotw.figures import figures_of, railroad, start_column
from services.rules.titles.rotw.financing import AVAILABLE


def set_up(draft: Draft, context: Context, command: CreateGame) -> None:
    """Everything that happens before the first auction."""
    numbers = numbers_from(command.seed)
    deal_cash(draft)
    for company in cards_of(context.data):
        _prepare_company(draft, company)
    # The marker that is placed last on a value goes first there: that of the company listed first (company-c).
    for company in reversed(cards_of(context.data)):
        value = railroad(context.data, company).start_value
        draft.emit(PriceStarted(company, value, 0, start_column(context.data, company)))
    _place_goods(draft, numbers)
    draft.emit(PriorityMoved(shuffled(command.players, numbers)[0]))
    start_round(draft, OPENING, 1)


def _prepare_company(draft: Draft, company: str) -> None:
    """Some shares can be auctioned, the others are the company's reserve (setup-f)."""
    card = railroad(draft.data, company)
    (count,) = card.divided_into
    shares = range(count)
    available = figures_of(draft.data).shares_available
    draft.emit(CompanyAdded(company))
    draft.emit(SharesDivided(company, count))
    move_certificates(draft, company, tuple(shares[:available]), "", AVAILABLE, "issued")
    move_certificates(draft, company, tuple(shares[available:]), "", company, "issued")


def _place_goods(draft: Draft, numbers: Iterator[int]) -> None:
    """Each city gets as many cubes as printed, drawn from a bag with so many of each colour (setup-h)."""
    figures = figures_of(draft.data)
    bag = shuffled([good for good in GOODS for _ in range(figures.cubes_of_each_colour)], numbers)
    fewer = figures.cubes_fewer[len(draft.game.players)]
    for city in board_of(draft.data).cities.values():
        count = max(figures.cubes_least, city.cubes - fewer)
        draft.emit(GoodsPlaced(city.name, tuple(bag[:count])))
        bag = bag[count:]
