"""Quotation: half of a company is bought, it gets its money and tokens and operates from now on (6.5.4)."""

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
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.map.events import CharterTokensSet
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceStarted
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.events import CompanyOpened
from services.rules.parts.shares.shares import shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.shares.trading import is_enough_to_open
from services.rules.titles.g1862.commands import BuyTokens
from services.rules.titles.g1862.companies import decider, is_quoted, is_started
from services.rules.titles.g1862.events import ObligationMet
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.state import charter_of, own


def offer_holder(game: Game, symbol: str) -> str:
    """Who holds the unsold certificates of a company: the bank for a chartered one, else the company (4.2-i, 6.5.3-g)."""
    return BANK if charter_of(game, symbol).chartered or not is_started(game, symbol) else symbol


def quote_if_ready(draft: Draft, context: Context, symbol: str) -> None:
    """Quote a company once half of it was bought from the initial offer or from itself (1862/6.5.4-a)."""
    game, data = draft.game, context.data
    if is_quoted(game, symbol):
        return
    unsold = shares_held(game, data, offer_holder(game, symbol), symbol)
    sold = companies_of(game)[symbol].shares - unsold
    if not is_enough_to_open(game, data, symbol, sold):
        return
    draft.emit(CompanyOpened(symbol))
    if charter_of(game, symbol).chartered:
        _quote_chartered(draft, data, symbol)
    else:
        draft.emit(InterruptRaised("1862.buy_tokens", decider(draft.game, data, symbol), symbol))


def _quote_chartered(draft: Draft, data: TitleData, symbol: str) -> None:
    """Ten times par into the treasury, three tokens out of it; the obligation is met (6.5.4.1-a, 6.5.4.2-a, 4.3-a)."""
    company = companies_of(draft.game)[symbol]
    limits = figures_of(data)
    if symbol not in market_of(draft.game).markers:
        place_marker(draft, data, symbol, company.par)
    draft.pay(
        BANK, symbol, cards_of(data)[symbol].capital_times_price * company.par, "capital_paid_in", symbol
    )
    _take_tokens(draft, symbol, limits.chartered_tokens, limits.chartered_token_cost)
    for player, obliged in own(draft.game).obligations:
        if obliged == symbol:
            draft.emit(ObligationMet(player, symbol))


def place_marker(draft: Draft, data: TitleData, symbol: str, price: int) -> None:
    """Put the marker of a company on the market, beneath those already there (1862/6.5.3-d)."""
    column = chart_of(data).rows[0].index(price)
    draft.emit(PriceStarted(symbol, price, 0, column))


def _take_tokens(draft: Draft, symbol: str, count: int, cost: int) -> None:
    draft.pay(symbol, BANK, count * cost, "token_cost", symbol)
    draft.emit(CharterTokensSet(symbol, (0,) * count))


def most_tokens(data: TitleData) -> int:
    """How many tokens a company can have at all: seven, or eight by agreement (1862/2.1-b, 7.5.6-e, 11.4-a)."""
    limits = figures_of(data)
    eight = "eight_stations" in data.variants
    return limits.tokens_most_with_eight_stations if eight else limits.tokens_most


def _check(game: Game, context: Context, player: str, command: BuyTokens) -> None:
    limits, due = figures_of(context.data), game.interrupts[0].company
    reject_if(command.company != due, "interrupt_first", "1862/6.5.4.2-b", due)
    possible = limits.tokens_least <= command.count <= most_tokens(context.data)
    reject_if(not possible, "1862.token_count", "1862/6.5.4.2-a", str(command.count))
    payable = command.count * limits.token_cost <= game.money(due)
    reject_if(not payable, "1862.token_count", "1862/6.5.4.2-b", str(command.count))


def _perform(draft: Draft, context: Context, player: str, command: BuyTokens) -> None:
    _take_tokens(draft, command.company, command.count, figures_of(context.data).token_cost)
    draft.emit(InterruptSettled("1862.buy_tokens", command.company))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    limits, due = figures_of(context.data), game.interrupts[0].company
    for count in range(limits.tokens_least, most_tokens(context.data) + 1):
        yield Choice(player, BuyTokens(due, count), cost=count * limits.token_cost)


BUY_TOKENS = Step("buy_tokens", {BuyTokens: Action(_check, _perform, _candidates)}, player_asked)
