"""The best runs that routing knows, as the rules themselves reckon them.

A run that must be the best is held against these figures and not against routing's own: where the two disagree, a company
can still run what routing found, and no game stands still."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.rules.domain.commands import TrainRun
from services.rules.domain.events import Run
from services.rules.domain.rejections import Refused
from services.rules.domain.runs import as_drawn


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
    except Refused as refused:
        return Reckoning(refusal=f"{refused.rejection.code}: {refused.rejection.message}")
    return Reckoning(sum(run.revenue for run in runs), sum(run.treasury_income for run in runs))
