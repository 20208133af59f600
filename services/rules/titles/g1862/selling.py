"""Selling shares in 1862: blocks, the director's certificate and its change, half value, falling prices (6.3, 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import SellCertificates
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.market import price_of, shift
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import (
    DIRECTOR,
    PLAIN_PERCENT,
    holders,
    percent_held,
    percent_of,
    plain_for_sale,
)
from services.rules.domain.title import Action, Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.bankruptcy import go_bankrupt
from services.rules.titles.g1862.companies import (
    DIRECTOR_SHARES,
    certificate_count,
    certificate_limit,
    effective_price,
    is_quoted,
    is_started,
    require_company,
)
from services.rules.titles.g1862.directors import settle_director
from services.rules.titles.g1862.rulings import plays

# How many of the shares sold at once by others than the director leave the price alone, by zone of the chart (6.4.2-c, -d).
SHARES_IGNORED = {"first_share_sold_ignored": 1, "first_two_shares_sold_ignored": 2}
LAST_PHASE = "H"


def certificates_sold(game: Game, data: TitleData, player: str, command: SellCertificates) -> tuple[int, ...]:
    """The certificates handed in: those named, else plain ones, and the director's only when they do not suffice."""
    if command.numbers:
        return command.numbers
    plain = sorted((n for n in game.held(player, command.company) if n != DIRECTOR), reverse=True)
    wanted = command.percent // PLAIN_PERCENT
    if wanted <= len(plain) or DIRECTOR not in game.held(player, command.company):
        return tuple(plain[:wanted])
    return (DIRECTOR, *plain[: max(0, wanted - DIRECTOR_SHARES)])


def check_sale(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    """What every sale needs: shares owned, a director's certificate only when it must go, and change for it (6.3-d..f)."""
    data, symbol, percent = context.data, command.company, command.percent
    require_company(game, data, symbol)
    proper = percent > 0 and percent % PLAIN_PERCENT == 0
    refuse_if(not proper, "value_out_of_range", detail=f"percent = {percent}")
    printed = len(data.companies[symbol].certificates)
    unknown = any(not 0 <= number < printed for number in command.numbers)
    refuse_if(unknown, "unknown_certificate", detail=str(command.numbers))
    refuse_if(not is_started(game, symbol), "company_without_price", "1862/6.4-a", symbol)
    numbers = certificates_sold(game, data, player, command)
    held = game.held(player, symbol)
    owned = len(set(numbers)) == len(numbers) and all(number in held for number in numbers)
    excess = percent_of(data, symbol, numbers) - percent
    refuse_if(not owned or excess < 0, "shares_not_owned", "1862/6.4-a", symbol)
    if DIRECTOR in numbers:
        _check_change(game, data, player, command, numbers)
    else:
        refuse_if(excess != 0, "shares_not_owned", "1862/6.4-a", symbol)


def _check_change(
    game: Game, data: TitleData, player: str, command: SellCertificates, numbers: tuple[int, ...]
) -> None:
    """The director's certificate goes: the seller keeps less than it, and change comes from the pool, where plain shares
    handed in with it lie by then, or from those of the successor."""
    symbol = command.company
    size = percent_of(data, symbol, (DIRECTOR,))
    excess = percent_of(data, symbol, numbers) - command.percent
    left = percent_held(game, data, player, symbol) - command.percent
    refuse_if(left >= size, "director_would_change", "1862/6.3-d", symbol)
    refuse_if(excess >= size, "shares_not_owned", "1862/6.3-e", symbol)
    others = (share for holder, share in holders(game, data, symbol).items() if holder != player)
    replaced = max(others, default=0) >= size
    in_pool = (len(plain_for_sale(game, symbol, e.POOL)) + len(numbers) - 1) * PLAIN_PERCENT
    refuse_if(not replaced and in_pool < excess, "no_change_in_pool", "1862/6.3-f", symbol)


def sell(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    """Hand the block to the pool for the price before it falls, settle who directs, take change (6.3, 6.4-b, 6.4-c)."""
    data, symbol, percent = context.data, command.company, command.percent
    numbers = certificates_sold(draft.game, data, player, command)
    by_director = draft.game.companies[symbol].director == player
    shares = percent // PLAIN_PERCENT
    proceeds = effective_price(draft.game, data, symbol) * shares
    draft.move_certificates(symbol, numbers, player, e.POOL, "sold")
    draft.pay(e.BANK, player, proceeds, "certificate_sold", symbol)
    settle_director(draft, data, symbol)
    excess = (percent_of(data, symbol, numbers) - percent) // PLAIN_PERCENT
    change = plain_for_sale(draft.game, symbol, e.POOL)[:excess]
    draft.move_certificates(symbol, change, e.POOL, player, "director_swap")
    price_falls(draft, context, symbol, shares, by_director)


def price_falls(draft: Draft, context: Context, symbol: str, shares: int, by_director: bool) -> None:
    """One space down for each share sold into the pool, less those ignored; none before quotation and in the end game.

    A company whose price reaches 0 is bankrupt (1862/6.4.2, 7.12)."""
    game = draft.game
    over = bool(game.monopoly) or (
        game.phase == LAST_PHASE and plays(game, "sales_in_phase_h", "price_stays")
    )
    if not over and is_quoted(game, symbol):
        fall(draft, context, symbol, shares, by_director)


def fall(draft: Draft, context: Context, symbol: str, shares: int, by_director: bool) -> None:
    """As `price_falls`, at whatever time of the game."""
    game, data = draft.game, context.data
    cell = game.markers[symbol]
    ignored = 0
    if not by_director:
        ignored = max(
            (count for zone, count in SHARES_IGNORED.items() if cell in data.market.zones[zone]), default=0
        )
    shift(draft, data, symbol, data.market.moves.sale, "sale", max(0, shares - ignored))
    if price_of(draft.game, data, symbol) == 0:
        go_bankrupt(draft, context, symbol, "price")


def percent_bought_this_round(game: Game, player: str, symbol: str) -> int:
    """How much of a company the player bought in the stock round at hand."""
    return game.current_round.purchases.count((player, symbol)) * PLAIN_PERCENT


def _check_turn(game: Game, context: Context, player: str, command: SellCertificates) -> None:
    symbol = command.company
    refuse_if(bool(game.turn.bought), "buy_before_sell", "1862/6.2-a")
    check_sale(game, context, player, command)
    refuse_if(symbol in game.turn.sold, "sales_forbidden", "1862/6.4-b", symbol)
    kept = percent_held(game, context.data, player, symbol) - command.percent
    fresh = percent_bought_this_round(game, player, symbol)
    refuse_if(kept < fresh, "shares_bought_this_round", "1862/6.4-e", symbol)


def _perform_turn(draft: Draft, context: Context, player: str, command: SellCertificates) -> None:
    sell(draft, context, player, command)
    draft.emit(e.StockTurnActed(player, sold=command.company))


def sale_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Every company and every multiple of 10 % the player has."""
    for holder, symbol in game.holdings:
        if holder == player:
            held = percent_held(game, context.data, player, symbol)
            for percent in range(PLAIN_PERCENT, held + 1, PLAIN_PERCENT):
                yield Choice(player, SellCertificates(symbol, percent))


def must_sell(game: Game, context: Context, player: str) -> bool:
    """Whether the player is over the certificate limit, which nobody has to mind after the LNER (6.5.2-d, 6.5.2-f)."""
    over = certificate_count(game, player) > certificate_limit(game, context.data)
    return over and not game.turn.bought and not game.monopoly


SELL = Action(_check_turn, _perform_turn, sale_candidates)
