"""Stock rounds: players act clockwise from the holder of the priority card until all pass in succession."""

from __future__ import annotations

from collections.abc import Callable

from services.rules.kernel.commands import Command, Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import RoundEnded, RoundStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.passing import pass_candidates
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, never_refused
from services.rules.kernel.turns import clockwise_from, end_player_turn, move_priority

STOCK = "stock"
EndTurn = Callable[[Draft, str], None]
MayNotYet = Callable[[Game, Context, str], bool]


def start_stock_round(draft: Draft, turn: int) -> None:
    """The stock round of a game turn begins."""
    draft.emit(RoundStarted(STOCK, turn, 1, 1, clockwise_from(draft.game, draft.game.priority)))
    draft.emit(TurnStarted(0))


def end_stock_round(draft: Draft) -> None:
    """The priority card moves on, and the round at hand is over."""
    move_priority(draft)
    draft.emit(RoundEnded(draft.game.current_round.kind))


def never(game: Game, context: Context, player: str) -> bool:
    """Nobody ever has to sell."""
    return False


def end_turn_action(
    has_to_sell: MayNotYet = never, clause: str = "", end_turn: EndTurn = end_player_turn
) -> Action:
    """Ending the own turn: a pass in a stock round. `has_to_sell`: whether the player has to sell shares before, and can."""

    def perform(draft: Draft, context: Context, player: str, command: Pass) -> None:
        end_turn(draft, player)

    return unless_selling(Action(never_refused, perform, pass_candidates), has_to_sell, clause)


def unless_selling(action: Action, has_to_sell: MayNotYet, clause: str) -> Action:
    """The same action, refused to a player who has to sell shares before, and can."""

    def check(game: Game, context: Context, player: str, command: Command) -> None:
        reject_if(has_to_sell(game, context, player), "must_sell", clause)
        action.check(game, context, player, command)

    return Action(check, action.perform, action.candidates)
