"""What the service does with a question, whoever asks: solve, then let nothing out that the verifier refuses."""

from __future__ import annotations

from collections.abc import Callable

from services.routing.domain.problem import RouteProblem
from services.routing.domain.shape import AnswerRefused
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve, tell_nobody
from services.routing.domain.verify import verify_solution

__all__ = ["AnswerRefused"]


def solve_routes(
    problem: RouteProblem,
    should_stop: Callable[[], bool],
    on_better: Callable[[RouteSolution], None] = tell_nobody,
) -> RouteSolution:
    """The verified best runs for `problem`; `should_stop` is asked now and then and ends the search early.

    `on_better` hears of every better answer on the way, which nobody has verified. Raises `ProblemError` for a problem
    without meaning and `AnswerRefused` if the answer fails its check.
    """
    return checked(problem, solve(problem, should_stop, on_better))


def checked(problem: RouteProblem, solution: RouteSolution) -> RouteSolution:
    """`solution` as it is, if the verifier has nothing against it. Raises `AnswerRefused`."""
    fault = verify_solution(problem, solution)
    if fault is not None:
        raise AnswerRefused(fault)
    return solution
