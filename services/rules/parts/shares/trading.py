"""Starting companies and buying certificates in a stock round or after an auction.

A title says what it refuses and what follows from a purchase; what a purchase itself is, is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.data import MarketCell, chart_of
from services.rules.parts.market.events import PriceStarted
from services.rules.parts.market.market import price_at
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.dealing import note_purchase
from services.rules.parts.shares.events import CompanyOpened, ParSet
from services.rules.parts.shares.shares import DIRECTOR, is_at_least, move_certificates, shares_of
from services.rules.parts.shares.state import companies_of, stock_round


def check_not_sold(game: Game, player: str, company: str, clause: str) -> None:
    """Reject a company of which the player sold shares in this stock round."""
    reject_if((player, company) in stock_round(game).sold, "sold_this_round", clause, company)


def check_printed(data: TitleData, company: str, number: int) -> None:
    """Reject a certificate that the company does not have."""
    unknown = number >= len(cards_of(data)[company].certificates)
    reject_if(unknown, "unknown_certificate", detail=str(number))


def set_par(draft: Draft, company: str, price: int, cell: MarketCell) -> None:
    """The first price of a company, and its marker in that cell of the market."""
    draft.emit(ParSet(company, price))
    draft.emit(PriceStarted(company, price, *cell))


def cell_of_price(data: TitleData, zone: str, price: int) -> MarketCell:
    """The cell of a zone of the chart that shows this price."""
    return next(cell for cell in chart_of(data).zones[zone] if price_at(data, cell) == price)


def take_certificate(
    draft: Draft, player: str, company: str, number: int, cost: int, source: str = BANK, payee: str = BANK
) -> None:
    """The player pays `payee` and gets the certificate from `source`."""
    draft.pay(player, payee, cost, "certificate_bought", company)
    move_certificates(draft, company, (number,), source, player, "bought")


def start_at_par(draft: Draft, data: TitleData, player: str, command: StartCompany, zone: str) -> None:
    """The company gets its price in a zone of the chart, and the player its director's certificate from the bank."""
    company, price = command.company, command.price
    set_par(draft, company, price, cell_of_price(data, zone, price))
    take_certificate(draft, player, company, DIRECTOR, cost_to_start(data, company, price))
    note_purchase(draft, player, company)


def is_enough_to_open(game: Game, data: TitleData, company: str, shares: int) -> bool:
    """Whether so many shares of a company in players' hands open it."""
    return is_at_least(game, company, shares, cards_of(data)[company].float_percent or 0)


def open_with_capital(draft: Draft, company: str, times_price: int) -> None:
    """The company is open, and the bank pays it so many times the first price of a share."""
    draft.emit(CompanyOpened(company))
    capital = times_price * companies_of(draft.game)[company].par
    draft.pay(BANK, company, capital, "capital_paid_in", company)


def cost_to_start(data: TitleData, company: str, price: int) -> int:
    """What the director's certificate costs at this price of a share."""
    return shares_of(data, company, (DIRECTOR,)) * price


def printed_prices(game: Game, data: TitleData, company: str) -> tuple[int, ...]:
    """The prices on the company's card."""
    return cards_of(data)[company].par_prices


def may_buy(game: Game, context: Context, player: str, company: str) -> None:
    """Nobody is refused but for want of money."""


@dataclass(frozen=True, slots=True)
class StartTerms:
    """How a player starts a company by buying its director's certificate.

    `companies`: those that are offered to a player; `check_company` refuses one that cannot be started, `check_player` a player
    who may not buy it. `start` carries the purchase out. `not_offered`, `too_dear`: the clauses that refuse a price that is
    not among `prices`, and one that the player cannot pay."""

    companies: Callable[[Game, Context, str], Iterable[str]]
    check_company: Callable[[Game, Context, str], None]
    start: Callable[[Draft, Context, str, StartCompany], None]
    not_offered: str
    too_dear: str
    check_player: Callable[[Game, Context, str, str], None] = may_buy
    prices: Callable[[Game, TitleData, str], tuple[int, ...]] = printed_prices


def start_action(terms: StartTerms) -> Action:
    """The command `StartCompany`."""

    def check(game: Game, context: Context, player: str, command: StartCompany) -> None:
        data, company, price = context.data, command.company, command.price
        terms.check_company(game, context, company)
        offered = price in terms.prices(game, data, company)
        reject_if(not offered, "price_not_offered", terms.not_offered, str(price))
        terms.check_player(game, context, player, company)
        check_cash(game, player, cost_to_start(data, company, price), terms.too_dear)

    def candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
        for company in terms.companies(game, context, player):
            for price in terms.prices(game, context.data, company):
                cost = cost_to_start(context.data, company, price)
                if cost <= game.money(player):
                    yield Choice(player, StartCompany(company, price), cost=cost)

    return Action(check, terms.start, candidates)


def nothing_else(draft: Draft, context: Context, player: str, command: BuyCertificate) -> None:
    """The player gets the certificate and no more."""


@dataclass(frozen=True, slots=True)
class PurchaseTerms:
    """How a player buys a certificate.

    `check` refuses a purchase. `wanted`: the certificate that a command means; `cost`: what it costs. `offers`: what may be on
    sale, and at what cost, 0 where there is no price. `settle`: what follows from the purchase of a company's certificate,
    `with_it`: what goes with the certificate itself."""

    check: Callable[[Game, Context, str, BuyCertificate], None]
    wanted: Callable[[Game, BuyCertificate], int]
    cost: Callable[[Game, TitleData, BuyCertificate], int]
    offers: Callable[[Game, Context], Iterable[tuple[BuyCertificate, int]]]
    settle: Callable[[Draft, Context, str, str], None]
    with_it: Callable[[Draft, Context, str, BuyCertificate], None] = nothing_else


def purchase_action(terms: PurchaseTerms) -> Action:
    """The command `BuyCertificate`. A company is paid for what it sells itself, the bank for everything else."""

    def perform(draft: Draft, context: Context, player: str, command: BuyCertificate) -> None:
        game, company, source = draft.game, command.company, command.source
        payee = company if source == company else BANK
        cost = terms.cost(game, context.data, command)
        take_certificate(draft, player, company, terms.wanted(game, command), cost, source, payee)
        terms.with_it(draft, context, player, command)
        note_purchase(draft, player, company)
        terms.settle(draft, context, player, company)

    def candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
        cash = game.money(player)
        for command, cost in terms.offers(game, context):
            if 0 < cost <= cash and game.held(command.source, command.company):
                yield Choice(player, command, cost=cost)

    return Action(terms.check, perform, candidates)
