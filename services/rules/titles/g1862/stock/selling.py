"""Selling shares in 1862: blocks, the director's certificate and its change, half value, falling prices (6.3, 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import POOL
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import price_of, shift
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.commands import SellCertificates
from services.rules.parts.shares.limits import certificate_count
from services.rules.parts.shares.selling import check_numbers, hand_in, has_all, sale_choices, sale_in_turn
from services.rules.parts.shares.shares import (
    DIRECTOR,
    holders,
    move_certificates,
    plain_held,
    shares_held,
    shares_of,
)
from services.rules.parts.shares.state import companies_of, stock_round, stock_turn
from services.rules.parts.trains.state import phase_of
from services.rules.titles.g1862.companies import (
    certificate_limit,
    effective_price,
    is_quoted,
    is_started,
    require_company,
)
from services.rules.titles.g1862.figures import director_shares, figures_of, phases_of
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.stock.directors import settle_director
from services.rules.titles.g1862.trains.bankruptcy import go_bankrupt


def certificates_sold(game: Game, data: TitleData, player: str, command: SellCertificates) -> tuple[int, ...]:
    """The certificates handed in: those named, else plain ones, and the director's only when they do not suffice."""
    if command.numbers:
        return command.numbers
    plain = sorted((n for n in game.held(player, command.company) if n != DIRECTOR), reverse=True)
    wanted = command.shares
    if wanted <= len(plain) or DIRECTOR not in game.held(player, command.company):
        return tuple(plain[:wanted])
    return (DIRECTOR, *plain[: max(0, wanted - director_shares(data))])


def check_sale(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """What every sale needs: shares owned, a director's certificate only when it must go, and change for it (6.3-d..f)."""
    data, symbol, shares = context.data, command.company, command.shares
    require_company(game, data, symbol)
    check_numbers(data, command)
    reject_if(not is_started(game, symbol), "company_without_price", "1862/6.4-a", symbol)
    numbers = certificates_sold(game, data, player, command)
    excess = shares_of(data, symbol, numbers) - shares
    owned = has_all(game, player, symbol, numbers)
    reject_if(not owned or excess < 0, "shares_not_owned", "1862/6.4-a", symbol)
    if DIRECTOR in numbers:
        _check_change(game, data, player, command, numbers)
    else:
        reject_if(excess != 0, "shares_not_owned", "1862/6.4-a", symbol)


def _check_change(
    game: Game, data: TitleData, player: str, command: SellCertificates, numbers: tuple[int, ...]
) -> None:
    """The director's certificate goes: the seller keeps less than it, and change comes from the pool, where plain shares
    handed in with it lie by then, or from those of the successor."""
    symbol = command.company
    size = shares_of(data, symbol, (DIRECTOR,))
    excess = shares_of(data, symbol, numbers) - command.shares
    left = shares_held(game, data, player, symbol) - command.shares
    reject_if(left >= size, "director_would_change", "1862/6.3-d", symbol)
    others = (held for holder, held in holders(game, data, symbol).items() if holder != player)
    replaced = max(others, default=0) >= size
    in_pool = len(plain_held(game, symbol, POOL)) + len(numbers) - 1
    reject_if(not replaced and in_pool < excess, "1862.no_change_in_pool", "1862/6.3-f", symbol)


def sell(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    """Hand the block to the pool for the price before it falls, settle who directs, take change (6.3, 6.4-b, 6.4-c)."""
    data, symbol, shares = context.data, command.company, command.shares
    numbers = certificates_sold(draft.game, data, player, command)
    by_director = companies_of(draft.game)[symbol].director == player
    proceeds = effective_price(draft.game, data, symbol) * shares
    hand_in(draft, player, symbol, numbers, proceeds, POOL)
    settle_director(draft, data, symbol)
    excess = shares_of(data, symbol, numbers) - shares
    change = plain_held(draft.game, symbol, POOL)[:excess]
    move_certificates(draft, symbol, change, POOL, player, "director_swap")
    price_falls(draft, context, symbol, shares, by_director)


def price_falls(draft: Draft, context: Context, symbol: str, shares: int, by_director: bool) -> None:
    """One space down for each share sold into the pool, less those ignored; none before quotation and in the end game.

    A company whose price reaches 0 is bankrupt (1862/6.4.2, 7.12)."""
    game = draft.game
    last_phase = next(reversed(phases_of(context.data)))
    over = bool(own(game).monopoly) or (
        phase_of(game) == last_phase and plays(game, "sales_in_phase_h", "price_stays")
    )
    if not over and is_quoted(game, symbol):
        fall(draft, context, symbol, shares, by_director)


def fall(draft: Draft, context: Context, symbol: str, shares: int, by_director: bool) -> None:
    """As `price_falls`, at whatever time of the game."""
    game, data = draft.game, context.data
    cell = market_of(game).markers[symbol]
    ignored = 0
    if not by_director:
        ignored = max(
            (
                count
                for zone, count in figures_of(data).shares_ignored.items()
                if cell in chart_of(data).zones[zone]
            ),
            default=0,
        )
    shift(draft, data, symbol, chart_of(data).moves.sale, "sale", max(0, shares - ignored))
    if price_of(draft.game, data, symbol) == 0:
        go_bankrupt(draft, context, symbol, "price")


def shares_bought_this_round(game: Game, player: str, symbol: str) -> int:
    """How many shares of a company the player bought in the stock round at hand."""
    return stock_round(game).purchases.count((player, symbol))


def _check_turn(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    symbol = command.company
    check_sale(game, context, player, command)
    reject_if(symbol in stock_turn(game).sold, "sales_forbidden", "1862/6.4-b", symbol)
    kept = shares_held(game, context.data, player, symbol) - command.shares
    fresh = shares_bought_this_round(game, player, symbol)
    reject_if(kept < fresh, "1862.shares_bought_this_round", "1862/6.4-e", symbol)


def sale_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Every company and every number of shares the player has."""
    symbols = (symbol for holder, symbol in game.holdings if holder == player)
    yield from sale_choices(game, context.data, player, symbols)


def must_sell(game: Game, context: Context, player: str) -> bool:
    """Whether the player is over the certificate limit, which nobody has to mind after the LNER (6.5.2-d, 6.5.2-f)."""
    over = certificate_count(game, context.data, player) > certificate_limit(game, context.data)
    return over and not stock_turn(game).bought and not own(game).monopoly


SELL = sale_in_turn(_check_turn, sell, sale_candidates, "1862/6.2-a")
