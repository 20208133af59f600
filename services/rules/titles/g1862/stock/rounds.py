"""Stock rounds of 1862: whose turn it is, when a turn and the round end, and what the end brings (6.1, 6.2, 6.6)."""

from __future__ import annotations

from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Step
from services.rules.kernel.turns import actor_alone
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.state import stock_turn
from services.rules.parts.shares.stockround import (
    end_stock_round,
    end_turn_action,
    plain_round,
    start_stock_round,
)
from services.rules.titles.g1862.events import FailuresCleared
from services.rules.titles.g1862.state import own
from services.rules.titles.g1862.stock.buying import BUY_CERTIFICATE, is_tempted
from services.rules.titles.g1862.stock.obligations import enforce
from services.rules.titles.g1862.stock.selling import SELL, must_sell
from services.rules.titles.g1862.stock.starting import START_COMPANY, can_open_any, could_pay_to_open


def start_round(draft: Draft, turn: int) -> None:
    """A stock round, clockwise from the holder of the priority marker (1862/6.1-a)."""
    if own(draft.game).failed:
        draft.emit(FailuresCleared())
    start_stock_round(draft, turn)


def _has_to_sell(game: Game, context: Context, player: str) -> bool:
    """Over the certificate limit a player sells first, if he can (1862/6.5.2-d)."""
    return must_sell(game, context, player) and SELL.is_open(game, context, player)


STOCK_STEP = Step(
    "stock_turn",
    {
        SellCertificates: SELL,
        BuyCertificate: BUY_CERTIFICATE,
        StartCompany: START_COMPANY,
        Pass: end_turn_action(_has_to_sell, "1862/6.5.2-d"),
    },
    actor_alone,
)


def can_act(game: Game, context: Context, player: str) -> bool:
    """Whether the player has anything to do but pass, or is asked all the same.

    A purchase was the last thing in a turn (1862/6.2-a)."""
    if stock_turn(game).bought:
        return False
    return (
        BUY_CERTIFICATE.is_open(game, context, player)
        or SELL.is_open(game, context, player)
        or can_open_any(game, context.data, player)
        or is_tempted(game, context.data, player)
        or could_pay_to_open(game, context.data, player)
    )


def end_round(draft: Draft, context: Context) -> None:
    """Missed obligations are fined, and the priority goes to the player who passed first at the end (4.3-b, 6.6-b)."""
    enforce(draft, context)
    end_stock_round(draft)


ROUND = plain_round(STOCK_STEP, can_act, end_round)
