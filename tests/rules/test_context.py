"""What a check found out about a command is not worked out again to carry the command out."""

from __future__ import annotations

from collections.abc import Callable

from services.rules.kernel.commands import Pass
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game, Round
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turns import actor_alone
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.running import run_step
from services.rules.parts.trains.state import Run
from services.rules.titles import TITLES


def counted() -> Callable[[], int]:
    """Work whose result is how often it was done."""
    done: list[None] = []

    def work() -> int:
        done.append(None)
        return len(done)

    return work


def test_it_is_worked_out_once_for_a_command_in_a_state() -> None:
    """Asked again about the same command, it is not worked out anew."""
    context, game, command, work = Context(TITLES["1862"].load((), {})), Game(), Pass(), counted()
    assert context.once(game, command, work) == 1
    assert context.once(game, command, work) == 1


def test_another_command_state_or_game_is_another_question() -> None:
    """What was found out before does not answer it, not even for an equal command."""
    context, game, command, work = Context(TITLES["1862"].load((), {})), Game(), Pass(), counted()
    assert context.once(game, command, work) == 1
    game.sequence += 1
    assert context.once(game, command, work) == 2
    assert context.once(game, Pass(), work) == 3
    assert context.once(game.copy(), command, work) == 4


def test_two_decisions_share_nothing() -> None:
    """Each has its own context, so that nothing is kept longer than a decision."""
    data, game, command, work = TITLES["1862"].load((), {}), Game(), Pass(), counted()
    assert Context(data).once(game, command, work) == 1
    assert Context(data).once(game, command, work) == 2


def test_the_runs_of_a_command_are_judged_once() -> None:
    """Its check needs what they earn, and so does what is recorded of them."""
    context = Context(TITLES["1862"].load((), {}))
    asked: list[RunTrains] = []

    def resolve(game: Game, data: TitleData, command: RunTrains) -> tuple[Run, ...]:
        asked.append(command)
        return ()

    action = run_step(actor_alone, resolve, lambda game, context: True).step.actions[RunTrains]
    draft = Draft(Game(round=Round("operating", 1, 1, 1, ("BK",), position=0)), context.data)
    command = RunTrains("BK", ())
    action.check(draft.game, context, "a", command)
    action.perform(draft, context, "a", command)
    assert len(draft.events) == 1 and asked == [command]
