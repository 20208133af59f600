"""What runs would earn, or why they would be refused: decided as a command is, and not carried out."""

from __future__ import annotations

from dataclasses import dataclass

from services.routing.domain.solution import RouteSolution
from services.rules.kernel.commands import Command
from services.rules.kernel.decide import asked_players, decide
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejection
from services.rules.parts.trains.bestruns import question_for
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.events import TrainsRan
from services.rules.ports import RouteSolver, RoutingUnavailableError
from services.rules.requests import CommandRejected
from services.rules.sessions import LoadedGame


@dataclass(frozen=True, slots=True)
class ValuedRuns:
    """What runs would earn at `sequence`."""

    sequence: int
    ran: TrainsRan


def best_runs_for(
    loaded: LoadedGame, game: Game, solver: RouteSolver, seat: str, command: Command | None
) -> RouteSolution | None:
    """The best runs where the command, or a choice, of a seat needs them; None when routing does not answer: the title then
    rejects the command. Only a move of who is asked can start the solver."""
    if seat not in asked_players(loaded.title, loaded.data, game):
        return None
    question = question_for(loaded.title, game, loaded.data, command)
    if question is None:
        return None
    try:
        return solver.solve(question)
    except RoutingUnavailableError:
        return None


def value_runs(
    loaded: LoadedGame, game: Game, solver: RouteSolver, seat: str, command: RunTrains
) -> ValuedRuns | CommandRejected:
    """What the runs of a seat's company would earn in this state, or why they would be refused."""
    best_runs = best_runs_for(loaded, game, solver, seat, command)
    decided = decide(loaded.title, loaded.data, game, seat, command, best_runs)
    if isinstance(decided, Rejection):
        return refused(decided, best_runs)
    ran = (event for event in decided.events if isinstance(event, TrainsRan))
    return ValuedRuns(game.sequence, next(each for each in ran if each.company == command.company))


def refused(rejection: Rejection, best_runs: RouteSolution | None) -> CommandRejected:
    """A rejection, with the better runs where there are such."""
    return CommandRejected(rejection, best_runs if rejection.code == "route_not_best" else None)
