"""The exchange of shares 2 for 1: how it starts, goes round the holders, asks for their options and ends (1862/5.2).

The shares in the treasuries of the companies concerned lie together with the company that started it (1862/5.2.4-a)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import SettleOption
from services.rules.domain.draft import Draft
from services.rules.domain.game import Exchange, Game, Option
from services.rules.domain.market import price_of
from services.rules.domain.questions import player_asked
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import DIRECTOR, holders, percent_of, swap_director
from services.rules.domain.title import Action, Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.absorbing import absorb
from services.rules.titles.g1862.companies import clockwise_from
from services.rules.titles.g1862.conversion import companies_in, convert, give_up, option_of, under_way
from services.rules.titles.g1862.directors import certificate_holder
from services.rules.titles.g1862.newprice import refinancing_brings, set_new_price


def start(
    draft: Draft, context: Context, kind: e.ExchangeKind, survivor: str, other: str, player: str
) -> None:
    """Exchange the shares of `survivor` and `other` (empty: a refinancing), begun by `player` for the company at turn; goes
    on until somebody has an option to settle."""
    data = context.data
    companies = (survivor, other) if other else (survivor,)
    origin = draft.game.actor if other else survivor
    for company in companies:
        draft.move_certificates(company, draft.game.held(e.BANK, company), e.BANK, e.POOL, "merged")
    price = set_new_price(draft, data, survivor, other) if other else price_of(draft.game, data, survivor)
    for company in companies:
        if company != origin:
            draft.move_certificates(company, draft.game.held(company, company), company, origin, "merged")
    seats = (*clockwise_from(draft.game, player), origin)
    concerned = tuple(
        holder for holder in seats if any(draft.game.held(holder, company) for company in companies)
    )
    draft.emit(e.ExchangeStarted(kind, survivor, other, player, price, concerned))
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
                player = exchange.player if holder in context.data.companies else holder
                draft.emit(e.InterruptRaised("settle_option", player, exchange.company, holder))
                return
            give_up(draft, holder, option.give_up_price)
        draft.emit(e.HolderSettled(holder))
    _end(draft, context)


def _put_cash_together(draft: Draft, data: TitleData, holder: str) -> None:
    """The companies concerned are one holder, with one purse (1862/5.2.4-a)."""
    if holder in data.companies:
        for company in companies_in(under_way(draft.game)):
            if company != holder:
                draft.pay(company, holder, draft.game.money(company), "treasury_transferred", company)


def _end(draft: Draft, context: Context) -> None:
    exchange = under_way(draft.game)
    _settle_director(draft, context.data, exchange)
    if exchange.kind == "refinancing":
        capital = refinancing_brings(draft.game, context.data, exchange.company)
        draft.pay(e.BANK, exchange.company, capital, "refinancing", exchange.company)
        draft.emit(e.ExchangeEnded(exchange.company))
    else:
        absorb(draft, context)


def _settle_director(draft: Draft, data: TitleData, exchange: Exchange) -> None:
    """The player with most shares directs, the first clockwise from the one who started it among equals; with less than
    the director's certificate's worth nobody does (1862/5.2.5)."""
    company = exchange.company
    shares = holders(draft.game, data, company)
    most = max(shares.values(), default=0)
    director = ""
    if most >= percent_of(data, company, (DIRECTOR,)):
        seats = clockwise_from(draft.game, exchange.player)
        director = next(player for player in seats if shares.get(player) == most)
    if director != draft.game.companies[company].director:
        draft.emit(e.DirectorChanged(company, director))
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
    refuse_if(command.redeem and missing > 0, "option_not_payable", "1862/5.2.4-o", str(missing))


def _perform(draft: Draft, context: Context, player: str, command: SettleOption) -> None:
    option = _option_asked(draft.game)
    draft.emit(e.InterruptSettled("settle_option", draft.game.interrupts[0].company))
    if command.redeem:
        draft.pay(option.holder, e.BANK, option.redeem_price, "option_redeemed", option.company)
        draft.emit(e.OptionSettled(option.holder, option.company, option.number, redeemed=True))
    else:
        give_up(draft, option.holder, option.give_up_price)
    draft.emit(e.HolderSettled(option.holder))
    go_on(draft, context)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, SettleOption(True), cost=_option_asked(game).redeem_price)
    yield Choice(player, SettleOption(False))


SETTLE_OPTION = Step("settle_option", {SettleOption: Action(_check, _perform, _candidates)}, player_asked)
