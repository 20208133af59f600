"""Rounds in which players act clockwise until all of them pass in succession."""

from __future__ import annotations

from collections.abc import Callable

from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PlayerPassed, PriorityMoved, StepStarted, TurnStarted
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Step


def clockwise_from(game: Game, player: str) -> tuple[str, ...]:
    """All players clockwise, beginning with `player`."""
    at = game.players.index(player)
    return game.players[at:] + game.players[:at]


def actor_alone(game: Game, context: Context) -> tuple[str, ...]:
    """The player whose turn it is."""
    return (game.actor,)


def has_choice(step: Step, game: Game, context: Context, player: str) -> bool:
    """Whether the player can do anything in the step but pass."""
    return any(
        action.is_open(game, context, player) for kind, action in step.actions.items() if kind is not Pass
    )


def all_passed(game: Game) -> bool:
    """Whether all players passed in succession."""
    return len(game.current_round.passed_in_succession) == len(game.players)


def end_player_turn(draft: Draft, player: str) -> None:
    """Close the player's turn, a pass when nothing was done in it, and hand over to the next one in the order."""
    if not draft.game.turn.acted:
        draft.emit(PlayerPassed(player))
    if not all_passed(draft.game):
        current = draft.game.current_round
        draft.emit(TurnStarted((current.position + 1) % len(current.order)))


def ask_in_turn(
    draft: Draft,
    context: Context,
    step: str,
    is_asked: Callable[[Game, Context, str], bool],
    end_turn: Callable[[Draft, str], None] = end_player_turn,
    is_over: Callable[[Game], bool] = all_passed,
) -> bool:
    """Carry the round on to the next player who is asked in `step`; false when the round is over before anybody is."""
    while not is_over(draft.game):
        game = draft.game
        if is_asked(game, context, game.actor):
            if game.current_round.step != step:
                draft.emit(StepStarted(step))
            return True
        end_turn(draft, game.actor)
    return False


def move_priority(draft: Draft) -> None:
    """The player after the last one who did something in the round gets the priority card."""
    last = draft.game.current_round.last_to_act
    if last:
        players = draft.game.players
        draft.emit(PriorityMoved(players[(players.index(last) + 1) % len(players)]))
