"""A worker that is but a thread of the server, for small hosts and tests."""

from __future__ import annotations

import time
from collections.abc import Callable

from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import tell_nobody, warm_up
from services.routing.handlers import AnswerRefused, solve_routes, stop_at
from services.routing.ports import SolverFailedError


class ThreadWorker:
    """Implements `Worker`: solves in the thread that calls `answer`."""

    def __init__(self) -> None:
        self._asked: tuple[RouteProblem, float | None, bool]
        self._is_stopped = False

    def wait_ready(self) -> None:
        """See `Worker`."""
        warm_up()

    def ask(self, problem: RouteProblem, seconds: float | None, tells_better: bool) -> None:
        """See `Worker`."""
        self._is_stopped = False
        self._asked = (problem, seconds, tells_better)

    def answer(self, on_better: Callable[[RouteSolution], None]) -> RouteSolution:
        """See `Worker`."""
        problem, seconds, tells_better = self._asked
        should_stop = stop_at(time.monotonic, seconds, lambda: not self._is_stopped)
        try:
            return solve_routes(problem, should_stop, on_better if tells_better else tell_nobody)
        except (ProblemError, AnswerRefused):
            raise
        except Exception as error:
            raise SolverFailedError("the solver broke") from error

    def stop_search(self) -> None:
        """See `Worker`."""
        self._is_stopped = True

    def is_alive(self) -> bool:
        """See `Worker`."""
        return True

    def kill(self) -> None:
        """See `Worker`. The thread is its keeper's and cannot be ended, but the search can."""
        self._is_stopped = True

    def close(self) -> None:
        """See `Worker`. There is nothing to let go."""
