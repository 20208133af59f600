"""What the service does with questions, whoever asks and over whatever wire: known answers first, then the workers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from services.common.telemetry.logs import get_logger
from services.routing.dispatcher import Dispatcher
from services.routing.domain.canonical import problem_key, told_for
from services.routing.domain.problem import NODE_BUDGET_DEFAULT, ProblemError, RouteProblem, validate_problem
from services.routing.domain.solution import RouteSolution
from services.routing.handlers import AnswerRefused, checked
from services.routing.metrics import RoutingMetrics
from services.routing.ports import SolutionCache
from services.routing.questions import NoRoomError, Question, Ticket, WaitedTooLongError

# Questions of one batch that wait or are solved at the same time: enough to leave no worker idle between two.
WINDOW_PER_WORKER = 2
# Of the time left to a batch; the rest is for what else takes time.
SHARED_FRACTION = 0.9
# The caller of what nobody waits for yet.
AHEAD = "ahead"

# Takes what is to be done when the caller hangs up; false if that has happened already.
OnHangUp = Callable[[Callable[[], None]], bool]


@dataclass(frozen=True, slots=True)
class Answer:
    """A verified answer. `is_cached`: it was known before. `is_final`: none better will follow."""

    solution: RouteSolution
    is_cached: bool = False
    is_final: bool = True


Begun: TypeAlias = Ticket | Answer | ProblemError


class ProvenAnswers:
    """The cache as the service uses it: only what is the same for everybody goes in, all is checked on its way out."""

    def __init__(self, cache: SolutionCache, metrics: RoutingMetrics) -> None:
        self._cache = cache
        self._metrics = metrics
        self._log = get_logger("routing")

    def find(self, question: Question) -> RouteSolution | None:
        """The known answer as `question` tells its problem; one that fails its check counts as unknown."""
        kept = self._cache.get(question.key)
        if kept is None:
            return None
        try:
            return checked(question.problem, told_for(question.problem, kept))
        except AnswerRefused as refused:
            self._metrics.failed_checks.inc()
            self._log.error("cached answer failed its check", key=question.key, problem=str(refused))
            return None

    def keep(self, question: Question, solution: RouteSolution) -> None:
        """Keep a proven answer.

        A small node budget may end a proven search before the canonical choice between equals, so its answers are not
        for everybody.
        """
        budget = question.problem.options.node_budget
        if budget == 0 or budget >= NODE_BUDGET_DEFAULT:
            self._cache.put(question.key, solution)


class RouteDesk:
    """Takes questions from callers. `end` is a time on `clock`, infinite for no limit.

    All methods raise `ProblemError` for a problem
    without meaning, `NoRoomError` under overload, `WaitedTooLongError`, `AnswerRefused` and the other errors of
    `Ticket`.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        known: ProvenAnswers,
        metrics: RoutingMetrics,
        worker_count: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._dispatcher = dispatcher
        self._known = known
        self._metrics = metrics
        self._worker_count = worker_count
        self._window = WINDOW_PER_WORKER * worker_count
        self._clock = clock

    def check_room(self, caller: str | None, is_crowded: bool = False) -> None:
        """Raise `NoRoomError` if `caller` (None: not known yet) need not even say what the question is.

        `is_crowded`: so many call that nobody can be looked at.
        """
        self._dispatcher.check_room(caller, is_crowded)

    def solve(self, problem: RouteProblem, caller: str, end: float, on_hang_up: OnHangUp) -> Answer:
        """The best runs; the best so far when the time is over."""
        for answer in self._answers(self._question(problem, caller, end), on_hang_up):
            if answer.is_final:
                return answer
        raise AssertionError("answers end with the final one")

    def solve_ahead(self, problem: RouteProblem, seconds: float) -> Answer:
        """The best runs for whoever may ask later: only while nobody else needs the worker, and for so long at most."""
        asked = self._question(problem, AHEAD, self._clock() + seconds)
        for answer in self._answers(replace(asked, is_ahead=True), _stay):
            if answer.is_final:
                return answer
        raise AssertionError("answers end with the final one")

    def improve(
        self, problem: RouteProblem, caller: str, end: float, on_hang_up: OnHangUp
    ) -> Iterator[Answer]:
        """Ever better answers under an ever lower bound. A slow taker skips some and gets the latest."""
        return self._answers(self._question(problem, caller, end, tells_better=True), on_hang_up)

    def solve_all(
        self,
        problems: Sequence[RouteProblem | ProblemError],
        caller: str,
        end: float,
        on_hang_up: OnHangUp,
    ) -> list[Answer | ProblemError]:
        """An answer or a fault for each problem in order; a fault given instead of a problem is handed through.

        Only a window of them takes places in the queue at a time, and the time left is shared out among those still
        to be solved. Room that is missing for a later one is waited for; for the first one it is refused.
        """
        begun: list[Begun] = []
        answers: list[Answer | ProblemError] = []
        for problem in problems:
            share = self._share(end, len(problems) - len(answers))
            while True:
                try:
                    begun.append(self._begin(problem, caller, end, share, on_hang_up))
                    break
                except NoRoomError:
                    if len(answers) == len(begun):
                        raise
                    answers.append(self._end(begun[len(answers)], on_hang_up))
            if len(begun) - len(answers) >= self._window:
                answers.append(self._end(begun[len(answers)], on_hang_up))
        answers += [self._end(each, on_hang_up) for each in begun[len(answers) :]]
        return answers

    def _share(self, end: float, unanswered: int) -> float:
        """How long a worker may search for one of so many questions so that all have a chance before `end`."""
        return (end - self._clock()) * min(1.0, self._worker_count / unanswered) * SHARED_FRACTION

    def _begin(
        self,
        problem: RouteProblem | ProblemError,
        caller: str,
        end: float,
        seconds_most: float,
        on_hang_up: OnHangUp,
    ) -> Begun:
        """Set a question of a batch going."""
        if isinstance(problem, ProblemError):
            return problem
        try:
            question = self._question(problem, caller, end, seconds_most)
        except ProblemError as fault:
            return fault
        return self._look_up(question) or self._ask(question, on_hang_up)

    def _end(self, begun: Begun, on_hang_up: OnHangUp) -> Answer | ProblemError:
        """What became of a question of a batch."""
        if not isinstance(begun, Ticket):
            return begun
        try:
            *_, last = self._follow(begun, on_hang_up)
        except ProblemError as fault:
            return fault
        return last

    def _question(
        self,
        problem: RouteProblem,
        caller: str,
        end: float,
        seconds_most: float = math.inf,
        tells_better: bool = False,
    ) -> Question:
        validate_problem(problem)
        now = self._clock()
        if problem.options.deadline_ms:
            end = min(end, now + problem.options.deadline_ms / 1000)
        return Question(problem, problem_key(problem), caller, now, end, seconds_most, tells_better)

    def _answers(self, question: Question, on_hang_up: OnHangUp) -> Iterator[Answer]:
        found = self._look_up(question)
        if found is not None:
            yield found
        else:
            yield from self._follow(self._ask(question, on_hang_up), on_hang_up)

    def _look_up(self, question: Question) -> Answer | None:
        solution = self._known.find(question)
        if solution is None:
            return None
        self._metrics.cache.labels("hit").inc()
        return Answer(solution, is_cached=True)

    def _ask(self, question: Question, on_hang_up: OnHangUp) -> Ticket:
        ticket = self._dispatcher.ask(question)
        self._metrics.cache.labels("joined" if ticket.has_joined else "miss").inc()
        if not on_hang_up(lambda: self._dispatcher.leave(ticket)):
            self._dispatcher.leave(ticket)
        return ticket

    def _follow(self, ticket: Ticket, on_hang_up: OnHangUp) -> Iterator[Answer]:
        """Answers until the final one; the question is asked anew if another's deadline ended the search it joined."""
        question = ticket.question
        last: RouteSolution | None = None
        while True:
            try:
                while (better := ticket.await_news(last, self._clock)) is not None:
                    last = better
                    yield Answer(self._told(ticket, better), is_final=False)
                solution = ticket.answer()
            except WaitedTooLongError:
                if not self._may_go_on(ticket):
                    raise
            else:
                if not (ticket.job.was_cut and self._may_go_on(ticket)):
                    yield Answer(self._told(ticket, solution))
                    return
            finally:
                self._dispatcher.leave(ticket)
            ticket = self._ask(question, on_hang_up)

    def _may_go_on(self, ticket: Ticket) -> bool:
        return ticket.has_joined and self._clock() < ticket.question.end

    def _told(self, ticket: Ticket, solution: RouteSolution) -> RouteSolution:
        """The worker checked the answer for the problem as it was told first; another telling is checked anew."""
        problem = ticket.question.problem
        if problem is ticket.job.question.problem:
            return solution
        try:
            return checked(problem, told_for(problem, solution))
        except AnswerRefused:
            self._metrics.failed_checks.inc()
            raise


def _stay(_when_gone: Callable[[], None]) -> bool:
    """The `OnHangUp` of one who cannot hang up."""
    return True
