"""A question on its way through the service: who asked, until when, and what was found so far."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution, maximised_value

# How long after a question's end its worker's last word is waited for: where something was heard before, and where not.
LATE_SECONDS = 0.015
STUBBORN_SECONDS = 6.0


class NoRoomError(Exception):
    """The service is too busy for the question; `retry_after_ms` is its advice."""

    def __init__(self, reason: str, retry_after_ms: int) -> None:
        super().__init__(f"too many questions wait ({reason}); try again in {retry_after_ms} ms")
        self.reason = reason
        self.retry_after_ms = retry_after_ms


class WaitedTooLongError(Exception):
    """The deadline passed before a worker was free; nothing was searched."""


class HungUpError(Exception):
    """Nobody waits for the answer any more."""


class DeadlyQuestionError(Exception):
    """The question ended every worker that it was given to."""


class ClosingError(Exception):
    """The service is being stopped."""


@dataclass(frozen=True, slots=True)
class Question:
    """`end`: when the answer is due on the service's clock, infinite without a limit; `asked_at` by the same clock.

    `seconds_most`: how long a worker may search, however much later the answer is due.
    `is_ahead`: nobody waits for the answer yet, so whoever does goes first.
    Questions with the same `key` and node budget have the same answer.
    """

    problem: RouteProblem
    key: str
    caller: str
    asked_at: float
    end: float = math.inf
    seconds_most: float = math.inf
    tells_better: bool = False
    is_ahead: bool = False

    @property
    def flight(self) -> tuple[str, int]:
        """What equal questions have in common."""
        return self.key, self.problem.options.node_budget


@dataclass(slots=True, eq=False)
class Job:
    """One search, for all who asked the same. Everything in it is guarded by the lock of `changed`."""

    question: Question
    changed: Condition
    tickets: list[Ticket] = field(default_factory=list)
    deaths: int = 0
    is_running: bool = False
    best: RouteSolution | None = None
    solution: RouteSolution | None = None
    failure: Exception | None = None
    was_cut: bool = False

    @property
    def is_done(self) -> bool:
        """Whether there is an answer or none will come."""
        return self.solution is not None or self.failure is not None

    @property
    def is_ahead(self) -> bool:
        """Whether nobody waits for the answer yet."""
        return all(ticket.question.is_ahead for ticket in self.tickets)

    def hear(self, better: RouteSolution) -> None:
        """Note an answer found on the way; one no better than the last is passed over, as after a worker's death."""
        if self.best is None or _is_step(self._value, self.best, better):
            self.best = better
            self.changed.notify_all()

    def finish(self, solution: RouteSolution, was_cut: bool) -> None:
        """Note the answer; what was found by a worker that died may be better than what a cut search found."""
        best = self.best
        if best is not None and self._value(best) > self._value(solution):
            solution = best
        self.solution, self.was_cut = solution, was_cut
        self.changed.notify_all()

    def fail(self, failure: Exception) -> None:
        """Note that no answer will come."""
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
    """The claim of one who asked on the answer of a job. `has_joined`: the search was begun for somebody else."""

    job: Job
    question: Question
    has_joined: bool
    has_left: bool = False

    def await_news(self, known: RouteSolution | None, clock: Callable[[], float]) -> RouteSolution | None:
        """A better answer on the way than `known`, where wanted, or None when it is time for the last word.

        Raises `HungUpError` once the ticket was given back, `WaitedTooLongError` when no worker took the question in
        time. A worker that is late with its last word is not waited for if anything was heard of it before.
        """
        job = self.job
        with job.changed:
            while not job.is_done:
                if self.has_left:
                    raise HungUpError
                if self.question.tells_better and job.best is not known:
                    return job.best
                rest = self.question.end - clock() + self._patience()
                if rest <= 0.0:
                    if job.is_running and job.best is not None:
                        return None
                    raise WaitedTooLongError
                job.changed.wait(None if math.isinf(rest) else rest)
            return None

    def _patience(self) -> float:
        if not self.job.is_running:
            return 0.0
        return LATE_SECONDS if self.job.best is not None else STUBBORN_SECONDS

    def answer(self) -> RouteSolution:
        """The last word: the job's, or what it found so far."""
        if self.job.failure is not None:
            raise self.job.failure
        solution = self.job.solution or self.job.best
        if solution is None:
            raise AssertionError("an answer was asked for before there was one")
        return solution
