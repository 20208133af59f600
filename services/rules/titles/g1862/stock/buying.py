"""Buying a share in a stock round of 1862: from the initial offer, the pool or a company's treasury (6.5.1, 6.5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.shares.commands import BuyCertificate
from services.rules.parts.shares.shares import DIRECTOR, move_certificates, plain_held
from services.rules.parts.shares.state import companies_of, stock_round, stock_turn
from services.rules.parts.shares.trading import PurchaseTerms, check_not_sold, check_printed, purchase_action
from services.rules.titles.g1862.companies import is_full, is_started, price_to_buy, require_company
from services.rules.titles.g1862.figures import director_shares
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.stock.directors import settle_director
from services.rules.titles.g1862.stock.quotation import quote_if_ready


def check_may_buy(game: Game, context: Context, player: str, symbol: str) -> None:
    """What every purchase needs: none before in this turn, and room under the certificate limit (6.2-a, 6.5.2-a)."""
    reject_if(bool(stock_turn(game).bought), "already_bought", "1862/6.2-a")
    reject_if(is_full(game, context.data, player), "certificate_limit", "1862/6.5.2-a")


def wanted_number(game: Game, command: BuyCertificate) -> int:
    """The certificate meant: the one named, else the first plain one there (-1 when there is none)."""
    if command.number >= 0:
        return command.number
    return next(iter(plain_held(game, command.company, command.source)), -1)


def _may_take_office(game: Game, data: TitleData, player: str, command: BuyCertificate) -> bool:
    """Under one ruling a director's certificate in the pool is sold for the price of one share to somebody who has the
    others it stands for, and whose cash would have covered all of it."""
    if command.source != POOL or plays(game, "director_certificate_in_pool", "never_sold"):
        return False
    plain = game.held(player, command.company)
    price = price_to_buy(game, data, command.company, POOL)
    return len(plain) >= director_shares(data) - 1 and game.money(player) >= director_shares(data) * price


def is_tempted(game: Game, data: TitleData, player: str) -> bool:
    """Whether a director's certificate lies alone in the pool that the player could pay in full: under the ruling that sells
    it he is asked for that, also when he lacks the shares to go with it."""
    if plays(game, "director_certificate_in_pool", "never_sold") or is_full(game, data, player):
        return False
    return any(
        holder == POOL
        and numbers == (DIRECTOR,)
        and (player, symbol) not in stock_round(game).sold
        and game.money(player) >= director_shares(data) * price_to_buy(game, data, symbol, POOL)
        for (holder, symbol), numbers in game.holdings.items()
    )


def _check(game: Game, context: Context, player: str, command: BuyCertificate) -> None:
    data, symbol, source = context.data, command.company, command.source
    require_company(game, data, symbol)
    check_not_sold(game, player, symbol, "1862/6.5.1-g")
    reject_if(not is_started(game, symbol), "company_without_price", "1862/6.5.1-a", symbol)
    number = wanted_number(game, command)
    check_printed(data, symbol, number)
    reject_if(
        number == DIRECTOR and not _may_take_office(game, data, player, command),
        "certificate_reserved",
        "1862/6.3-g",
        symbol,
    )
    sold_there = source in (BANK, POOL, symbol) and number in game.held(source, symbol)
    reject_if(not sold_there, "certificate_not_available", "1862/6.5.1-a", source)
    check_cash(game, player, _cost(game, data, command), "1862/6.5.1-d")
    check_may_buy(game, context, player, symbol)


def _cost(game: Game, data: TitleData, command: BuyCertificate) -> int:
    return price_to_buy(game, data, command.company, command.source)


def _settle(draft: Draft, context: Context, player: str, symbol: str) -> None:
    settle_director(draft, context.data, symbol)
    quote_if_ready(draft, context, symbol)


def _take_office(draft: Draft, context: Context, player: str, command: BuyCertificate) -> None:
    """The buyer of a director's certificate returns the shares that it stands for beside one."""
    if command.number != DIRECTOR:
        return
    symbol = command.company
    plain = plain_held(draft.game, symbol, player)
    change = plain[: director_shares(context.data) - 1]
    move_certificates(draft, symbol, change, player, POOL, "director_swap")


def _offers(game: Game, context: Context) -> Iterator[tuple[BuyCertificate, int]]:
    for symbol in companies_of(game):
        if is_started(game, symbol):
            for source in (BANK, POOL, symbol):
                if held := game.holdings.get((source, symbol)):
                    cost = price_to_buy(game, context.data, symbol, source)
                    yield BuyCertificate(symbol, source), cost
                    if DIRECTOR in held:
                        yield BuyCertificate(symbol, source, DIRECTOR), cost


BUY_CERTIFICATE = purchase_action(
    PurchaseTerms(_check, wanted_number, _cost, _offers, _settle, with_it=_take_office)
)
