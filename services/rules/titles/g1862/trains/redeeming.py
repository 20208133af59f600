"""Redeeming a share: a company buys one of its own back from the pool (1862/7.13)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.turnstep import optional_step
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.market.market import price_of
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.shares import move_certificates, plain_held
from services.rules.titles.g1862.commands import RedeemCertificate
from services.rules.titles.g1862.companies import BEGINNERS, decides, in_receivership

REDEEM_SHARE = "redeem_share"
# By one ruling: what keeps a company from redeeming that could not while its refinancing waited for the holders.
MISSED: str = "redeeming_missed"


def _check(game: Game, context: Context, player: str, command: RedeemCertificate) -> None:
    symbol = command.company
    reject_if(symbol not in cards_of(context.data), "unknown_company", detail=symbol)
    reject_if(symbol != game.actor, "1862.redeem_not_possible", "1862/7.13-c", symbol)
    reject_if(BEGINNERS in game.options, "1862.variant_forbids", "1862/11.3-b")
    reject_if(in_receivership(game, symbol), "1862.in_receivership", "1862/7.13-a", symbol)
    reject_if("redeemed" in game.turn.actions, "1862.redeem_not_possible", "1862/7.13-a", "one a turn")
    reject_if(MISSED in game.turn.actions, "1862.redeem_not_possible", "1862/7.13-a", "not possible before")
    in_pool = plain_held(game, symbol, POOL)
    reject_if(not in_pool, "1862.redeem_not_possible", "1862/7.13-a", "none in the pool")
    missing = price_of(game, context.data, symbol) - game.money(symbol)
    reject_if(missing > 0, "not_enough_cash", "1862/7.13-b", str(missing))


def _perform(draft: Draft, context: Context, player: str, command: RedeemCertificate) -> None:
    symbol = command.company
    number = plain_held(draft.game, symbol, POOL)[0]
    draft.pay(symbol, BANK, price_of(draft.game, context.data, symbol), "1862.share_redeemed", symbol)
    move_certificates(draft, symbol, (number,), POOL, symbol, "1862.redeemed")
    draft.emit(ActionTaken("redeemed"))


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    symbol = game.actor
    if plain_held(game, symbol, POOL):
        yield Choice(player, RedeemCertificate(symbol), cost=price_of(game, context.data, symbol))


def can_redeem(game: Game, context: Context) -> bool:
    """Whether the company at turn could buy one of its shares back as things stand."""
    return _REDEEM.is_open(game, context, "")


_REDEEM = Action(_check, _perform, _candidates)
REDEEM = optional_step(REDEEM_SHARE, {RedeemCertificate: _REDEEM}, decides)
