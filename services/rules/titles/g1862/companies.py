"""Who is who in 1862: companies started, quoted and in receivership, who decides, and what counts toward the limits."""

from __future__ import annotations

from functools import lru_cache

from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context, printed_limit
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import clockwise_from
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.limits import certificate_count
from services.rules.parts.shares.shares import holders
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.state import ServiceKind, own

LONDON = "London"
BEGINNERS = "beginners"

ALL_KINDS: tuple[ServiceKind, ...] = ("freight", "local", "express")
# The kinds of train a variant keeps (1862/11.1-a..d).
KINDS_OF_VARIANT: dict[str, tuple[ServiceKind, ...]] = {
    "simple_express": ("express",),
    "simple_freight": ("freight",),
    "advanced_freight": ("freight", "local"),
    "advanced_express": ("express", "local"),
}


def in_game(game: Game, symbol: str) -> bool:
    """Whether the company was dealt into the offer (1862/2.4.1-a)."""
    company = companies_of(game).get(symbol)
    return company is not None and not company.closed


def is_started(game: Game, symbol: str) -> bool:
    """Whether somebody has taken its director's certificate and set a price."""
    company = companies_of(game).get(symbol)
    return company is not None and company.par > 0 and in_game(game, symbol)


def is_quoted(game: Game, symbol: str) -> bool:
    """Whether half of it was bought, so that it has its money and operates (1862/6.5.4-a)."""
    company = companies_of(game).get(symbol)
    return company is not None and company.opened


def in_receivership(game: Game, symbol: str) -> bool:
    """Whether its director's certificate lies in the pool (1862/7.3-a)."""
    company = companies_of(game).get(symbol)
    return company is not None and not company.director and is_quoted(game, symbol)


def has_train(game: Game, symbol: str) -> bool:
    """Whether the company owns a train, an obsolete one under warranty among them (1862/7.10-e)."""
    return bool(trains_of(game).owned.get(symbol))


@lru_cache(maxsize=64)
def kinds_in_play(variants: tuple[str, ...]) -> tuple[ServiceKind, ...]:
    """The kinds as which trains run at a table with these options (1862/11.1)."""
    return next((kinds for variant, kinds in KINDS_OF_VARIANT.items() if variant in variants), ALL_KINDS)


def require_company(game: Game, data: TitleData, symbol: str) -> None:
    """Refuse a company that does not exist or was not dealt into the game."""
    reject_if(symbol not in cards_of(data), "unknown_company", detail=symbol)
    reject_if(not in_game(game, symbol), "company_closed", "1862/2.4.1-b", symbol)


def decider(game: Game, data: TitleData, symbol: str) -> str:
    """Who decides for a company: its director; in receivership the majority holder, the first clockwise from the priority
    holder among equals (1862/8.0-b); empty when no player holds a share."""
    director = companies_of(game)[symbol].director
    if director:
        return director
    shares = holders(game, data, symbol)
    most = max(shares.values(), default=0)
    seats = clockwise_from(game, game.priority)
    return next((player for player in seats if most and shares.get(player) == most), "")


def certificate_limit(game: Game, data: TitleData) -> int:
    """The certificate limit as it stands (1862/6.5.2-b, 6.5.2-e)."""
    return own(game).certificate_limit or printed_limit(game, data)


def is_full(game: Game, data: TitleData, player: str) -> bool:
    """Whether the player has as many certificates as he may, or more (1862/6.5.2-a)."""
    return certificate_count(game, data, player) >= certificate_limit(game, data)


def share_price(game: Game, data: TitleData, symbol: str) -> int:
    """What a share is worth: the market price, and par as long as a chartered company has none (1862/4.2-h)."""
    return price_of(game, data, symbol) or companies_of(game)[symbol].par


def effective_price(game: Game, data: TitleData, symbol: str) -> int:
    """What a share fetches: half its price, rounded down, while the company has no train (1862/6.4.1)."""
    price = share_price(game, data, symbol)
    return price if has_train(game, symbol) else price // 2


def price_to_buy(game: Game, data: TitleData, symbol: str, source: str) -> int:
    """What a share costs at `source`: par from the initial offer, else the market price, trains or not (1862/6.5.1-c..f)."""
    return companies_of(game)[symbol].par if source == BANK else share_price(game, data, symbol)


def decides(game: Game, context: Context) -> tuple[str, ...]:
    """The player who decides for the company at turn (1862/7.1-d)."""
    return (decider(game, context.data, game.actor),)
