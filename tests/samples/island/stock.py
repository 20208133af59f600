"""Stock rounds of Island Railways: start a company or buy one share a turn, until all pass."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.payments import check_cash
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context, Step
from services.rules.kernel.turns import actor_alone, end_player_turn
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.commands import BuyCertificate, StartCompany
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.limits import check_limit
from services.rules.parts.shares.shares import holders, plain_held, settle_director
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.stockround import end_turn_action, plain_round
from services.rules.parts.shares.trading import (
    PurchaseTerms,
    StartTerms,
    is_enough_to_open,
    open_with_capital,
    purchase_action,
    start_action,
    start_at_par,
)


def _check_limit(game: Game, context: Context, player: str, company: str) -> None:
    check_limit(game, context.data, player, "island/1")


def _settle(draft: Draft, context: Context, player: str, company: str) -> None:
    """See who directs, and open the company once enough of it is sold; that ends the turn."""
    data = context.data
    settle_director(draft, data, company)
    sold = sum(holders(draft.game, data, company).values())
    is_open = companies_of(draft.game)[company].opened
    if not is_open and is_enough_to_open(draft.game, data, company, sold):
        open_with_capital(draft, company, cards_of(data)[company].capital_times_price)
    end_player_turn(draft, player)


def _check_company(game: Game, context: Context, company: str) -> None:
    reject_if(company not in cards_of(context.data), "unknown_company", detail=company)
    reject_if(bool(companies_of(game)[company].par), "company_has_price", "island/1")


def _start(draft: Draft, context: Context, player: str, command: StartCompany) -> None:
    start_at_par(draft, context.data, player, command, "start")
    _settle(draft, context, player, command.company)


def _check_share(game: Game, context: Context, player: str, command: BuyCertificate) -> None:
    company = command.company
    reject_if(company not in cards_of(context.data), "unknown_company", detail=company)
    reject_if(not companies_of(game)[company].par, "company_without_price", "island/1")
    left = command.source == BANK and command.number == -1 and plain_held(game, company, BANK)
    reject_if(not left, "certificate_not_available", "island/1", company)
    _check_limit(game, context, player, company)
    check_cash(game, player, price_of(game, context.data, company), "island/1")


def _offers(game: Game, context: Context) -> Iterator[tuple[BuyCertificate, int]]:
    for company in cards_of(context.data):
        yield BuyCertificate(company), price_of(game, context.data, company)


START = start_action(
    StartTerms(
        lambda game, context, player: cards_of(context.data),
        _check_company,
        _start,
        not_offered="island/1",
        too_dear="island/1",
        check_player=_check_limit,
    )
)
SHARE = purchase_action(
    PurchaseTerms(
        _check_share,
        wanted=lambda game, command: plain_held(game, command.company, BANK)[0],
        cost=lambda game, data, command: price_of(game, data, command.company),
        offers=_offers,
        settle=_settle,
    )
)
ROUND = plain_round(
    Step("stock_turn", {StartCompany: START, BuyCertificate: SHARE, Pass: end_turn_action()}, actor_alone)
)
