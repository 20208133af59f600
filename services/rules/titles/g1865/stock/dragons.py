"""The Dragons of 1865: they sell what is in the red zone and buy one certificate in the green one, by themselves (4.3)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import operating_order, price_of, shift
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import is_more_than, move_certificates, plain_held, shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1865.companies import is_launched, rank_of, zone_at, zone_of
from services.rules.titles.g1865.dragontable import table_of
from services.rules.titles.g1865.events import (
    DragonCandidate,
    DragonsActed,
    DragonsChose,
    DragonsPassed,
    PassesForgotten,
)
from services.rules.titles.g1865.figures import figures_of, present_phase
from services.rules.titles.g1865.rulings import plays

DRAGONS = "1865.dragons"


def take_turn(draft: Draft, data: TitleData) -> None:
    """The Dragons sell, then buy one certificate or pass (4.3-a, 4.3-j)."""
    sold = _sell(draft, data)
    bought = _buy(draft, data)
    if sold or bought:
        draft.emit(DragonsActed(sold, bought))
        if plays(draft.game, "end_of_stock_round", "all_and_dragons_pass"):
            draft.emit(PassesForgotten())
    else:
        draft.emit(DragonsPassed())
    draft.emit(ActionTaken(DRAGONS))


def has_acted(game: Game) -> bool:
    """Whether the Dragons had their turn before that of the player at hand (4.2-c)."""
    return DRAGONS in game.turn.actions


def _sell(draft: Draft, data: TitleData) -> int:
    """Sell what is in the red zone, the dearest company first, as far as the pool takes it; each share lowers the value by a
    space (4.3-b, 4.3-c, 4.4-d). Returns how many shares were sold."""
    holder, total = table_of(data).holder, 0
    held = [company for company in market_of(draft.game).markers if draft.game.held(holder, company)]
    for company in operating_order(draft.game, data, held):
        numbers = draft.game.held(holder, company)[: sales_possible(draft.game, data, company)]
        if numbers:
            move_certificates(draft, company, numbers, holder, POOL, "sold")
            shift(draft, data, company, chart_of(data).moves.sale, "sale", len(numbers))
            total += len(numbers)
    return total


def sales_possible(game: Game, data: TitleData, company: str) -> int:
    """How many shares of the company the Dragons sell now if they have them: none outside the red zone, none of one that has
    not operated, and no more than the pool takes (4.3-b, 4.3-c, 4.3-m)."""
    if zone_of(game, data, company) != "red" or not companies_of(game)[company].operated:
        return 0
    return room_in_pool(game, data, company)


def room_in_pool(game: Game, data: TitleData, company: str) -> int:
    """How many more shares of the company the bank pool takes (4.4-h)."""
    in_pool, most = shares_held(game, data, POOL, company), figures_of(data).pool_percent_most
    room = 0
    while not is_more_than(game, company, in_pool + room + 1, most):
        room += 1
    return room


def _buy(draft: Draft, data: TitleData) -> int:
    """Buy the best candidate; its company is paid for what comes from its offer, the bank keeps the rest (4.3-n)."""
    candidates = tuple(candidates_of(draft.game, data))
    if not candidates:
        return 0
    best = min(candidates, key=order_of_choice)
    company, source = best.company, best.source
    draft.emit(DragonsChose(company, source, candidates))
    if source == company:
        draft.pay(BANK, company, best.price, "certificate_bought", company)
    number = plain_held(draft.game, company, source)[0]
    move_certificates(draft, company, (number,), source, table_of(data).holder, "bought")
    return 1


def order_of_choice(candidate: DragonCandidate) -> tuple[int, int, int, int]:
    """Fewest certificates held, highest rank, lowest price, topmost marker (4.3-e to 4.3-h)."""
    return candidate.held, -candidate.rank, candidate.price, candidate.place


def candidates_of(game: Game, data: TitleData) -> Iterator[DragonCandidate]:
    """What the Dragons could buy: a plain certificate of a company in the green zone of which they have not too much, from its
    offer before the pool; nothing once they have as many as the phase allows (4.3-d, 4.3-i, 4.3-k, 4.3-l)."""
    holder, most = table_of(data).holder, figures_of(data).dragon_percent_most
    held = {company: len(game.held(holder, company)) for company in cards_of(data)}
    if sum(held.values()) >= present_phase(game, data).dragon_certificates:
        return
    for company in cards_of(data):
        sources = [source for source in (company, POOL) if plain_held(game, company, source)]
        if not sources or not is_launched(game, company):
            continue
        if is_more_than(game, company, shares_held(game, data, holder, company) + 1, most):
            continue
        rank = rank_of(game, data, company)
        if zone_at(game, data, company, rank) == "green":
            pile = market_of(game).cells[market_of(game).markers[company]]
            price, place = price_of(game, data, company), pile.index(company)
            yield DragonCandidate(company, sources[0], held[company], rank, price, place)
