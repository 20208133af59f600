"""Buying in a stock round of 1824: private companies, plain certificates, director's certificates with a price (VI.3, VI.4)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import BuyCertificate, BuyCompany, StartCompany
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import DIRECTOR, PLAIN_PERCENT, percent_held, percent_of, plain_for_sale
from services.rules.domain.title import Action, Context
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1824.companies import (
    COAL,
    MAJORS,
    NATIONAL,
    PRIVATES,
    REGIONAL,
    certificate_count,
    certificate_limit,
    in_play,
    of_kind,
    require_company,
    shares_changed,
)
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.setup import par_cell


def check_may_buy(game: Game, data: TitleData, player: str, company: str) -> None:
    """What every purchase needs: none before in this turn, no debt, room under both limits (VI.1-c, VI.7, VII.12-g)."""
    refuse_if(bool(game.turn.bought), "already_bought", "1824/VI.1-c")
    refuse_if(player in game.debts, "in_debt", "1824/VII.12-g")
    if data.companies[company].counts_for_limit:
        full = certificate_count(game, data, player) >= certificate_limit(game, data)
        refuse_if(full, "certificate_limit", "1824/VI.7-b")
    highest = data.companies[company].max_percent
    if highest is not None:
        held = percent_held(game, data, player, company)
        refuse_if(held >= highest, "holding_limit", "1824/VI.7-d")


def _check_company(game: Game, context: Context, player: str, command: BuyCompany) -> None:
    data = context.data
    require_company(game, data, command.company, *PRIVATES)
    refuse_if(game.companies[command.company].bought, "company_not_offered", "1824/VI.3-a", command.company)
    company = data.companies[command.company]
    offered = company.price_options or (company.price,)
    refuse_if(command.price not in offered, "price_not_offered", "1824/IV.2-b", str(command.price))
    check_may_buy(game, data, player, command.company)
    refuse_if(game.money(player) < command.price, "not_enough_cash", "1824/VI.4-d")


def _perform_company(draft: Draft, context: Context, player: str, command: BuyCompany) -> None:
    """The owner pays the bank; the company gets its capital and, if a coal company, its 1g-train and its regional's price."""
    data, symbol, price = context.data, command.company, command.price
    company = data.companies[symbol]
    draft.pay(player, e.BANK, price, "company_bought", symbol)
    draft.move_certificates(symbol, (DIRECTOR,), e.BANK, player, "bought")
    draft.emit(e.CompanyBought(symbol, player, price))
    if company.treasury_price_less is not None:
        draft.emit(e.CompanyOpened(symbol))
        draft.pay(e.BANK, symbol, price - company.treasury_price_less, "capital_paid_in", symbol)
    if company.first_train:
        train = f"{company.first_train}-{draft.game.depot_gone.get(company.first_train, 0)}"
        draft.emit(e.TrainMoved(train, e.BANK, symbol, "granted"))
    if company.kind == COAL and company.exchange and company.exchange.company:
        cell = par_cell(data, price // 2)
        draft.emit(e.PriceStarted(company.exchange.company, price // 2, *cell))
    draft.emit(e.StockTurnActed(player, bought=symbol))


def _company_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for symbol in of_kind(context.data, *PRIVATES):
        if in_play(game, symbol) and not game.companies[symbol].bought:
            company = context.data.companies[symbol]
            prices = company.price_options or (company.price or 0,)
            for price in (price for price in prices if price <= game.money(player)):
                yield Choice(player, BuyCompany(symbol, price), cost=price)


def _wanted(game: Game, command: BuyCertificate) -> int:
    """The certificate meant: the one named, else the first plain one (-1 when there is none)."""
    if command.number >= 0:
        return command.number
    return next(iter(plain_for_sale(game, command.company)), -1)


def _check_certificate(game: Game, context: Context, player: str, command: BuyCertificate) -> None:
    data, symbol = context.data, command.company
    require_company(game, data, symbol, *MAJORS)
    refuse_if(command.source != e.BANK, "certificate_not_available", "1824/VI.1-a", command.source)
    refuse_if((player, symbol) in game.current_round.sold, "sold_this_round", "1824/VI.4-e", symbol)
    price = price_of(game, data, symbol)
    refuse_if(not price, "company_without_price", "1824/VI.4-b", symbol)
    number = _wanted(game, command)
    refuse_if(number >= len(data.companies[symbol].certificates), "unknown_certificate", detail=str(number))
    refuse_if(number < 0, "certificate_not_available", "1824/VI.4-a", symbol)
    refuse_if(number in game.companies[symbol].reserved, "certificate_reserved", "1824/IV.2-l", symbol)
    of_state = number == DIRECTOR and data.companies[symbol].kind == NATIONAL
    refuse_if(of_state, "certificate_reserved", "1824/VI.3-f", symbol)
    refuse_if(number not in game.held(e.BANK, symbol), "certificate_not_available", "1824/VI.4-a", symbol)
    percent = percent_of(data, symbol, (number,))
    check_may_buy(game, data, player, symbol)
    refuse_if(game.money(player) < price * percent // PLAIN_PERCENT, "not_enough_cash", "1824/VI.4-d")


def _perform_certificate(draft: Draft, context: Context, player: str, command: BuyCertificate) -> None:
    data, symbol = context.data, command.company
    number = _wanted(draft.game, command)
    percent = percent_of(data, symbol, (number,))
    cost = price_of(draft.game, data, symbol) * percent // PLAIN_PERCENT
    draft.pay(player, e.BANK, cost, "certificate_bought", symbol)
    draft.move_certificates(symbol, (number,), e.BANK, player, "bought")
    draft.emit(e.StockTurnActed(player, bought=symbol))
    shares_changed(draft, data, symbol)


def _certificate_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for symbol in of_kind(context.data, *MAJORS):
        price = price_of(game, context.data, symbol)
        if 0 < price <= game.money(player) and game.held(e.BANK, symbol):
            yield Choice(player, BuyCertificate(symbol), cost=price)


def _check_start(game: Game, context: Context, player: str, command: StartCompany) -> None:
    data, symbol = context.data, command.company
    require_company(game, data, symbol, *MAJORS)
    refuse_if(bool(price_of(game, data, symbol)), "company_has_price", "1824/VI.4-b", symbol)
    refuse_if(DIRECTOR in game.companies[symbol].reserved, "certificate_reserved", "1824/IV.2-l", symbol)
    in_bank = DIRECTOR in game.held(e.BANK, symbol)
    refuse_if(not in_bank, "certificate_not_available", "1824/VI.4-b", symbol)
    offered = command.price in data.companies[symbol].par_prices
    refuse_if(not offered, "price_not_offered", "1824/VI.4-c", str(command.price))
    check_may_buy(game, data, player, symbol)
    refuse_if(game.money(player) < 2 * command.price, "not_enough_cash", "1824/VI.4-d")


def _perform_start(draft: Draft, context: Context, player: str, command: StartCompany) -> None:
    data, symbol, price = context.data, command.company, command.price
    row, column = par_cell(data, price)
    draft.emit(e.PriceStarted(symbol, price, row, column))
    draft.pay(player, e.BANK, 2 * price, "certificate_bought", symbol)
    draft.move_certificates(symbol, (DIRECTOR,), e.BANK, player, "bought")
    draft.emit(e.StockTurnActed(player, bought=symbol))
    if plays(draft.game, "regional_without_price", "no_director"):
        draft.emit(e.DirectorChanged(symbol, player))
    shares_changed(draft, data, symbol)


def _start_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for symbol in of_kind(context.data, REGIONAL):
        if symbol not in game.markers and DIRECTOR not in game.companies[symbol].reserved:
            prices = context.data.companies[symbol].par_prices
            for price in (price for price in prices if 2 * price <= game.money(player)):
                yield Choice(player, StartCompany(symbol, price), cost=2 * price)


BUY_COMPANY = Action(_check_company, _perform_company, _company_candidates)
BUY_CERTIFICATE = Action(_check_certificate, _perform_certificate, _certificate_candidates)
START_COMPANY = Action(_check_start, _perform_start, _start_candidates)
