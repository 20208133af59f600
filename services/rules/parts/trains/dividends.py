"""Dividing what a company's trains earned: the command, and paying it out or keeping it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep
from services.rules.kernel.vocabulary import BANK
from services.rules.parts.market.data import chart_of
from services.rules.parts.market.market import shift
from services.rules.parts.shares.shares import pay_holders
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.commands import DeclareDividend
from services.rules.parts.trains.events import DividendDeclared
from services.rules.parts.trains.state import train_turn

DECLARE_DIVIDEND = "declare_dividend"
WITHHOLD = "withhold"
Decides = Callable[[Game, Context], tuple[str, ...]]


def dividend_step(
    decides: Decides,
    kinds: Callable[[TitleData, str], tuple[str, ...]],
    divide: Callable[[Draft, Context, str, str], None],
    clause: str,
    check_kind: Callable[[Game, Context, DeclareDividend], None] = lambda game, context, command: None,
    begin: Callable[[Draft, Context], None] | None = None,
    is_asked: Callable[[Game], bool] = lambda game: True,
    keeps_all: Callable[[Game], bool] = lambda game: False,
) -> TurnStep:
    """The step in which a company divides what it earned.

    `kinds`: the ways open to a company, `clause` the one that lists them; `check_kind` refuses one of them. `divide`
    carries one out for a company. `begin`: what is divided without a question; if it is not given, nothing earned is nothing
    to decide, and a company that `keeps_all` is not asked. `is_asked`: whether anybody could be asked."""

    def check(game: Game, context: Context, player: str, command: DeclareDividend) -> None:
        reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
        allowed = kinds(context.data, command.company)
        reject_if(command.kind not in allowed, "dividend_kind", clause, command.kind)
        check_kind(game, context, command)

    def perform(draft: Draft, context: Context, player: str, command: DeclareDividend) -> None:
        divide(draft, context, command.company, command.kind)

    def candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
        for kind in kinds(context.data, game.actor):
            yield Choice(player, DeclareDividend(game.actor, kind))

    def withhold_unasked(draft: Draft, context: Context) -> None:
        if train_turn(draft.game).revenue <= 0 or keeps_all(draft.game):
            divide(draft, context, draft.game.actor, WITHHOLD)

    def is_waiting(game: Game, context: Context) -> bool:
        return is_asked(game) and not train_turn(game).dividend

    step = Step(DECLARE_DIVIDEND, {DeclareDividend: Action(check, perform, candidates)}, decides)
    return TurnStep(step, is_waiting, begin or withhold_unasked)


def divide_and_move(draft: Draft, data: TitleData, company: str, kind: str, revenue: int) -> None:
    """`company` keeps its revenue or pays it to the players, and its marker moves as a paid or missing dividend moves it."""
    keep_or_pay(draft, data, company, kind, revenue, draft.game.players)
    move_marker(draft, data, company, kind, revenue)


def move_marker(draft: Draft, data: TitleData, company: str, kind: str, revenue: int) -> None:
    """The marker of `company` moves as a paid or missing dividend moves it."""
    moves = chart_of(data).moves
    if kind != WITHHOLD and revenue > 0:
        shift(draft, data, company, moves.dividend, "dividend")
    else:
        shift(draft, data, company, moves.no_dividend, "withheld")


def keep_or_pay(
    draft: Draft, data: TitleData, company: str, kind: str, revenue: int, receivers: Iterable[str]
) -> int:
    """`company` keeps its revenue when `kind` is `withhold`; else the bank pays every share that one of `receivers` holds its
    part of it. Returns what a share gets."""
    if kind == WITHHOLD:
        draft.pay(BANK, company, revenue, "revenue_withheld", company)
        draft.emit(DividendDeclared(company, kind, revenue, 0, 0))
        return 0
    per_share = revenue // companies_of(draft.game)[company].shares
    share_count = pay_holders(draft, data, company, per_share, receivers)
    draft.emit(DividendDeclared(company, kind, revenue, per_share, share_count))
    return per_share
