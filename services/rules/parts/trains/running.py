"""Running a company's trains: the command, and the step in which it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context, Step
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import TurnStep, nothing
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.events import TrainsRan
from services.rules.parts.trains.state import Run, owned_by

RUN_TRAINS = "run_trains"
Resolve = Callable[[Game, TitleData, RunTrains], tuple[Run, ...]]


def check_trains(game: Game, command: RunTrains, not_owned_clause: str, twice_clause: str) -> None:
    """Reject trains that the company does not own, and one that runs twice."""
    for run in command.runs:
        owned = run.train in owned_by(game, command.company)
        reject_if(not owned, "train_not_owned", not_owned_clause, run.train)
    names = [run.train for run in command.runs]
    reject_if(len(set(names)) != len(names), "route_runs_twice", twice_clause)


def any_runs(game: Game, context: Context, command: RunTrains, runs: tuple[Run, ...]) -> None:
    """The best runs are not demanded."""


def run_step(
    decides: Callable[[Game, Context], tuple[str, ...]],
    resolve: Resolve,
    is_waiting: Callable[[Game, Context], bool],
    check_best: Callable[[Game, Context, RunTrains, tuple[Run, ...]], None] = any_runs,
    begin: Callable[[Draft, Context], None] = nothing,
) -> TurnStep:
    """The step in which a company runs its trains. `resolve`: the runs with what they earn, or a rejection. `check_best`
    rejects runs when better ones are possible and the title wants the best. `begin`: what runs without a question."""

    def resolved(game: Game, context: Context, command: RunTrains) -> tuple[Run, ...]:
        return context.once(game, command, lambda: resolve(game, context.data, command))

    def check(game: Game, context: Context, player: str, command: RunTrains) -> None:
        reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
        check_best(game, context, command, resolved(game, context, command))

    def perform(draft: Draft, context: Context, player: str, command: RunTrains) -> None:
        runs = resolved(draft.game, context, command)
        revenue = sum(run.revenue for run in runs)
        income = sum(run.treasury_income for run in runs)
        draft.emit(TrainsRan(command.company, runs, revenue, income))

    step = Step(RUN_TRAINS, {RunTrains: Action(check, perform, _candidates)}, decides)
    return TurnStep(step, is_waiting, begin)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, RunTrains(game.actor, ()), "runs")
