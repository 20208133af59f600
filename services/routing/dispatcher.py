"""Hands questions to workers: a fair queue, equal questions solved once, dead workers replaced.

One lock guards all state. Each worker has a supervisor thread, which waits for it without holding the lock.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable

from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.routing.domain.fair_queue import FairQueue
from services.routing.domain.pace import Pace
from services.routing.domain.problem import ProblemError
from services.routing.domain.solution import RouteSolution
from services.routing.handlers import InvalidAnswerError
from services.routing.metrics import RoutingMetrics
from services.routing.ports import SHARE_RESERVED, SolverFailedError, Worker, WorkerDiedError
from services.routing.questions import (
    PLATFORM,
    ClosingError,
    DeadlyQuestionError,
    Job,
    OverloadedError,
    Question,
    Ticket,
    WaitedTooLongError,
)

WORKERS_PER_QUESTION = 3
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
CLOSING_SECONDS = 2.0
# How often an idle worker is checked for being alive.
POLL_SECONDS = 1.0


class Dispatcher:
    """Takes questions and returns a `Ticket` for each."""

    def __init__(
        self,
        make_worker: Callable[[], Worker],
        worker_count: int,
        queue: FairQueue[Job],
        metrics: RoutingMetrics,
        on_proven: Callable[[Question, RouteSolution], None],
        wait_seconds: float,
        clock: Callable[[], float] = time.monotonic,
        searches_per_caller: int | None = None,
    ) -> None:
        """`on_proven` is called with every proven answer before the waiting callers get it.

        `wait_seconds`: a question with a longer expected wait is rejected, even when the queue is not full.
        `searches_per_caller`: workers that one caller may occupy at the same time, all of them if None; the platform may
        always occupy all.
        """
        self._make_worker = make_worker
        self._worker_count = worker_count
        self._queue = queue
        self._metrics = metrics
        self._on_proven = on_proven
        self._wait_seconds = wait_seconds
        self._clock = clock
        self._searches_per_caller = searches_per_caller or worker_count
        self._occupied_by: Counter[str] = Counter()
        self._log = get_logger("routing")
        self._lock = threading.Lock()
        self._work = threading.Condition(self._lock)
        self._flights: dict[tuple[str, int], Job] = {}
        self._running: dict[Job, Worker] = {}
        self._workers: set[Worker] = set()
        self._idle = 0
        self._pace = Pace()
        self._is_closing = False
        self._ready_supervisors: set[threading.Thread] = set()
        self._readiness = threading.Condition(self._lock)
        self._closing = threading.Condition(self._lock)
        self._supervisors = [
            ServiceThread(f"route-worker-{number}", self._supervise, number == 0)
            for number in range(worker_count)
        ]

    def start(self) -> None:
        """Start the workers; questions may be asked before they are ready.

        The first one starts alone: on a new machine it compiles the kernels, which the others then load.
        """
        for keeper in self._supervisors:
            keeper.start()

    def wait_ready(self, seconds: float | None = None) -> bool:
        """Block until every worker was warmed up once; False after `seconds`."""
        with self._lock:
            return self._readiness.wait_for(
                lambda: len(self._ready_supervisors) >= self._worker_count, seconds
            )

    def check_capacity(self, caller: str | None, is_crowded: bool = False) -> None:
        """Raise `OverloadedError` if a question of `caller` would be rejected, before it is decoded.

        `caller` is None before it is known; then only `is_crowded` is checked.
        """
        with self._lock:
            full_reason = None if caller is None else self._queue.full_reason_for(caller)
            self._reject_if(full_reason or ("crowded" if is_crowded else None))

    def ask(self, question: Question) -> Ticket:
        """Queue the question. Raises `OverloadedError` when too many wait, `ClosingError` when the service stops.

        It joins an equal question in flight whose deadline is not later, so that no deadline is extended. A question that
        `is_ahead` is taken only when a worker is idle and no equal question is in flight. The platform never waits in
        another caller's line.
        """
        with self._lock:
            if self._is_closing:
                raise ClosingError
            job = self._flights.get(question.flight)
            if question.is_ahead and (job is not None or self._queue.in_line >= self._idle):
                raise self._overloaded("ahead")
            if job is not None and job.question.end <= question.end and _may_join(job, question):
                self._reject_if(self._queue.join(question.caller))
                ticket = Ticket(job, question, has_joined=True)
            else:
                job = Job(question, threading.Condition(self._lock))
                self._enqueue(job)
                ticket = Ticket(job, question, has_joined=False)
            job.tickets.append(ticket)
            return ticket

    def leave(self, ticket: Ticket) -> None:
        """Release a ticket, answered or not; a search without tickets is stopped."""
        with self._lock:
            if ticket.has_left:
                return
            job = ticket.job
            ticket.has_left = True
            job.tickets.remove(ticket)
            if ticket.has_joined:
                self._queue.leave(ticket.question.caller)
            if not job.tickets and not job.is_done:
                self._abandon(job)
            job.changed.notify_all()

    def close(self) -> None:
        """Fail waiting questions, stop running ones and end the workers. Blocks until all have ended."""
        with self._lock:
            self._is_closing = True
            while (job := self._queue.take()) is not None:
                self._end_flight(job)
                job.fail(ClosingError())
            for worker in self._running.values():
                worker.stop_search()
            self._work.notify_all()
            self._closing.notify_all()
            self._readiness.notify_all()
        self._join_supervisors()
        with self._lock:
            for worker in self._workers:
                worker.kill()
        self._join_supervisors()

    def _join_supervisors(self) -> None:
        end = time.monotonic() + CLOSING_SECONDS
        for keeper in self._supervisors:
            if keeper.is_alive():
                keeper.join(max(0.0, end - time.monotonic()))

    def _reject_if(self, full_reason: str | None) -> None:
        if full_reason is not None:
            raise self._overloaded(full_reason)

    def _overloaded(self, reason: str) -> OverloadedError:
        self._metrics.refused.labels(reason).inc()
        return OverloadedError(reason, self._pace.retry_after_ms(self._queue.in_line, self._worker_count))

    def _enqueue(self, job: Job) -> None:
        admission = self._queue.enter(job.question.caller, job)
        self._reject_if(admission.full_reason)
        if admission.displaced is not None:
            self._end_flight(admission.displaced)
            admission.displaced.fail(self._overloaded("displaced"))
        # The latest question with this key has the earliest deadline, so most others can join it.
        self._flights[job.question.flight] = job
        self._metrics.queue_length.set(self._queue.in_line)
        self._work.notify()
        self._make_way()

    def _make_way(self) -> None:
        """End searches whose workers are needed: those ahead when anybody waits, callers' when the platform waits."""
        if not self._lacks_workers():
            return
        freed = self._idle + sum(running.gives_way for running in self._running)
        needed = self._queue.in_line_of(PLATFORM) - freed
        for running, worker in self._running.items():
            if running.is_ahead:
                worker.stop_search()
            elif needed > 0 and not (running.gives_way or running.is_platform):
                running.gives_way = True
                needed -= 1
                worker.stop_search()

    def _lacks_workers(self) -> bool:
        return self._queue.in_line > self._idle

    def _abandon(self, job: Job) -> None:
        self._end_flight(job)
        if self._queue.remove(job.question.caller, job):
            self._metrics.queue_length.set(self._queue.in_line)
        elif job in self._running:
            self._running[job].stop_search()

    def _end_flight(self, job: Job) -> None:
        if self._flights.get(job.question.flight) is job:
            del self._flights[job.question.flight]

    def _fully_served(self) -> list[str]:
        """The callers that get no further worker now."""
        return [caller for caller, count in self._occupied_by.items() if count >= self._searches_per_caller]

    def _take(self) -> Job | None:
        job = self._queue.take(self._fully_served())
        self._metrics.queue_length.set(self._queue.in_line)
        return job

    def _supervise(self, is_first: bool) -> None:
        """Run one worker after the other, each until it dies."""
        pause = FIRST_PAUSE_SECONDS
        if not is_first:
            with self._lock:
                self._readiness.wait_for(lambda: self._is_closing or bool(self._ready_supervisors))
        while not self._is_closing:
            began = self._clock()
            try:
                self._run_worker(self._make_worker())
            except (WorkerDiedError, OSError) as died:
                self._metrics.worker_restarts.inc()
                self._log.error("worker died", problem=str(died))
                if self._clock() - began > LONGEST_PAUSE_SECONDS:
                    pause = FIRST_PAUSE_SECONDS
                with self._lock:
                    self._closing.wait_for(lambda: self._is_closing, pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _run_worker(self, worker: Worker) -> None:
        with self._lock:
            self._workers.add(worker)
        try:
            worker.wait_ready()
            self._serve_jobs(worker)
        finally:
            with self._lock:
                self._workers.discard(worker)
            worker.close()

    def _serve_jobs(self, worker: Worker) -> None:
        with self._lock:
            self._ready_supervisors.add(threading.current_thread())
            self._readiness.notify_all()
        self._metrics.workers_alive.inc()
        try:
            free_since = self._clock()
            while (job := self._next_job(worker)) is not None:
                try:
                    self._work_on(job, worker, max(free_since, job.question.asked_at))
                finally:
                    self._release_worker_of(job.question.caller)
                free_since = self._clock()
        finally:
            self._metrics.workers_alive.dec()

    def _next_job(self, worker: Worker) -> Job | None:
        """The next question whose deadline has not passed; None on shutdown. Raises `WorkerDiedError`."""
        with self._lock:
            while True:
                self._idle += 1
                self._work.wait_for(
                    lambda: self._is_closing or self._queue.has_next(self._fully_served()), POLL_SECONDS
                )
                self._idle -= 1
                if self._is_closing:
                    return None
                if not worker.is_alive():
                    self._work.notify()
                    raise WorkerDiedError("a worker died while idle")
                job = self._take()
                if job is None:
                    continue
                if self._clock() < job.question.end:
                    job.is_running = True
                    self._occupied_by[job.question.caller] += 1
                    return job
                self._end_flight(job)
                self._metrics.refused.labels("waited_too_long").inc()
                job.was_cut = True
                job.fail(WaitedTooLongError())

    def _release_worker_of(self, caller: str) -> None:
        with self._lock:
            self._occupied_by[caller] -= 1
            if self._occupied_by[caller] <= 0:
                del self._occupied_by[caller]

    def _work_on(self, job: Job, worker: Worker, busy_since: float) -> None:
        """`busy_since`: when both worker and question were available; the hand-over counts as work."""
        question, began = job.question, self._clock()
        self._metrics.waiting_seconds.observe(began - question.asked_at)
        seconds = min(question.end - began, question.seconds_most)
        try:
            worker.ask(question.problem, None if math.isinf(seconds) else seconds)
            with self._lock:
                self._running[job] = worker
                if self._is_closing or (job.is_ahead and (not job.tickets or self._lacks_workers())):
                    worker.stop_search()
                else:
                    self._make_way()
            solution = worker.answer(lambda better: self._note_better(job, better))
        except WorkerDiedError as died:
            self._handle_death(job, died)
            raise
        except (ProblemError, InvalidAnswerError, SolverFailedError) as failure:
            self._fail(job, failure)
        except Exception as bug:
            self._fail(job, SolverFailedError(repr(bug)))
            raise WorkerDiedError(f"the worker's state is unknown after {bug!r}") from bug
        else:
            self._finish(job, solution, began, began + seconds)
            if not question.is_ahead:
                self._note_pace(self._clock() - busy_since)

    def _note_better(self, job: Job, better: RouteSolution) -> None:
        with self._lock:
            job.note_better(better)

    def _finish(self, job: Job, solution: RouteSolution, began: float, due: float) -> None:
        now = self._clock()
        self._metrics.solving_seconds.observe(now - began)
        self._metrics.solved.labels("yes" if solution.proven else "no").inc()
        is_late = now >= due
        if is_late:
            self._metrics.overrun_seconds.observe(now - due)
        if solution.proven:
            self._on_proven(job.question, solution)
        with self._lock:
            self._running.pop(job, None)
            self._end_flight(job)
            by_deadline = due < math.inf and now >= due - SHARE_RESERVED * (due - began)
            if by_deadline:
                job.ended_for = due
            was_cut = by_deadline or self._is_closing or job.gives_way or job.question.is_ahead
            job.finish(solution, was_cut=was_cut and not solution.proven)

    def _note_pace(self, seconds: float) -> None:
        with self._lock:
            self._pace.observe(seconds)
            self._queue.resize(self._pace.queue_limit(self._wait_seconds, self._worker_count))

    def _fail(self, job: Job, failure: Exception) -> None:
        if isinstance(failure, InvalidAnswerError):
            self._metrics.failed_checks.inc()
            self._log.error("answer failed verification", key=job.question.key, problem=str(failure))
        elif isinstance(failure, SolverFailedError):
            self._log.error("solver failed", key=job.question.key, problem=str(failure))
        with self._lock:
            self._running.pop(job, None)
            self._end_flight(job)
            job.fail(failure)

    def _handle_death(self, job: Job, died: WorkerDiedError) -> None:
        """Requeue the dead worker's question, or fail it after it ended `WORKERS_PER_QUESTION` workers."""
        with self._lock:
            self._running.pop(job, None)
            job.deaths += 1
            job.is_running = False
            if self._is_closing:
                self._end_flight(job)
                job.fail(ClosingError())
            elif job.deaths >= WORKERS_PER_QUESTION:
                self._end_flight(job)
                self._metrics.refused.labels("deadly").inc()
                self._log.error(
                    "question dropped", key=job.question.key, deaths=job.deaths, problem=str(died)
                )
                job.fail(DeadlyQuestionError(f"question {job.question.key} ended {job.deaths} workers"))
            elif job.tickets:
                self._queue.put_back(job.question.caller, job)
                self._work.notify()


def _may_join(job: Job, question: Question) -> bool:
    """Whether the answer of `job` comes soon enough for the asker of `question`."""
    return question.caller != PLATFORM or job.is_platform or (job.is_running and not job.gives_way)
