"""A question inside the service: caller, deadline, and what was found so far."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition

from services.routing.domain.numbering import Names
from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution, maximised_value

# The caller name of questions that the platform asks for its own games. No call from outside can have it (callers.py).
PLATFORM = "platform"
# How long after its deadline a worker's final answer is awaited: when it reported an answer before, and when not.
LATE_SECONDS = 0.015
SILENT_SECONDS = 6.0


class OverloadedError(Exception):
    """The service is too busy for the question; retry after `retry_after_ms`."""

    def __init__(self, reason: str, retry_after_ms: int) -> None:
        super().__init__(f"too many questions are waiting ({reason}); try again in {retry_after_ms} ms")
        self.reason = reason
        self.retry_after_ms = retry_after_ms


class WaitedTooLongError(Exception):
    """The deadline passed before a worker was free; nothing was searched."""


class CallCancelledError(Exception):
    """The caller cancelled the call."""


class DeadlyQuestionError(Exception):
    """Every worker that got the question died."""


class ClosingError(Exception):
    """The service is being stopped."""


@dataclass(frozen=True, slots=True)
class Question:
    """A problem with its caller and deadline.

    `end`: deadline on the service's clock, infinite without one; `asked_at` is on the same clock.
    `seconds_most`: limit on a worker's search, even if `end` is later.
    `wants_better`: the caller also wants the improving answers found on the way.
    `is_ahead`: precomputed, no caller waits for it; callers' questions have priority.
    Questions with the same `key` and node budget have the same answer but for their `names`, see `cache_key`.
    """

    problem: RouteProblem
    key: str
    names: Names
    caller: str
    asked_at: float
    end: float = math.inf
    seconds_most: float = math.inf
    wants_better: bool = False
    is_ahead: bool = False

    @property
    def flight(self) -> tuple[str, int]:
        """Equal for questions that one search can answer."""
        return self.key, self.problem.options.node_budget


@dataclass(slots=True, eq=False)
class Job:
    """One search for all equal questions. Guarded by the lock of `changed`."""

    question: Question
    changed: Condition
    tickets: list[Ticket] = field(default_factory=list)
    deaths: int = 0
    is_running: bool = False
    best: RouteSolution | None = None
    solution: RouteSolution | None = None
    failure: Exception | None = None
    was_cut: bool = False
    gives_way: bool = False
    """Whether its search was ended for a question of the platform."""
    ended_for: float = 0.0
    """The deadline for which its search ended, some time before it, on the service's clock; 0 where it ended for none."""

    @property
    def is_done(self) -> bool:
        """Whether it has an answer or has failed."""
        return self.solution is not None or self.failure is not None

    @property
    def is_ahead(self) -> bool:
        """Whether no caller waits for the answer."""
        return all(ticket.question.is_ahead for ticket in self.tickets)

    @property
    def is_platform(self) -> bool:
        """Whether the platform waits for the answer."""
        return any(ticket.question.caller == PLATFORM for ticket in self.tickets)

    def note_better(self, better: RouteSolution) -> None:
        """Note an intermediate answer unless it is no better than the last, as after a restart on another worker."""
        if self.best is None or _is_step(self._value, self.best, better):
            self.best = better
            self.changed.notify_all()

    def finish(self, solution: RouteSolution, was_cut: bool) -> None:
        """Note the final answer, or the best intermediate one if that is better (from a worker that died)."""
        best = self.best
        if best is not None and self._value(best) > self._value(solution):
            solution = best
        self.solution, self.was_cut = solution, was_cut
        self.changed.notify_all()

    def fail(self, failure: Exception) -> None:
        """Note that the search failed."""
        self.failure = failure
        self.changed.notify_all()

    def _value(self, solution: RouteSolution) -> int:
        return maximised_value(solution, self.question.problem.parameters.compare_treasury_income)


def _is_step(value: Callable[[RouteSolution], int], before: RouteSolution, after: RouteSolution) -> bool:
    gain = value(after) - value(before)
    drop = before.upper_bound - after.upper_bound
    return gain >= 0 and drop >= 0 and gain + drop > 0


@dataclass(slots=True, eq=False)
class Ticket:
    """One caller's share in a job. `has_joined`: the search was started by another caller."""

    job: Job
    question: Question
    has_joined: bool
    has_left: bool = False

    def wait_for_better(
        self, known: RouteSolution | None, clock: Callable[[], float]
    ) -> RouteSolution | None:
        """Wait for an answer better than `known`, if wanted, or None when the final answer is due.

        Raises `CallCancelledError` once the ticket was released, `WaitedTooLongError` when no worker took the question in
        time. A late worker is not awaited if it reported an answer before.
        """
        job = self.job
        with job.changed:
            while not job.is_done:
                if self.has_left:
                    raise CallCancelledError
                if self.question.wants_better and job.best is not known:
                    return job.best
                rest = self.question.end - clock() + self._grace_seconds()
                if rest <= 0.0:
                    if job.is_running and job.best is not None:
                        return None
                    raise WaitedTooLongError
                job.changed.wait(None if math.isinf(rest) else rest)
            return None

    def _grace_seconds(self) -> float:
        if not self.job.is_running:
            return 0.0
        return LATE_SECONDS if self.job.best is not None else SILENT_SECONDS

    def answer(self) -> RouteSolution:
        """The job's final answer, else the best so far."""
        if self.job.failure is not None:
            raise self.job.failure
        solution = self.job.solution or self.job.best
        if solution is None:
            raise AssertionError("there is no answer yet")
        return solution
