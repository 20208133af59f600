"""Redeeming a share: a company buys one of its own back from the pool (1862/7.13)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.choice import Choice
from services.rules.domain.commands import Pass, RedeemCertificate
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.passing import PASS
from services.rules.domain.rejections import refuse_if
from services.rules.domain.shares import plain_for_sale
from services.rules.domain.title import Action, Context, Step
from services.rules.titles.g1862.companies import BEGINNERS, decides, in_receivership
from services.rules.titles.g1862.turnstep import TurnStep

REDEEM_SHARE = "redeem_share"
# By one ruling: what keeps a company from redeeming that could not while its refinancing waited for the holders.
MISSED: e.TurnAction = "redeeming_missed"


def _check(game: Game, context: Context, player: str, command: RedeemCertificate) -> None:
    symbol = command.company
    refuse_if(symbol not in context.data.companies, "unknown_company", detail=symbol)
    refuse_if(symbol != game.actor, "redeem_not_possible", "1862/7.13-c", symbol)
    refuse_if(BEGINNERS in game.options, "variant_forbids", "1862/11.3-b")
    refuse_if(in_receivership(game, symbol), "in_receivership", "1862/7.13-a", symbol)
    refuse_if("redeemed" in game.turn.actions, "redeem_not_possible", "1862/7.13-a", "one a turn")
    in_pool = plain_for_sale(game, symbol, e.POOL)
    refuse_if(not in_pool, "redeem_not_possible", "1862/7.13-a", "none in the pool")
    missing = price_of(game, context.data, symbol) - game.money(symbol)
    refuse_if(missing > 0, "not_enough_cash", "1862/7.13-b", str(missing))


def _perform(draft: Draft, context: Context, player: str, command: RedeemCertificate) -> None:
    symbol = command.company
    number = plain_for_sale(draft.game, symbol, e.POOL)[0]
    draft.pay(symbol, e.BANK, price_of(draft.game, context.data, symbol), "share_redeemed", symbol)
    draft.move_certificates(symbol, (number,), e.POOL, symbol, "redeemed")
    draft.emit(e.ActionTaken("redeemed"))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    cost = price_of(game, context.data, game.actor)
    yield Choice(player, RedeemCertificate(game.actor), cost=cost)


def _is_waiting(game: Game, context: Context) -> bool:
    return MISSED not in game.turn.actions and can_redeem(game, context)


def can_redeem(game: Game, context: Context) -> bool:
    """Whether the company at turn could buy one of its shares back as things stand."""
    return _REDEEM.is_open(game, context, "")


_REDEEM = Action(_check, _perform, _candidates)
STEP = Step(REDEEM_SHARE, {RedeemCertificate: _REDEEM, Pass: PASS}, decides)
REDEEM = TurnStep(STEP, _is_waiting)
