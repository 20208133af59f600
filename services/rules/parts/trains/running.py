"""Running a company's trains: what titles share of the command that does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Action, Context
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.events import TrainsRan
from services.rules.parts.trains.state import Run, owned_by

Resolve = Callable[[Game, TitleData, RunTrains], tuple[Run, ...]]


def check_trains(game: Game, command: RunTrains, not_owned_clause: str, twice_clause: str) -> None:
    """Reject trains that the company does not own, and one that runs twice."""
    for run in command.runs:
        owned = run.train in owned_by(game, command.company)
        reject_if(not owned, "train_not_owned", not_owned_clause, run.train)
    names = [run.train for run in command.runs]
    reject_if(len(set(names)) != len(names), "route_runs_twice", twice_clause)


def run_trains(
    resolve: Resolve, check_best: Callable[[Game, Context, RunTrains, tuple[Run, ...]], None]
) -> Action:
    """The command `RunTrains`. `resolve`: the runs with what they earn, or a rejection. `check_best` rejects runs when
    better ones are possible and the title wants the best."""

    def check(game: Game, context: Context, player: str, command: RunTrains) -> None:
        reject_if(command.company != game.actor, "not_your_turn", detail=command.company)
        check_best(game, context, command, resolve(game, context.data, command))

    def perform(draft: Draft, context: Context, player: str, command: RunTrains) -> None:
        runs = resolve(draft.game, context.data, command)
        revenue = sum(run.revenue for run in runs)
        income = sum(run.treasury_income for run in runs)
        draft.emit(TrainsRan(command.company, runs, revenue, income))

    return Action(check, perform, _candidates)


def _candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    yield Choice(player, RunTrains(game.actor, ()), "runs")
