"""The best runs that routing knows, as the rules themselves reckon them.

A run that must be the best is held against these figures and not against routing's own: where the two disagree, a company
can still run what routing found, and no game stands still."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.rules.kernel.commands import Command
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import Rejected
from services.rules.kernel.title import Context, Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.commands import RunTrains, TrainRun
from services.rules.parts.trains.running import RUN_TRAINS
from services.rules.parts.trains.runs import as_drawn
from services.rules.parts.trains.state import Run


class Reckoning(NamedTuple):
    """What the runs of a route solution earn by the rules, in whole currency units, or why the rules refuse them."""

    revenue: int = 0
    treasury_income: int = 0
    refusal: str = ""

    def disagreement(self, solution: RouteSolution) -> str:
        """How the rules differ from the solution, as a sentence; empty where they agree."""
        if self.refusal:
            return f"the rules refuse the runs: {self.refusal}"
        found = (solution.revenue, solution.treasury_income)
        if (self.revenue, self.treasury_income) == found:
            return ""
        return f"the rules make {self.revenue} + {self.treasury_income} of runs found for {found[0]} + {found[1]}"


def reckoned(
    problem: RouteProblem,
    solution: RouteSolution,
    resolve: Callable[[tuple[TrainRun, ...]], Sequence[Run]],
) -> Reckoning:
    """What the rules make of the runs of `solution`, drawn as a player draws them and valued by `resolve`."""
    try:
        runs = resolve(as_drawn(problem, solution))
    except Rejected as rejected:
        return Reckoning(refusal=str(rejected))
    return Reckoning(sum(run.revenue for run in runs), sum(run.treasury_income for run in runs))


@dataclass(frozen=True, slots=True)
class BestRuns:
    """What a title whose trains run on routes can say about them.

    `problem` is the question which runs of a company earn the most. `question` is the problem whose proven answer a command,
    or a choice, needs in this state, or nothing. `reckon` is what the title's own rules make of the best runs known of the
    company at turn."""

    problem: Callable[[Game, TitleData, str], RouteProblem]
    question: Callable[[Game, TitleData, Command | None], RouteProblem | None]
    reckon: Callable[[Game, TitleData, RouteSolution], Reckoning]


def question_of(
    problem: Callable[[Game, TitleData, str], RouteProblem], demands_best: Callable[[Game], bool]
) -> Callable[[Game, TitleData, Command | None], RouteProblem | None]:
    """The question of a title that may demand best runs, and shows them with the choice of runs in any case."""

    def question(game: Game, data: TitleData, command: Command | None) -> RouteProblem | None:
        running = game.round is not None and game.round.step == RUN_TRAINS
        if not running or not (command is None or (isinstance(command, RunTrains) and demands_best(game))):
            return None
        return problem(game, data, game.actor)

    return question


# The name of this capability among those of a title.
BEST_RUNS = "best_runs"


def best_runs_of(title: Title) -> BestRuns | None:
    """What the title can say about best runs; nothing when no trains run on routes."""
    found: BestRuns | None = title.capabilities.get(BEST_RUNS)
    return found


def problem_for(title: Title, game: Game, data: TitleData, company: str) -> RouteProblem:
    """The question which runs of `company` earn the most. `LookupError` when the title has no such question."""
    capability = best_runs_of(title)
    if capability is None:
        raise LookupError(f"trains of {title.name} do not run on routes")
    return capability.problem(game, data, company)


def question_for(title: Title, game: Game, data: TitleData, command: Command | None) -> RouteProblem | None:
    """The problem whose proven answer `command`, or a choice, needs now."""
    capability = best_runs_of(title)
    return None if capability is None else capability.question(game, data, command)


def reckon_for(title: Title, game: Game, data: TitleData, solution: RouteSolution) -> Reckoning:
    """What the title's own rules make of the best runs known of the company at turn."""
    capability = best_runs_of(title)
    if capability is None:
        return Reckoning(solution.revenue, solution.treasury_income)
    return capability.reckon(game, data, solution)


def proven_runs(context: Context) -> RouteSolution | None:
    """The proven answer to the question about the command at hand, where it was asked and routing answered."""
    found: RouteSolution | None = context.answer
    return found
