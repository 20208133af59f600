"""The clauses of a rulebook on which the choices of a title rest, by step and kind of command. A title without them is played all
the same: its choices then name none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from services.rules.kernel.commands import Command
from services.rules.kernel.game import Game
from services.rules.kernel.title import Context, Title
from services.rules.kernel.titledata import TitleData

# The name of this capability among those of a title.
STEP_CLAUSES = "step_clauses"
Clauses: TypeAlias = Mapping[type[Command], str]
StepClauses: TypeAlias = Mapping[str, Clauses]
"""By the name of the step."""


def clauses_of(title: Title, data: TitleData, game: Game) -> Clauses:
    """Those of the step in which a game is."""
    known: StepClauses = title.capabilities.get(STEP_CLAUSES, {})
    step = title.step_of(game, Context(data)) if known and not game.finished else None
    return {} if step is None else known.get(step.name, {})
