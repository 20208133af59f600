"""How much traffic the trains of a company cover."""

from __future__ import annotations

from services.routing.domain.direct.answer import Covered
from services.routing.domain.problem import RouteProblem


def covered_by(problem: RouteProblem) -> tuple[Covered, ...]:
    """What each train covers, in the order of the problem, those that can cover most first in taking it; then what is covered
    beside the trains, if there is one."""
    left = problem.parameters.traffic
    taken: dict[str, int] = {}
    for train in sorted(problem.trains, key=lambda train: (-train.reach, train.id)):
        taken[train.id] = min(left, train.reach)
        left -= taken[train.id]
    covered = [Covered(train.id, taken[train.id]) for train in problem.trains]
    beside = min(left, problem.parameters.coverage_beside)
    if problem.trains and problem.parameters.coverage_beside:
        covered.append(Covered("", beside))
    return tuple(covered)
