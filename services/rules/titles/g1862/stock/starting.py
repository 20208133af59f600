"""Opening a company that is not chartered, in a stock round (6.5.3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import price_at
from services.rules.parts.shares.commands import StartCompany
from services.rules.parts.shares.dealing import note_purchase
from services.rules.parts.shares.events import DirectorChanged, ParSet
from services.rules.parts.shares.shares import DIRECTOR, move_certificates
from services.rules.parts.shares.state import companies_of, stock_round, stock_turn
from services.rules.parts.shares.trading import (
    StartTerms,
    check_not_sold,
    cost_to_start,
    start_action,
    take_certificate,
)
from services.rules.titles.g1862.companies import BEGINNERS, in_game, is_full, is_started
from services.rules.titles.g1862.figures import director_shares
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.stock.buying import check_may_buy
from services.rules.titles.g1862.stock.offer import can_be_opened, openable, require_openable
from services.rules.titles.g1862.stock.quotation import place_marker

PRICE_ZONES = ("par_chartered", "par_unchartered")


@lru_cache(maxsize=64)
def opening_prices(data: TitleData) -> tuple[int, ...]:
    """The prices at which a company can be opened in a stock round, lowest first (1862/6.5.3-e)."""
    return tuple(sorted(price_at(data, cell) for zone in PRICE_ZONES for cell in chart_of(data).zones[zone]))


def ipo_marker_for(data: TitleData, price: int) -> int:
    """The space of the chart of initial offers nearest to a price, the lower one of two (1862/6.5.3-h)."""
    chart = sorted(price_at(data, cell) for cell in chart_of(data).zones["par_chartered"])
    return min(chart, key=lambda space: (abs(space - price), space))


def _has_means(game: Game, data: TitleData, player: str) -> bool:
    """Whether the player may buy and can pay the lowest price."""
    if BEGINNERS in game.options or stock_turn(game).bought or is_full(game, data, player):
        return False
    return game.money(player) >= director_shares(data) * opening_prices(data)[0]


def _has_sold(game: Game, player: str, symbol: str) -> bool:
    return (player, symbol) in stock_round(game).sold


def can_open_any(game: Game, data: TitleData, player: str) -> bool:
    """Whether the player can open some company for the lowest price."""
    return _has_means(game, data, player) and any(
        can_be_opened(game, data, each) and not _has_sold(game, player, each) for each in companies_of(game)
    )


def could_pay_to_open(game: Game, data: TitleData, player: str) -> bool:
    """Whether a table that asks idle players asks this one: he has the means for a company that nobody has started, be it
    not on offer yet or without a place for its home token."""
    if not plays(game, "idle_turns", "asked") or not _has_means(game, data, player):
        return False
    return any(
        in_game(game, symbol) and not is_started(game, symbol) and not _has_sold(game, player, symbol)
        for symbol in companies_of(game)
    )


def _check_company(game: Game, context: Context, symbol: str) -> None:
    beginners = BEGINNERS in game.options
    reject_if(beginners, "1862.variant_forbids", "1862/11.3-a", "only parliament opens companies")
    require_openable(game, context.data, symbol)


def _check_player(game: Game, context: Context, player: str, symbol: str) -> None:
    check_not_sold(game, player, symbol, "1862/6.5.1-g")
    check_may_buy(game, context, player, symbol)


def _companies(game: Game, context: Context, player: str) -> Iterable[str]:
    if not _has_means(game, context.data, player):
        return ()
    return (symbol for symbol in openable(game, context.data) if not _has_sold(game, player, symbol))


def _start(draft: Draft, context: Context, player: str, command: StartCompany) -> None:
    """The shares go to the charter, the director's to the opener, who pays the company for them."""
    data, symbol, price = context.data, command.company, command.price
    place_marker(draft, data, symbol, price)
    draft.emit(ParSet(symbol, ipo_marker_for(data, price)))
    move_certificates(draft, symbol, draft.game.held(BANK, symbol), BANK, symbol, "issued")
    take_certificate(draft, player, symbol, DIRECTOR, cost_to_start(data, symbol, price), symbol, symbol)
    draft.emit(DirectorChanged(symbol, player))
    note_purchase(draft, player, symbol, director_shares(data))


START_COMPANY = start_action(
    StartTerms(
        _companies,
        _check_company,
        _start,
        not_offered="1862/6.5.3-e",
        too_dear="1862/6.5.3-f",
        check_player=_check_player,
        prices=lambda game, data, symbol: opening_prices(data),
    )
)
