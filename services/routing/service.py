"""Answers questions independently of the transport: from the cache, else by the workers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from services.common.telemetry.logs import get_logger
from services.routing.dispatcher import Dispatcher
from services.routing.domain.canonical import reordered_for
from services.routing.domain.numbering import cache_key
from services.routing.domain.problem import NODE_BUDGET_DEFAULT, ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.validation import validate_problem
from services.routing.handlers import InvalidAnswerError, checked
from services.routing.metrics import RoutingMetrics
from services.routing.ports import SolutionCache
from services.routing.questions import PLATFORM, OverloadedError, Question, Ticket, WaitedTooLongError

# Questions of one batch that are queued or solved at a time: enough to keep every worker busy.
WINDOW_PER_WORKER = 2
# Part of a batch's remaining time that is shared out to searches; the rest is overhead.
SHARED_FRACTION = 0.9
# The caller name of precomputed questions.
AHEAD = "ahead"

# Registers a callback for the call's cancellation; false if the call is cancelled already.
OnCancel = Callable[[Callable[[], None]], bool]


@dataclass(frozen=True, slots=True)
class Answer:
    """A verified answer. `is_cached`: from the cache. `is_final`: no better one follows."""

    solution: RouteSolution
    is_cached: bool = False
    is_final: bool = True


Begun: TypeAlias = Ticket | Answer | ProblemError


class ProvenAnswers:
    """The service's cache: stores only answers valid for every caller and verifies each one it returns."""

    def __init__(self, cache: SolutionCache, metrics: RoutingMetrics) -> None:
        self._cache = cache
        self._metrics = metrics
        self._log = get_logger("routing")

    def find(self, question: Question) -> RouteSolution | None:
        """The cached answer in the names and the order of the question; None also for one that fails verification."""
        kept = self._cache.get(question.key)
        if kept is None:
            return None
        try:
            return checked(question.problem, reordered_for(question.problem, question.names.named(kept)))
        except (InvalidAnswerError, KeyError) as refused:
            self._metrics.failed_checks.inc()
            self._log.error("cached answer failed verification", key=question.key, problem=str(refused))
            return None

    def keep(self, question: Question, solution: RouteSolution) -> None:
        """Keep a proven answer.

        A small node budget may end a proven search before the canonical choice between equals, so its answers are not
        for everybody; nor is an explanation that was cut short.
        """
        budget, explanation = question.problem.options.node_budget, solution.explanation
        if explanation is not None and not explanation.complete:
            return
        if budget == 0 or budget >= NODE_BUDGET_DEFAULT:
            self._cache.put(question.key, question.names.numbered(solution))


class RoutingService:
    """Solves problems for callers. `end` is a deadline on `clock`, infinite for none.

    All methods raise `ProblemError` for an invalid problem, `OverloadedError`, `WaitedTooLongError`,
    `InvalidAnswerError` and the other errors of `Ticket`.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        known: ProvenAnswers,
        metrics: RoutingMetrics,
        worker_count: int,
        clock: Callable[[], float] = time.monotonic,
        caller_seconds: float = math.inf,
    ) -> None:
        """`caller_seconds`: the longest search for one question of a caller; the platform's own have no limit."""
        self._caller_seconds = caller_seconds
        self._dispatcher = dispatcher
        self._known = known
        self._metrics = metrics
        self._worker_count = worker_count
        self._window = WINDOW_PER_WORKER * worker_count
        self._clock = clock

    def check_capacity(self, caller: str | None, is_crowded: bool = False) -> None:
        """Raise `OverloadedError` if a question of `caller` (None: not known yet) would be rejected.

        `is_crowded`: too many calls are waiting for a thread.
        """
        self._dispatcher.check_capacity(caller, is_crowded)

    def solve(self, problem: RouteProblem, caller: str, end: float, on_cancel: OnCancel) -> Answer:
        """The best runs, or the best found by `end`."""
        for answer in self._answers(self._question(problem, caller, end), on_cancel):
            if answer.is_final:
                return answer
        raise AssertionError("answers end with the final one")

    def solve_ahead(self, problem: RouteProblem, seconds: float) -> Answer:
        """Precompute the best runs for later calls: only while no caller needs the worker, for `seconds` at most."""
        asked = self._question(problem, AHEAD, self._clock() + seconds)
        for answer in self._answers(replace(asked, is_ahead=True), _never_cancelled):
            if answer.is_final:
                return answer
        raise AssertionError("answers end with the final one")

    def improve(
        self, problem: RouteProblem, caller: str, end: float, on_cancel: OnCancel
    ) -> Iterator[Answer]:
        """Improving answers with falling bounds. A slow reader skips to the latest."""
        return self._answers(self._question(problem, caller, end, wants_better=True), on_cancel)

    def solve_all(
        self,
        problems: Sequence[RouteProblem | ProblemError],
        caller: str,
        end: float,
        on_cancel: OnCancel,
    ) -> list[Answer | ProblemError]:
        """An answer or a fault for each problem in order; a fault given as input is returned as it is.

        Only a window of them is queued at a time, and the remaining time is shared among the unsolved ones. When the queue
        is full the first problem is rejected, later ones wait.
        """
        begun: list[Begun] = []
        answers: list[Answer | ProblemError] = []
        for problem in problems:
            share = self._share(end, len(problems) - len(answers))
            while True:
                try:
                    begun.append(self._begin(problem, caller, end, share, on_cancel))
                    break
                except OverloadedError:
                    if len(answers) == len(begun):
                        raise
                    answers.append(self._end(begun[len(answers)], on_cancel))
            if len(begun) - len(answers) >= self._window:
                answers.append(self._end(begun[len(answers)], on_cancel))
        answers += [self._end(each, on_cancel) for each in begun[len(answers) :]]
        return answers

    def _share(self, end: float, unanswered: int) -> float:
        """Seconds of search for each of `unanswered` questions so that all fit before `end`."""
        return (end - self._clock()) * min(1.0, self._worker_count / unanswered) * SHARED_FRACTION

    def _begin(
        self,
        problem: RouteProblem | ProblemError,
        caller: str,
        end: float,
        seconds_most: float,
        on_cancel: OnCancel,
    ) -> Begun:
        """Start one problem of a batch."""
        if isinstance(problem, ProblemError):
            return problem
        try:
            question = self._question(problem, caller, end, seconds_most)
        except ProblemError as fault:
            return fault
        return self._look_up(question) or self._ask(question, on_cancel)

    def _end(self, begun: Begun, on_cancel: OnCancel) -> Answer | ProblemError:
        """The outcome of one problem of a batch."""
        if not isinstance(begun, Ticket):
            return begun
        try:
            *_, last = self._follow(begun, on_cancel)
        except ProblemError as fault:
            return fault
        return last

    def _question(
        self,
        problem: RouteProblem,
        caller: str,
        end: float,
        seconds_most: float = math.inf,
        wants_better: bool = False,
    ) -> Question:
        validate_problem(problem)
        now = self._clock()
        if problem.options.deadline_ms:
            end = min(end, now + problem.options.deadline_ms / 1000)
        if caller != PLATFORM:
            seconds_most = min(seconds_most, self._caller_seconds)
        return Question(problem, *cache_key(problem), caller, now, end, seconds_most, wants_better)

    def _answers(self, question: Question, on_cancel: OnCancel) -> Iterator[Answer]:
        found = self._look_up(question)
        if found is not None:
            yield found
        else:
            yield from self._follow(self._ask(question, on_cancel), on_cancel)

    def _look_up(self, question: Question) -> Answer | None:
        solution = self._known.find(question)
        if solution is None:
            return None
        self._metrics.cache.labels("hit").inc()
        return Answer(solution, is_cached=True)

    def _ask(self, question: Question, on_cancel: OnCancel) -> Ticket:
        ticket = self._dispatcher.ask(question)
        self._metrics.cache.labels("joined" if ticket.has_joined else "miss").inc()
        if not on_cancel(lambda: self._dispatcher.leave(ticket)):
            self._dispatcher.leave(ticket)
        return ticket

    def _follow(self, ticket: Ticket, on_cancel: OnCancel) -> Iterator[Answer]:
        """Answers until the final one; asks again if the deadline of another caller ended the joined search."""
        question = ticket.question
        last: RouteSolution | None = None
        while True:
            try:
                while (better := ticket.wait_for_better(last, self._clock)) is not None:
                    last = better
                    yield Answer(self._for_question(ticket, better), is_final=False)
                solution = ticket.answer()
            except WaitedTooLongError:
                if not self._may_go_on(ticket):
                    raise
            else:
                if not (ticket.job.was_cut and self._may_go_on(ticket)):
                    yield Answer(self._for_question(ticket, solution))
                    return
            finally:
                self._dispatcher.leave(ticket)
            ticket = self._ask(question, on_cancel)

    def _may_go_on(self, ticket: Ticket) -> bool:
        end = ticket.question.end
        return ticket.has_joined and self._clock() < end and ticket.job.ended_for < end

    def _for_question(self, ticket: Ticket, solution: RouteSolution) -> RouteSolution:
        """The answer for this ticket's own form of the problem, verified again where it differs from the job's."""
        question, solved = ticket.question, ticket.job.question
        if question.problem is solved.problem:
            return solution
        named = question.names.named(solved.names.numbered(solution))
        try:
            return checked(question.problem, reordered_for(question.problem, named))
        except InvalidAnswerError:
            self._metrics.failed_checks.inc()
            raise


def _never_cancelled(_callback: Callable[[], None]) -> bool:
    """The `OnCancel` of a caller that never cancels."""
    return True
