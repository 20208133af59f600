"""Who is who in 1824: kinds of companies, owners, who opens when, and what counts toward the limits."""

from __future__ import annotations

from functools import lru_cache

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import clockwise_from
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.shares import DIRECTOR, holders, plain_held, settle_director, shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.trading import is_enough_to_open, open_with_capital
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.holderlist import Trade, goes_by_list, settle_by_list
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import bond_of, reserved_of

MOUNTAIN, COAL, PRE_STATE, REGIONAL, NATIONAL = "mountain", "coal", "pre_state", "regional", "national"
MAJORS = (REGIONAL, NATIONAL)
MINORS = (COAL, PRE_STATE)
PRIVATES = (MOUNTAIN, COAL, PRE_STATE)
BLOCKER = "B"
NEVER_SOLD = {MOUNTAIN: "1824/IV.1-b", COAL: "1824/IV.2-d", PRE_STATE: "1824/IV.3-g"}


@lru_cache(maxsize=1024)
def of_kind(data: TitleData, *kinds: str) -> tuple[str, ...]:
    """Companies of these kinds in the order of the printed list."""
    return tuple(symbol for symbol, company in cards_of(data).items() if company.kind in kinds)


def in_play(game: Game, symbol: str) -> bool:
    """Whether the company is still part of the game."""
    company = companies_of(game).get(symbol)
    return company is not None and not company.closed


def is_owned(game: Game, symbol: str) -> bool:
    """Whether a privately held company is open in a player's hands."""
    company = companies_of(game)[symbol]
    return company.bought and not company.closed


def require_company(game: Game, data: TitleData, symbol: str, *kinds: str, clause: str = "") -> None:
    """Refuse a company that does not exist, is not of these kinds (which `clause` says), or is out of play."""
    reject_if(symbol not in cards_of(data), "unknown_company", detail=symbol)
    reject_if(cards_of(data)[symbol].kind not in kinds, "company_not_offered", clause, symbol)
    reject_if(not in_play(game, symbol), "company_closed", detail=symbol)


def decider(game: Game, symbol: str) -> str:
    """Who decides for a company: its director; for a state without one, the first in the stock round's order who holds a
    share of it; when nobody does it is empty, or by ruling the holder of the priority card."""
    director = companies_of(game)[symbol].director
    if director:
        return director
    order = clockwise_from(game, game.priority)
    nobody = game.priority if plays(game, "state_without_director", "operates") else ""
    return next((player for player in order if game.held(player, symbol)), nobody)


def decides(game: Game, context: Context) -> tuple[str, ...]:
    """The player who decides for the company at turn."""
    return (decider(game, game.actor),)


def has_director(game: Game) -> bool:
    """Whether the company at turn has a director; a state may have none (IV.4.4-k)."""
    return bool(companies_of(game)[game.actor].director)


def acts(game: Game) -> bool:
    """Whether somebody decides for the company at turn: its director, or for a state without one by ruling another."""
    if has_director(game):
        return True
    undirected = plays(game, "state_without_director", "operates") and game.actor != bond_of(game)
    return undirected and bool(decider(game, game.actor))


def keeps_director_certificate(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the director's certificate is still kept back: for the coal owner, for the buyer who sets the price, or until
    a state forms. That of the bond company never makes anybody director (X.4-f)."""
    if DIRECTOR in reserved_of(game, symbol) or symbol == bond_of(game):
        return True
    if not companies_of(game)[symbol].par and plays(game, "regional_without_price", "no_director"):
        return True
    forming = cards_of(data)[symbol].kind == NATIONAL and not companies_of(game)[symbol].opened
    return forming and plays(game, "state_director_certificate", "at_formation")


def shares_traded(draft: Draft, data: TitleData, trade: Trade) -> None:
    """After certificates of a major changed hands: settle its director, and open a regional that is ready."""
    may_change = not keeps_director_certificate(draft.game, data, trade.company)
    if goes_by_list(draft.game):
        settle_by_list(draft, data, trade, may_change)
    elif may_change:
        settle_director(draft, data, trade.company)
    open_regional(draft, data, trade.company)


def shares_released(draft: Draft, data: TitleData, symbol: str) -> None:
    """After certificates of a major ceased to be kept for an exchange, without a trade."""
    if not goes_by_list(draft.game) and not keeps_director_certificate(draft.game, data, symbol):
        settle_director(draft, data, symbol)
    open_regional(draft, data, symbol)


def open_regional(draft: Draft, data: TitleData, symbol: str) -> None:
    """Open a regional that fulfils its opening condition and pay its capital in (1824/VI.5, IV.4.2, IV.4.3)."""
    game = draft.game
    company = cards_of(data)[symbol]
    if company.kind != REGIONAL or companies_of(game)[symbol].opened or not may_open(game, data, symbol):
        return
    linked = any(companies_of(game)[coal].bought for coal in company.linked)
    times = company.capital_times_price if linked else company.capital_times_price_unlinked
    open_with_capital(draft, symbol, times)


def may_open(game: Game, data: TitleData, symbol: str) -> bool:
    """Priced, directed, its coal company exchanged or gone, and half of it in players' hands."""
    state = companies_of(game)[symbol]
    if not state.par or not state.director:
        return False
    held = holders(game, data, symbol)
    alone = plays(game, "regional_opening", "one_player")
    shares = held.get(state.director, 0) if alone else sum(held.values())
    return is_enough_to_open(game, data, symbol, shares)


def is_sold_out(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether all certificates of a company are in players' hands (1824/VIII.3-d)."""
    return not any(shares_held(game, data, holder, symbol) for holder in (BANK, POOL))


def plain_for_sale(game: Game, symbol: str, source: str = BANK) -> tuple[int, ...]:
    """Plain certificates of a company in the bank, or in its pool, that are not kept for an exchange."""
    kept = reserved_of(game, symbol)
    return tuple(number for number in plain_held(game, symbol, source) if number not in kept)


def plain_for_exchange(game: Game, symbol: str) -> tuple[int, ...]:
    """Plain certificates of a regional that a mountain company may be exchanged for: the bank's, by ruling those of its pool
    too (1824/IV.1-f)."""
    in_pool = plays(game, "mountain_exchange_source", "bank_or_pool")
    return plain_for_sale(game, symbol) + (plain_for_sale(game, symbol, POOL) if in_pool else ())


def exchangeable_regionals(game: Game, data: TitleData) -> list[str]:
    """Regionals of which there is still a plain certificate for a mountain company (1824/IV.1-e, IV.1-f)."""
    return [symbol for symbol in of_kind(data, REGIONAL) if plain_for_exchange(game, symbol)]
