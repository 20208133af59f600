"""One running search: its deadline, and how often intermediate answers are reported."""

from __future__ import annotations

import time
from collections.abc import Callable

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.handlers import checked, solve_routes
from services.routing.ports import SHARE_RESERVED

# Nothing is reported before the first delay, then at most once per interval.
FIRST_REPORT_SECONDS = 0.005
REPORT_EVERY_SECONDS = 0.02
# What comes after the search, an answer put together and verified, takes so many times as long as reading the problem or as
# verifying what was reported.
TIMES_RESERVED = 5.0


class Search:
    """Solves one question. Everything it reports or returns is verified."""

    def __init__(
        self,
        problem: RouteProblem,
        seconds: float | None,
        is_stopped: Callable[[], bool],
        report: Callable[[RouteSolution], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        now = self._began = clock()
        self._problem = problem
        self._seconds = seconds
        self._is_read = False
        self._reserved = 0.0
        self._is_stopped = is_stopped
        self._report = report
        self._report_at = now + FIRST_REPORT_SECONDS
        self._unreported: RouteSolution | None = None

    def run(self) -> RouteSolution:
        """The answer. Raises `ProblemError` and `InvalidAnswerError`."""
        return solve_routes(self._problem, self._should_stop, self._on_better)

    def _should_stop(self) -> bool:
        now = self._clock()
        if not self._is_read:
            self._is_read = True
            self._reserve(now - self._began)
        if self._seconds is not None and now >= self._began + self._seconds - self._reserved:
            return True
        self._report_if_due(now)
        return self._is_stopped()

    def _reserve(self, taken: float) -> None:
        """Leave time before the deadline for what takes a few times so long."""
        if self._seconds is not None:
            most = SHARE_RESERVED * self._seconds
            self._reserved = min(most, max(self._reserved, TIMES_RESERVED * taken))

    def _on_better(self, solution: RouteSolution) -> None:
        self._unreported = solution
        self._report_if_due(self._clock())

    def _report_if_due(self, now: float) -> None:
        if self._unreported is not None and now >= self._report_at:
            answer = checked(self._problem, self._unreported)
            self._reserve(self._clock() - now)
            self._report(answer)
            self._unreported = None
            self._report_at = now + REPORT_EVERY_SECONDS
