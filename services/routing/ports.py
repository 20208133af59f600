"""What the routing service needs from the outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution

# Of the time that a search is granted, it may leave so much for what comes after it: an answer put together and verified.
SHARE_RESERVED = 0.3


class WorkerDiedError(Exception):
    """A worker ended before it answered; the question may be given to another."""


class SolverFailedError(Exception):
    """The solver raised an unexpected exception. A bug; the message is for the log."""


class Worker(Protocol):
    """Solves one question at a time.

    Its supervisor calls it from one thread: `wait_ready`, then `ask` and `answer` in turn, at last `close`. Other
    threads may call `stop_search` between `ask` and the end of `answer`, `is_alive` and `kill` at any time.
    """

    def wait_ready(self) -> None:
        """Block until the worker is warmed up; `WorkerDiedError` if it ends before."""

    def ask(self, problem: RouteProblem, seconds: float | None) -> None:
        """Begin to solve for at most `seconds`, None for no limit. `WorkerDiedError` if the worker has ended."""

    def answer(self, on_better: Callable[[RouteSolution], None]) -> RouteSolution:
        """Block until the question asked is answered; intermediate answers go to `on_better`.

        Every answer is verified. Raises `ProblemError`, `InvalidAnswerError`, `SolverFailedError` or `WorkerDiedError`.
        """

    def stop_search(self) -> None:
        """Make the worker answer with the best it has found."""

    def is_alive(self) -> bool:
        """Whether the worker can be asked."""

    def kill(self) -> None:
        """End the worker at once; its supervisor notices."""

    def close(self) -> None:
        """End the worker. Blocks until it has ended."""


class SolutionCache(Protocol):
    """Proven answers by problem key. It may drop entries at any time; a miss costs only time."""

    def get(self, key: str) -> RouteSolution | None:
        """The answer stored under `key`, or None."""

    def put(self, key: str, solution: RouteSolution) -> None:
        """Store a proven answer."""
