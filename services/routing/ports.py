"""What the routing service needs from the outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution


class WorkerDiedError(Exception):
    """A worker ended before it answered; the question may be put to another."""


class SolverFailedError(Exception):
    """The solver broke over a question. A bug; the message is for the log."""


class Worker(Protocol):
    """Solves one question at a time.

    Its keeper calls it from one thread: `wait_ready`, then `ask` and `answer` in turn, at last `close`. Other threads
    may call `stop_search` between `ask` and the end of `answer`, `is_alive` and `kill` at any time.
    """

    def wait_ready(self) -> None:
        """Block until the worker is warmed up; `WorkerDiedError` if it ends before."""

    def ask(self, problem: RouteProblem, seconds: float | None) -> None:
        """Begin to solve for so many seconds, None for no limit. `WorkerDiedError` if nobody is there."""

    def answer(self, on_better: Callable[[RouteSolution], None]) -> RouteSolution:
        """Block until the question asked is answered; what a longer search finds on the way goes to `on_better`.

        Everything is verified. Raises `ProblemError`, `AnswerRefused`, `SolverFailedError` or `WorkerDiedError`.
        """

    def stop_search(self) -> None:
        """Make the worker answer what it was asked with the best it has."""

    def is_alive(self) -> bool:
        """Whether asking makes sense."""

    def kill(self) -> None:
        """End the worker at once; its keeper finds it dead."""

    def close(self) -> None:
        """Let the worker go. Blocks until it is gone."""


class SolutionCache(Protocol):
    """Proven answers by the key of their problem. It may forget at any time; losing it costs time only."""

    def get(self, key: str) -> RouteSolution | None:
        """The answer kept under `key`, or None."""

    def put(self, key: str, solution: RouteSolution) -> None:
        """Keep a proven answer."""
