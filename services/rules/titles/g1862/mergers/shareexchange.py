"""The exchange of shares 2 for 1: how it starts, goes round the holders, asks for their options and ends (1862/5.2).

The shares in the treasuries of the companies concerned lie together with the company that started it (1862/5.2.4-a)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import InterruptRaised, InterruptSettled
from services.rules.kernel.game import Game
from services.rules.kernel.questions import player_asked
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import clockwise_from
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import DirectorChanged
from services.rules.parts.shares.shares import DIRECTOR, holders, move_certificates, shares_of, swap_director
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.commands import SettleOption
from services.rules.titles.g1862.events import ExchangeEnded, ExchangeStarted, HolderSettled, OptionSettled
from services.rules.titles.g1862.mergers.absorption import absorb
from services.rules.titles.g1862.mergers.holderexchange import (
    companies_in,
    convert,
    give_up,
    option_of,
    under_way,
)
from services.rules.titles.g1862.mergers.newprice import refinancing_brings, set_new_price
from services.rules.titles.g1862.state import Exchange, Option
from services.rules.titles.g1862.stock.directors import certificate_holder


def start(draft: Draft, context: Context, kind: str, survivor: str, other: str, player: str) -> None:
    """Exchange the shares of `survivor` and `other` (empty: a refinancing), begun by `player` for the company at turn; goes
    on until somebody has an option to settle."""
    data = context.data
    companies = (survivor, other) if other else (survivor,)
    origin = draft.game.actor if other else survivor
    for company in companies:
        move_certificates(draft, company, draft.game.held(BANK, company), BANK, POOL, "1862.merged")
    price = set_new_price(draft, data, survivor, other) if other else price_of(draft.game, data, survivor)
    for company in companies:
        if company != origin:
            move_certificates(
                draft, company, draft.game.held(company, company), company, origin, "1862.merged"
            )
    seats = (*clockwise_from(draft.game, player), origin)
    concerned = tuple(
        holder for holder in seats if any(draft.game.held(holder, company) for company in companies)
    )
    draft.emit(ExchangeStarted(kind, survivor, other, player, price, concerned))
    go_on(draft, context)


def go_on(draft: Draft, context: Context) -> None:
    """Let the holders act in their order; an option nobody can choose about is given up (1862/5.2.4-b, 5.2.4-o)."""
    while under_way(draft.game).holders:
        holder = under_way(draft.game).holders[0]
        convert(draft, context.data, holder)
        option = option_of(draft.game, holder)
        if option is not None:
            _put_cash_together(draft, context.data, holder)
            if draft.game.money(holder) >= option.redeem_price:
                exchange = under_way(draft.game)
                player = exchange.player if holder in cards_of(context.data) else holder
                draft.emit(InterruptRaised("1862.settle_option", player, exchange.company, holder))
                return
            give_up(draft, holder, option.give_up_price)
        draft.emit(HolderSettled(holder))
    _end(draft, context)


def _put_cash_together(draft: Draft, data: TitleData, holder: str) -> None:
    """The companies concerned are one holder, with one purse (1862/5.2.4-a)."""
    if holder in cards_of(data):
        for company in companies_in(under_way(draft.game)):
            if company != holder:
                draft.pay(company, holder, draft.game.money(company), "treasury_transferred", company)


def _end(draft: Draft, context: Context) -> None:
    exchange = under_way(draft.game)
    _settle_director(draft, context.data, exchange)
    if exchange.kind == "refinancing":
        capital = refinancing_brings(draft.game, context.data, exchange.company)
        draft.pay(BANK, exchange.company, capital, "1862.refinancing", exchange.company)
        draft.emit(ExchangeEnded(exchange.company))
    else:
        absorb(draft, context)


def _settle_director(draft: Draft, data: TitleData, exchange: Exchange) -> None:
    """The player with most shares directs, the first clockwise from the one who started it among equals; with less than
    the director's certificate's worth nobody does (1862/5.2.5)."""
    company = exchange.company
    shares = holders(draft.game, data, company)
    most = max(shares.values(), default=0)
    director = ""
    if most >= shares_of(data, company, (DIRECTOR,)):
        seats = clockwise_from(draft.game, exchange.player)
        director = next(player for player in seats if shares.get(player) == most)
    if director != companies_of(draft.game)[company].director:
        draft.emit(DirectorChanged(company, director))
    if director:
        swap_director(draft, data, company, certificate_holder(draft.game, company), director)


def _option_asked(game: Game) -> Option:
    option = option_of(game, game.interrupts[0].subject)
    if option is None:
        raise ValueError(f"{game.interrupts[0].subject} has no option")
    return option


def _check(game: Game, context: Context, player: str, command: SettleOption) -> None:
    option = _option_asked(game)
    missing = option.redeem_price - game.money(option.holder)
    reject_if(command.redeem and missing > 0, "1862.option_not_payable", "1862/5.2.4-o", str(missing))


def _perform(draft: Draft, context: Context, player: str, command: SettleOption) -> None:
    option = _option_asked(draft.game)
    draft.emit(InterruptSettled("1862.settle_option", draft.game.interrupts[0].company))
    if command.redeem:
        draft.pay(option.holder, BANK, option.redeem_price, "1862.option_redeemed", option.company)
        draft.emit(OptionSettled(option.holder, option.company, option.number, redeemed=True))
    else:
        give_up(draft, option.holder, option.give_up_price)
    draft.emit(HolderSettled(option.holder))
    go_on(draft, context)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, SettleOption(True), cost=_option_asked(game).redeem_price)
    yield Choice(player, SettleOption(False))


SETTLE_OPTION = Step("settle_option", {SettleOption: Action(_check, _perform, _candidates)}, player_asked)
