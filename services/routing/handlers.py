"""Solve a problem, then verify the answer before it is returned."""

from __future__ import annotations

from collections.abc import Callable

from services.routing.domain.problem import RouteProblem
from services.routing.domain.shape import InvalidAnswerError
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import ignore_solution, solve
from services.routing.domain.verify import verify_solution

__all__ = ["InvalidAnswerError"]


def solve_routes(
    problem: RouteProblem,
    should_stop: Callable[[], bool],
    on_better: Callable[[RouteSolution], None] = ignore_solution,
) -> RouteSolution:
    """The verified best runs for `problem`; `should_stop` is polled and ends the search early.

    `on_better` gets every better intermediate answer, unverified. Raises `ProblemError` for an invalid problem and
    `InvalidAnswerError` if the answer fails verification.
    """
    return checked(problem, solve(problem, should_stop, on_better))


def checked(problem: RouteProblem, solution: RouteSolution) -> RouteSolution:
    """Return `solution` if it passes verification. Raises `InvalidAnswerError`."""
    fault = verify_solution(problem, solution)
    if fault is not None:
        raise InvalidAnswerError(fault)
    return solution
