"""One running search: its deadline, and how often intermediate answers are reported."""

from __future__ import annotations

import time
from collections.abc import Callable

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.handlers import checked, solve_routes

# Nothing is reported before the first delay, then at most once per interval.
FIRST_REPORT_SECONDS = 0.005
REPORT_EVERY_SECONDS = 0.02


class Search:
    """Solves one question. Everything it reports or returns is verified."""

    def __init__(
        self,
        problem: RouteProblem,
        seconds: float | None,
        is_stopped: Callable[[], bool],
        report: Callable[[RouteSolution], None],
    ) -> None:
        now = time.monotonic()
        self._problem = problem
        self._end = None if seconds is None else now + seconds
        self._is_stopped = is_stopped
        self._report = report
        self._report_at = now + FIRST_REPORT_SECONDS
        self._unreported: RouteSolution | None = None

    def run(self) -> RouteSolution:
        """The answer. Raises `ProblemError` and `InvalidAnswerError`."""
        return solve_routes(self._problem, self._should_stop, self._on_better)

    def _should_stop(self) -> bool:
        now = time.monotonic()
        self._report_if_due(now)
        return (self._end is not None and now >= self._end) or self._is_stopped()

    def _on_better(self, solution: RouteSolution) -> None:
        self._unreported = solution
        self._report_if_due(time.monotonic())

    def _report_if_due(self, now: float) -> None:
        if self._unreported is not None and now >= self._report_at:
            self._report(checked(self._problem, self._unreported))
            self._unreported = None
            self._report_at = now + REPORT_EVERY_SECONDS
