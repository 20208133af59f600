"""Opening a company that is not chartered, in a stock round (6.5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import StartCompany
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.market import price_at
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import DIRECTOR
from services.rules.domain.title import Action, Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.buying import check_may_buy
from services.rules.titles.g1862.companies import BEGINNERS, DIRECTOR_SHARES, in_game, is_full, is_started
from services.rules.titles.g1862.offer import can_be_opened, openable, require_openable
from services.rules.titles.g1862.quotation import place_marker
from services.rules.titles.g1862.rulings import plays

PRICE_ZONES = ("par_chartered", "par_unchartered")


@lru_cache(maxsize=64)
def opening_prices(data: TitleData) -> tuple[int, ...]:
    """The prices at which a company can be opened in a stock round, lowest first (1862/6.5.3-e)."""
    return tuple(sorted(price_at(data, cell) for zone in PRICE_ZONES for cell in data.market.zones[zone]))


def ipo_marker_for(data: TitleData, price: int) -> int:
    """The space of the chart of initial offers nearest to a price, the lower one of two (1862/6.5.3-h)."""
    chart = sorted(price_at(data, cell) for cell in data.market.zones["par_chartered"])
    return min(chart, key=lambda space: (abs(space - price), space))


def _has_means(game: Game, data: TitleData, player: str) -> bool:
    """Whether the player may buy and can pay the lowest price."""
    if BEGINNERS in game.options or game.turn.bought or is_full(game, data, player):
        return False
    return game.money(player) >= DIRECTOR_SHARES * opening_prices(data)[0]


def can_open_any(game: Game, data: TitleData, player: str) -> bool:
    """Whether the player can open some company for the lowest price."""
    return _has_means(game, data, player) and any(can_be_opened(game, data, each) for each in game.companies)


def could_pay_to_open(game: Game, data: TitleData, player: str) -> bool:
    """Whether a table that asks idle players asks this one: he has the means for a company that nobody has started, be it
    not on offer yet or without a place for its home token."""
    if not plays(game, "idle_turns", "asked") or not _has_means(game, data, player):
        return False
    sold = game.current_round.sold
    return any(
        in_game(game, symbol) and not is_started(game, symbol) and (player, symbol) not in sold
        for symbol in game.companies
    )


def _check(game: Game, context: Context, player: str, command: StartCompany) -> None:
    data, symbol = context.data, command.company
    refuse_if(BEGINNERS in game.options, "variant_forbids", "1862/11.3-a", "only parliament opens companies")
    require_openable(game, data, symbol)
    refuse_if(
        command.price not in opening_prices(data), "price_not_offered", "1862/6.5.3-e", str(command.price)
    )
    check_may_buy(game, data, player)
    cost = DIRECTOR_SHARES * command.price
    refuse_if(game.money(player) < cost, "not_enough_cash", "1862/6.5.3-f", str(cost))


def _perform(draft: Draft, context: Context, player: str, command: StartCompany) -> None:
    """The shares go to the charter, the director's to the opener, who pays the company for them."""
    data, symbol, price = context.data, command.company, command.price
    place_marker(draft, data, symbol, price)
    draft.emit(e.IpoMarkerSet(symbol, ipo_marker_for(data, price)))
    draft.move_certificates(symbol, draft.game.held(e.BANK, symbol), e.BANK, symbol, "issued")
    draft.pay(player, symbol, DIRECTOR_SHARES * price, "certificate_bought", symbol)
    draft.move_certificates(symbol, (DIRECTOR,), symbol, player, "bought")
    draft.emit(e.DirectorChanged(symbol, player))
    for _ in range(DIRECTOR_SHARES):
        draft.emit(e.StockTurnActed(player, bought=symbol))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    prices = [
        price for price in opening_prices(context.data) if DIRECTOR_SHARES * price <= game.money(player)
    ]
    for symbol in openable(game, context.data) if prices else ():
        for price in prices:
            yield Choice(player, StartCompany(symbol, price), cost=DIRECTOR_SHARES * price)


START_COMPANY = Action(_check, _perform, _candidates)
