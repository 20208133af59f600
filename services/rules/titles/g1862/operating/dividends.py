"""Dividing what a company's trains earned in 1862, and the share price after it (7.8.5)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceMoved
from services.rules.parts.market.market import price_at, price_of, target
from services.rules.parts.market.state import market_of
from services.rules.parts.trains.commands import DeclareDividend
from services.rules.parts.trains.dividends import dividend_step, pay_out, withhold
from services.rules.parts.trains.state import train_turn
from services.rules.titles.g1862.companies import decides, in_receivership
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.operating.hudson import added_by_hudson, check_hudson
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.trains.bankruptcy import go_bankrupt
from services.rules.titles.g1862.trains.warranties import lose_warranties

HUDSON = "1862.hudson"
KINDS = ("pay", "withhold", HUDSON)


def spaces_right(data: TitleData, price: int, dividend: int) -> int:
    """How many spaces a dividend lifts the price: as often as it holds the price, at most four times (1862/7.8.5-f)."""
    return min(dividend // price, figures_of(data).spaces_most)


def _check_kind(game: Game, context: Context, command: DeclareDividend) -> None:
    if command.kind == HUDSON:
        check_hudson(game, context.data, command.company)


def divide(draft: Draft, context: Context, symbol: str, kind: str) -> None:
    """Warranties go, the subsidy comes in, the revenue is paid or kept, and the price moves."""
    data = context.data
    added = added_by_hudson(draft.game, data, symbol) if kind == HUDSON else 0
    lose_warranties(draft, data, symbol)
    draft.pay(BANK, symbol, train_turn(draft.game).treasury_income, "1862.subsidy", symbol)
    draft.pay(symbol, BANK, added, HUDSON, symbol)
    revenue = train_turn(draft.game).revenue + added
    if kind == "withhold":
        withhold(draft, symbol, kind, revenue)
    else:
        # Shares in the pool and in the bank's initial offer earn nothing.
        pay_out(draft, data, symbol, kind, revenue, (*draft.game.players, symbol))
    _move_price(draft, data, symbol, 0 if kind == "withhold" else revenue)
    if not price_of(draft.game, data, symbol):
        go_bankrupt(draft, context, symbol, "price")


def _move_price(draft: Draft, data: TitleData, symbol: str, dividend: int) -> None:
    """Left without a dividend, else right as the dividend allows; the marker goes under all others even on its own space
    (1862/7.8.5-d to 7.8.5-g)."""
    moves, cell = chart_of(data).moves, market_of(draft.game).markers[symbol]
    reason: str = "dividend" if dividend > 0 else "withheld"
    if dividend > 0:
        goal = target(data, cell, moves.dividend, spaces_right(data, price_at(data, cell), dividend))
    else:
        goal = target(data, cell, moves.no_dividend)
    if goal != cell or plays(draft.game, "unmoved_marker", "goes_under"):
        draft.emit(PriceMoved(symbol, goal[0], goal[1], reason, price_at(data, goal)))


def _begin(draft: Draft, context: Context) -> None:
    """A company in receivership withholds everything, and nothing earned is nothing to decide (1862/7.3-d, 7.8.5-d)."""
    game = draft.game
    if in_receivership(game, game.actor) or train_turn(game).revenue <= 0:
        divide(draft, context, game.actor, "withhold")


DIVIDE = dividend_step(
    decides, lambda data, company: KINDS, divide, "1862/7.8.5-a", _check_kind, begin=_begin
)
