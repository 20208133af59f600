"""Dividing what a company's trains earned in 1862, and the share price after it (7.8.5)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import DeclareDividend
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.market import price_at, price_of, target
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import PLAIN_PERCENT, percent_held
from services.rules.domain.title import Action, Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.bankruptcy import go_bankrupt
from services.rules.titles.g1862.companies import decides, in_receivership
from services.rules.titles.g1862.hudson import added_by_hudson, check_hudson
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.turnstep import TurnStep
from services.rules.titles.g1862.warranties import lose_warranties

DECLARE_DIVIDEND = "declare_dividend"
KINDS: tuple[e.DividendKind, ...] = ("pay", "withhold", "hudson")
# Four times the price and more is the longest way a dividend can lift it (1862/7.8.5-f).
SPACES_MOST = 4


def spaces_right(price: int, dividend: int) -> int:
    """How many spaces a dividend lifts the price: as often as it holds the price, at most four times (1862/7.8.5-f)."""
    return min(dividend // price, SPACES_MOST)


def _check(game: Game, context: Context, player: str, command: DeclareDividend) -> None:
    refuse_if(command.company != game.actor, "not_your_turn", detail=command.company)
    refuse_if(command.kind not in KINDS, "dividend_kind", "1862/7.8.5-a", command.kind)
    if command.kind == "hudson":
        check_hudson(game, context.data, command.company)


def _perform(draft: Draft, context: Context, player: str, command: DeclareDividend) -> None:
    divide(draft, context, command.company, command.kind)


def divide(draft: Draft, context: Context, symbol: str, kind: e.DividendKind) -> None:
    """Warranties go, the subsidy comes in, the revenue is paid or kept, and the price moves."""
    data = context.data
    added = added_by_hudson(draft.game, data, symbol) if kind == "hudson" else 0
    lose_warranties(draft, data, symbol)
    draft.pay(e.BANK, symbol, draft.game.turn.treasury_income, "subsidy", symbol)
    draft.pay(symbol, e.BANK, added, "hudson", symbol)
    revenue = draft.game.turn.revenue + added
    if kind == "withhold":
        draft.pay(e.BANK, symbol, revenue, "revenue_withheld", symbol)
        draft.emit(e.DividendDeclared(symbol, kind, revenue, 0))
    else:
        per_share = revenue // PLAIN_PERCENT
        _pay_holders(draft, data, symbol, per_share)
        draft.emit(e.DividendDeclared(symbol, kind, revenue, per_share))
    _move_price(draft, data, symbol, 0 if kind == "withhold" else revenue)
    if not price_of(draft.game, data, symbol):
        go_bankrupt(draft, context, symbol, "price")


def _pay_holders(draft: Draft, data: TitleData, symbol: str, per_share: int) -> None:
    """Players and the company's own treasury; shares in the pool and in the bank's initial offer bring nobody anything."""
    for holder in (*draft.game.players, symbol):
        shares = percent_held(draft.game, data, holder, symbol) // PLAIN_PERCENT
        draft.pay(e.BANK, holder, per_share * shares, "dividend", symbol)


def _move_price(draft: Draft, data: TitleData, symbol: str, dividend: int) -> None:
    """Left without a dividend, else right as the dividend allows; the marker goes under all others even on its own space
    (1862/7.8.5-d to 7.8.5-g)."""
    moves, cell = data.market.moves, draft.game.markers[symbol]
    reason: e.PriceReason = "dividend" if dividend > 0 else "withheld"
    if dividend > 0:
        goal = target(data, cell, moves.dividend, spaces_right(price_at(data, cell), dividend))
    else:
        goal = target(data, cell, moves.no_dividend)
    if goal != cell or plays(draft.game, "unmoved_marker", "goes_under"):
        draft.emit(e.PriceMoved(symbol, goal[0], goal[1], reason, price_at(data, goal)))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    for kind in KINDS:
        yield Choice(player, DeclareDividend(game.actor, kind))


def _is_waiting(game: Game, context: Context) -> bool:
    return not game.turn.dividend


def _begin(draft: Draft, context: Context) -> None:
    """A company in receivership withholds everything, and nothing earned is nothing to decide (1862/7.3-d, 7.8.5-d)."""
    game = draft.game
    if in_receivership(game, game.actor) or game.turn.revenue <= 0:
        divide(draft, context, game.actor, "withhold")


STEP = Step(DECLARE_DIVIDEND, {DeclareDividend: Action(_check, _perform, _candidates)}, decides)
DIVIDE = TurnStep(STEP, _is_waiting, _begin)
