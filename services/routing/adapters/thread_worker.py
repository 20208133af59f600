"""A worker inside the server process, for small hosts and tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from services.routing.adapters.search import Search
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import warm_up
from services.routing.handlers import InvalidAnswerError
from services.routing.ports import SolverFailedError


class ThreadWorker:
    """Implements `Worker`: solves in the thread that calls `answer`."""

    def __init__(self) -> None:
        self._asked: tuple[RouteProblem, float | None]
        self._is_stopped = False

    def wait_ready(self) -> None:
        """See `Worker`."""
        _warm_up_once()

    def ask(self, problem: RouteProblem, seconds: float | None) -> None:
        """See `Worker`."""
        self._is_stopped = False
        self._asked = (problem, seconds)

    def answer(self, on_better: Callable[[RouteSolution], None]) -> RouteSolution:
        """See `Worker`."""
        problem, seconds = self._asked
        try:
            return Search(problem, seconds, lambda: self._is_stopped, on_better).run()
        except (ProblemError, InvalidAnswerError):
            raise
        except Exception as error:
            raise SolverFailedError("the solver failed") from error

    def stop_search(self) -> None:
        """See `Worker`."""
        self._is_stopped = True

    def is_alive(self) -> bool:
        """See `Worker`."""
        return True

    def kill(self) -> None:
        """See `Worker`. Ends the search; the thread itself is the supervisor's and cannot be ended."""
        self._is_stopped = True

    def close(self) -> None:
        """See `Worker`. Nothing to close."""


@cache
def _warm_up_once() -> None:
    """What is compiled and loaded stays so for every other worker of this process."""
    warm_up()
