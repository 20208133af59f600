"""Buying in a stock round of 1824: private companies, plain certificates, director's certificates with a price (VI.3, VI.4)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import CertificatesMoved
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.dealing import note_purchase
from services.rules.parts.shares.events import CompanyBought, CompanyOpened, DirectorChanged
from services.rules.parts.shares.limits import check_limit
from services.rules.parts.shares.shares import (
    DIRECTOR,
    is_at_least,
    move_certificates,
    shares_held,
    shares_of,
)
from services.rules.parts.shares.state import companies_of, stock_turn
from services.rules.parts.shares.trading import (
    PurchaseTerms,
    StartTerms,
    cell_of_price,
    check_not_sold,
    check_printed,
    purchase_action,
    set_par,
    start_action,
    start_at_par,
)
from services.rules.parts.trains.events import TrainMoved
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.commands import BuyCompany
from services.rules.titles.g1824.companies import (
    COAL,
    MAJORS,
    MOUNTAIN,
    NATIONAL,
    PRIVATES,
    REGIONAL,
    in_play,
    of_kind,
    plain_for_sale,
    require_company,
    shares_traded,
)
from services.rules.titles.g1824.figures import cards_of, figures_of
from services.rules.titles.g1824.holderlist import Trade, first_director, goes_by_list
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import bond_of, reserved_of

# The cells of the chart in which regionals start (I-i).
STARTING_PRICES = "par_regional"


def check_may_buy(game: Game, context: Context, player: str, company: str, source: str = BANK) -> None:
    """What every purchase needs: none before in this turn, no debt, room under both limits (VI.1-c, VI.7, VII.12-g). Shares
    of the pool may take a player above the second one (X.4-c)."""
    data = context.data
    reject_if(bool(stock_turn(game).bought), "already_bought", "1824/VI.1-c")
    reject_if(player in game.debts, "1824.in_debt", "1824/VII.12-g")
    if cards_of(data)[company].counts_for_limit:
        check_limit(game, data, player, "1824/VI.7-b")
    highest = cards_of(data)[company].max_percent
    if highest is not None and source != POOL:
        held = shares_held(game, data, player, company)
        reject_if(is_at_least(game, company, held, highest), "1824.holding_limit", "1824/VI.7-d")


def _check_company(game: Game, context: Context, player: str, command: BuyCompany) -> None:
    data = context.data
    require_company(game, data, command.company, *PRIVATES)
    reject_if(
        companies_of(game)[command.company].bought, "company_not_offered", "1824/VI.3-a", command.company
    )
    company = cards_of(data)[command.company]
    if figures_of(data).construction and company.kind == MOUNTAIN:
        has_one = any(companies_of(game)[each].director == player for each in of_kind(data, MOUNTAIN))
        reject_if(has_one, "company_not_offered", "1824/X.5-g", command.company)
    offered = company.price_options or (company.price,)
    reject_if(command.price not in offered, "price_not_offered", "1824/IV.2-b", str(command.price))
    check_may_buy(game, context, player, command.company)
    check_cash(game, player, command.price, "1824/VI.4-d")


def _perform_company(draft: Draft, context: Context, player: str, command: BuyCompany) -> None:
    """The owner pays the bank; the company gets its capital and, if a coal company, its 1g-train and its regional's price."""
    data, symbol, price = context.data, command.company, command.price
    company = cards_of(data)[symbol]
    draft.pay(player, BANK, price, "company_bought", symbol)
    move_certificates(draft, symbol, (DIRECTOR,), BANK, player, "bought")
    draft.emit(CompanyBought(symbol, player, price))
    if company.treasury_price_less is not None:
        draft.emit(CompanyOpened(symbol))
        draft.pay(BANK, symbol, price - company.treasury_price_less, "capital_paid_in", symbol)
    if company.first_train:
        train = f"{company.first_train}-{trains_of(draft.game).depot_gone.get(company.first_train, 0)}"
        draft.emit(TrainMoved(train, BANK, symbol, "1824.granted"))
    if company.kind == COAL and company.exchange and company.exchange.company:
        par = price // company.exchange.shares
        set_par(draft, company.exchange.company, par, cell_of_price(data, STARTING_PRICES, par))
    note_purchase(draft, player, symbol)


def _company_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for symbol in of_kind(context.data, *PRIVATES):
        if in_play(game, symbol) and not companies_of(game)[symbol].bought:
            company = cards_of(context.data)[symbol]
            prices = company.price_options or (company.price or 0,)
            for price in (price for price in prices if price <= game.money(player)):
                yield Choice(player, BuyCompany(symbol, price), cost=price)


def _wanted(game: Game, command: BuyCertificate) -> int:
    """The certificate meant: the one named, else the first plain one (-1 when there is none)."""
    if command.number >= 0:
        return command.number
    return next(iter(plain_for_sale(game, command.company, command.source)), -1)


def _check_certificate(game: Game, context: Context, player: str, command: BuyCertificate) -> None:
    data, symbol = context.data, command.company
    require_company(game, data, symbol, *MAJORS)
    sources = {BANK, figures_of(data).sales_to}
    reject_if(command.source not in sources, "certificate_not_available", "1824/VI.1-a", command.source)
    check_not_sold(game, player, symbol, "1824/VI.4-e")
    reject_if(not price_of(game, data, symbol), "company_without_price", "1824/VI.4-b", symbol)
    number = _wanted(game, command)
    check_printed(data, symbol, number)
    reject_if(number < 0, "certificate_not_available", "1824/VI.4-a", symbol)
    reject_if(number in reserved_of(game, symbol), "certificate_reserved", "1824/IV.2-l", symbol)
    of_state = number == DIRECTOR and cards_of(data)[symbol].kind == NATIONAL
    reject_if(of_state, "certificate_reserved", "1824/VI.3-f", symbol)
    there = number in game.held(command.source, symbol)
    reject_if(not there, "certificate_not_available", "1824/VI.4-a", symbol)
    check_may_buy(game, context, player, symbol, command.source)
    check_cash(game, player, _cost(game, data, command), "1824/VI.4-d")


def _cost(game: Game, data: TitleData, command: BuyCertificate) -> int:
    symbol = command.company
    return price_of(game, data, symbol) * shares_of(data, symbol, (_wanted(game, command),))


def _offers(game: Game, context: Context) -> Iterator[tuple[BuyCertificate, int]]:
    for symbol in of_kind(context.data, *MAJORS):
        price = price_of(game, context.data, symbol)
        for source in dict.fromkeys((BANK, figures_of(context.data).sales_to)):
            yield BuyCertificate(symbol, source), price
        if symbol == bond_of(game) and DIRECTOR in game.held(POOL, symbol):
            yield BuyCertificate(symbol, POOL, DIRECTOR), price * shares_of(context.data, symbol, (DIRECTOR,))


def _check_unpriced(game: Game, context: Context, symbol: str) -> None:
    data = context.data
    require_company(game, data, symbol, *MAJORS)
    reject_if(bool(price_of(game, data, symbol)), "company_has_price", "1824/VI.4-b", symbol)
    reject_if(DIRECTOR in reserved_of(game, symbol), "certificate_reserved", "1824/IV.2-l", symbol)
    in_bank = DIRECTOR in game.held(BANK, symbol)
    reject_if(not in_bank, "certificate_not_available", "1824/VI.4-b", symbol)


def _start(draft: Draft, context: Context, player: str, command: StartCompany) -> None:
    data, symbol = context.data, command.company
    start_at_par(draft, data, player, command, STARTING_PRICES)
    by_list = goes_by_list(draft.game)
    if plays(draft.game, "regional_without_price", "no_director"):
        director = first_director(draft.game, data, symbol, player) if by_list else player
        draft.emit(DirectorChanged(symbol, director))
    shares_traded(draft, data, Trade(symbol, (DIRECTOR,), BANK, player))


def _settle(draft: Draft, context: Context, player: str, symbol: str) -> None:
    bought = next(event for event in reversed(draft.events) if isinstance(event, CertificatesMoved))
    shares_traded(draft, context.data, Trade(symbol, bought.numbers, bought.source, player))


def _startable(game: Game, context: Context, player: str) -> tuple[str, ...]:
    return of_kind(context.data, REGIONAL)


BUY_COMPANY = Action(_check_company, _perform_company, _company_candidates)
BUY_CERTIFICATE = purchase_action(
    PurchaseTerms(
        _check_certificate,
        _wanted,
        _cost,
        _offers,
        _settle,
    )
)
START_COMPANY = start_action(
    StartTerms(_startable, _check_unpriced, _start, "1824/VI.4-c", "1824/VI.4-d", check_may_buy)
)
