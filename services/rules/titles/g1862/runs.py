"""Stands in."""

from __future__ import annotations

from services.routing.domain.problem import RouteProblem
from services.rules.domain.commands import Command
from services.rules.domain.game import Game
from services.rules.domain.title import Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.turnstep import TurnStep


def _nobody(game: Game, context: Context) -> tuple[str, ...]:
    return ()


def _never(game: Game, context: Context) -> bool:
    return False


RUN = TurnStep(Step("run_trains", {}, _nobody), _never)
DIVIDE = TurnStep(Step("declare_dividend", {}, _nobody), _never)


def problem_of(game: Game, data: TitleData, symbol: str) -> RouteProblem:
    """Stands in."""
    raise NotImplementedError


def question(game: Game, data: TitleData, command: Command | None) -> RouteProblem | None:
    """Stands in."""
    return None
