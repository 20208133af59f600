"""Quotation: half of a company is bought, it gets its money and tokens and operates from now on (6.5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import BuyTokens
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.questions import player_asked
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import percent_held
from services.rules.domain.title import Action, Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.companies import decider, is_quoted, is_started


def offer_holder(game: Game, symbol: str) -> str:
    """Who holds the unsold certificates of a company: the bank for a chartered one, else the company (4.2-i, 6.5.3-g)."""
    return e.BANK if game.companies[symbol].chartered or not is_started(game, symbol) else symbol


def quote_if_ready(draft: Draft, context: Context, symbol: str) -> None:
    """Quote a company once half of it was bought from the initial offer or from itself (1862/6.5.4-a)."""
    game, data = draft.game, context.data
    if is_quoted(game, symbol) or not is_started(game, symbol):
        return
    unsold = percent_held(game, data, offer_holder(game, symbol), symbol)
    if 100 - unsold < (data.companies[symbol].float_percent or 0):
        return
    draft.emit(e.CompanyOpened(symbol))
    if game.companies[symbol].chartered:
        _quote_chartered(draft, data, symbol)
    else:
        draft.emit(e.InterruptRaised("buy_tokens", decider(draft.game, data, symbol), symbol))


def _quote_chartered(draft: Draft, data: TitleData, symbol: str) -> None:
    """Ten times par into the treasury, three tokens out of it; the obligation is met (6.5.4.1-a, 6.5.4.2-a, 4.3-a)."""
    company = draft.game.companies[symbol]
    limits = data.figures.limits
    if symbol not in draft.game.markers:
        place_marker(draft, data, symbol, company.par)
    draft.pay(
        e.BANK, symbol, data.companies[symbol].capital_times_price * company.par, "capital_paid_in", symbol
    )
    _take_tokens(draft, symbol, limits["chartered_tokens"], limits["chartered_token_cost"])
    for player, obliged in draft.game.obligations:
        if obliged == symbol:
            draft.emit(e.ObligationEnded(player, symbol, met=True))


def place_marker(draft: Draft, data: TitleData, symbol: str, price: int) -> None:
    """Put the marker of a company on the market, beneath those already there (1862/6.5.3-d)."""
    column = data.market.rows[0].index(price)
    draft.emit(e.PriceStarted(symbol, price, 0, column))


def _take_tokens(draft: Draft, symbol: str, count: int, cost: int) -> None:
    draft.pay(symbol, e.BANK, count * cost, "token_cost", symbol)
    draft.emit(e.CharterTokensSet(symbol, (0,) * count))


def most_tokens(data: TitleData) -> int:
    """How many tokens a company can have at all: seven, or eight by agreement (1862/2.1-b, 7.5.6-e, 11.4-a)."""
    limits = data.figures.limits
    eight = "eight_stations" in data.variants
    return limits["tokens_most_with_eight_stations"] if eight else limits["tokens_most"]


def _check(game: Game, context: Context, player: str, command: BuyTokens) -> None:
    limits, due = context.data.figures.limits, game.interrupts[0].company
    refuse_if(command.company != due, "interrupt_first", "1862/6.5.4.2-b", due)
    possible = limits["tokens_least"] <= command.count <= most_tokens(context.data)
    refuse_if(not possible, "token_count", "1862/6.5.4.2-a", str(command.count))
    payable = command.count * limits["token_cost"] <= game.money(due)
    refuse_if(not payable, "token_count", "1862/6.5.4.2-b", str(command.count))


def _perform(draft: Draft, context: Context, player: str, command: BuyTokens) -> None:
    _take_tokens(draft, command.company, command.count, context.data.figures.limits["token_cost"])
    draft.emit(e.InterruptSettled("buy_tokens", command.company))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    limits, due = context.data.figures.limits, game.interrupts[0].company
    for count in range(limits["tokens_least"], most_tokens(context.data) + 1):
        yield Choice(player, BuyTokens(due, count), cost=count * limits["token_cost"])


BUY_TOKENS = Step("buy_tokens", {BuyTokens: Action(_check, _perform, _candidates)}, player_asked)
