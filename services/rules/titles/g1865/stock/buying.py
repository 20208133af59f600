"""Buying certificates in a stock round of 1865: from the offer, the bank pool and the Dragons (4.4)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import POOL
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.commands import BuyCertificate
from services.rules.parts.shares.limits import check_limit
from services.rules.parts.shares.shares import is_more_than, plain_held, shares_held
from services.rules.parts.shares.trading import (
    PurchaseTerms,
    check_not_sold,
    check_printed,
    purchase_action,
)
from services.rules.titles.g1865.companies import is_launched, price_with_premium
from services.rules.titles.g1865.dragontable import table_of
from services.rules.titles.g1865.figures import figures_of, railway_cards
from services.rules.titles.g1865.stock.starting import after_purchase


def sources_of(data: TitleData, company: str) -> tuple[str, ...]:
    """Where certificates of a company are for sale: its offer, the bank pool, the Dragons (4.4-j)."""
    return company, POOL, table_of(data).holder


def cost_of(game: Game, data: TitleData, command: BuyCertificate) -> int:
    """The value of a share, with the premium of its zone where the Dragons sell it (4.4-k to 4.4-n)."""
    if command.source == table_of(data).holder:
        return price_with_premium(game, data, command.company)
    return price_of(game, data, command.company)


def _check(game: Game, context: Context, player: str, command: BuyCertificate) -> None:
    data, company = context.data, command.company
    reject_if(company not in railway_cards(data), "unknown_company", detail=company)
    reject_if(not is_launched(game, company), "company_without_price", "1865/4.6-a", company)
    check_printed(data, company, command.number)
    there = plain_held(game, company, command.source) if command.source in sources_of(data, company) else ()
    is_there = command.number in there if command.number >= 0 else bool(there)
    reject_if(not is_there, "certificate_not_available", "1865/4.4-j", company)
    check_not_sold(game, player, company, "1865/4.4-o")
    shares, most = shares_held(game, data, player, company), figures_of(data).player_percent_most
    reject_if(is_more_than(game, company, shares + 1, most), "1865.percent_limit", "1865/4.4-p", company)
    check_limit(game, data, player, "1865/4.4-q")
    check_cash(game, player, cost_of(game, data, command), "1865/4.4-k")


def _wanted(game: Game, command: BuyCertificate) -> int:
    if command.number >= 0:
        return command.number
    return plain_held(game, command.company, command.source)[0]


def _offers(game: Game, context: Context) -> Iterator[tuple[BuyCertificate, int]]:
    for company in railway_cards(context.data):
        if is_launched(game, company):
            for source in sources_of(context.data, company):
                command = BuyCertificate(company, source)
                yield command, cost_of(game, context.data, command)


def _settle(draft: Draft, context: Context, player: str, company: str) -> None:
    after_purchase(draft, context.data, player, company)


BUY = purchase_action(PurchaseTerms(_check, _wanted, cost_of, _offers, _settle))
