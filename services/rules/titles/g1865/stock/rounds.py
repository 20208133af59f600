"""Stock rounds of 1865: the Dragons before every player, and when the round is over (4.2, 4.5)."""

from __future__ import annotations

from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import StepStarted
from services.rules.kernel.flow import RoundRules
from services.rules.kernel.title import Context, Step
from services.rules.kernel.turns import actor_alone, all_passed, end_player_turn, has_choice
from services.rules.parts.shares.commands import BuyCertificate, SellCertificates, StartCompany
from services.rules.parts.shares.stockround import end_stock_round, end_turn_action
from services.rules.titles.g1865.commands import LaunchAnew
from services.rules.titles.g1865.stock.buying import BUY
from services.rules.titles.g1865.stock.dragons import has_acted, take_turn
from services.rules.titles.g1865.stock.selling import SELL
from services.rules.titles.g1865.stock.starting import START, START_ANEW

STOCK_STEP = Step(
    "stock_turn",
    {
        SellCertificates: SELL,
        BuyCertificate: BUY,
        StartCompany: START,
        LaunchAnew: START_ANEW,
        Pass: end_turn_action(),
    },
    actor_alone,
)


def _advance(draft: Draft, context: Context) -> bool:
    """The Dragons have a turn before that of every player, also of one who can do nothing (4.2-a to 4.2-c). The round is over
    when all players and the Dragons passed one after the other (4.2-d)."""
    while not all_passed(draft.game):
        if not has_acted(draft.game):
            take_turn(draft, context.data)
        game = draft.game
        if has_choice(STOCK_STEP, game, context, game.actor):
            if game.current_round.step != STOCK_STEP.name:
                draft.emit(StepStarted(STOCK_STEP.name))
            return True
        end_player_turn(draft, game.actor)
    return False


def _end(draft: Draft, context: Context) -> None:
    """The priority goes to the left of the last player who dealt; the Dragons do not count (4.5-a, 4.5-b)."""
    end_stock_round(draft)


ROUND = RoundRules(lambda game: STOCK_STEP, _advance, _end)
