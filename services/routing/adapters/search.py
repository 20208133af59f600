"""One search at work: when it must end, and what of its finds is worth telling."""

from __future__ import annotations

import time
from collections.abc import Callable

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.handlers import checked, solve_routes

# A question answered sooner tells nothing on the way; one that takes longer does not tell more often than this.
FIRST_TOLD_AFTER_SECONDS = 0.005
TOLD_EVERY_SECONDS = 0.02


class Search:
    """Solves one question. What it tells and what it answers is verified."""

    def __init__(
        self,
        problem: RouteProblem,
        seconds: float | None,
        is_stopped: Callable[[], bool],
        tell: Callable[[RouteSolution], None],
    ) -> None:
        now = time.monotonic()
        self._problem = problem
        self._end = None if seconds is None else now + seconds
        self._is_stopped = is_stopped
        self._tell = tell
        self._tell_at = now + FIRST_TOLD_AFTER_SECONDS
        self._untold: RouteSolution | None = None

    def run(self) -> RouteSolution:
        """The answer. Raises `ProblemError` and `AnswerRefused`."""
        return solve_routes(self._problem, self._should_stop, self._on_better)

    def _should_stop(self) -> bool:
        now = time.monotonic()
        self._tell_in_time(now)
        return (self._end is not None and now >= self._end) or self._is_stopped()

    def _on_better(self, solution: RouteSolution) -> None:
        self._untold = solution
        self._tell_in_time(time.monotonic())

    def _tell_in_time(self, now: float) -> None:
        if self._untold is not None and now >= self._tell_at:
            self._tell(checked(self._problem, self._untold))
            self._untold = None
            self._tell_at = now + TOLD_EVERY_SECONDS
