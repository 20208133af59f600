"""Brings questions to workers: admission, turns, equal questions joined, dead workers replaced.

One lock guards everything; workers are waited for outside of it, each by a keeper thread of its own.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from services.common.process.threads import ServiceThread
from services.common.telemetry.logs import get_logger
from services.routing.domain.pace import Pace
from services.routing.domain.problem import ProblemError
from services.routing.domain.solution import RouteSolution
from services.routing.domain.waiting import WaitingRoom
from services.routing.handlers import AnswerRefused
from services.routing.metrics import RoutingMetrics
from services.routing.ports import SolverFailedError, Worker, WorkerDiedError
from services.routing.questions import (
    ClosingError,
    DeadlyQuestionError,
    Job,
    NoRoomError,
    Question,
    Ticket,
    WaitedTooLongError,
)

WORKERS_PER_QUESTION = 3
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
CLOSING_SECONDS = 2.0
# How soon the death of an idle worker is noticed.
LOOK_EVERY_SECONDS = 1.0


class Dispatcher:
    """Questions in, tickets out."""

    def __init__(
        self,
        make_worker: Callable[[], Worker],
        worker_count: int,
        room: WaitingRoom[Job],
        metrics: RoutingMetrics,
        on_proven: Callable[[Question, RouteSolution], None],
        wait_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`on_proven` hears of every proven answer before those who wait for it.

        `wait_seconds`: a question that would probably wait longer finds no room, however large the room is.
        """
        self._make_worker = make_worker
        self._worker_count = worker_count
        self._room = room
        self._metrics = metrics
        self._on_proven = on_proven
        self._wait_seconds = wait_seconds
        self._clock = clock
        self._log = get_logger("routing")
        self._lock = threading.Lock()
        self._work = threading.Condition(self._lock)
        self._flights: dict[tuple[str, int], Job] = {}
        self._running: dict[Job, Worker] = {}
        self._workers: set[Worker] = set()
        self._idle = 0
        self._pace = Pace()
        self._is_closing = False
        self._ready_keepers: set[threading.Thread] = set()
        self._readiness = threading.Condition(self._lock)
        self._closing = threading.Condition(self._lock)
        self._keepers = [
            ServiceThread(f"route-worker-{number}", self._keep_one, number == 0)
            for number in range(worker_count)
        ]

    def start(self) -> None:
        """Let the workers come; questions may be asked before they are there.

        The first one comes alone: on a new machine it compiles the kernels, and the others find them compiled.
        """
        for keeper in self._keepers:
            keeper.start()

    def wait_ready(self, seconds: float | None = None) -> bool:
        """Block until every worker was warmed up once, at most so long; False if that was not enough."""
        with self._lock:
            return self._readiness.wait_for(lambda: len(self._ready_keepers) >= self._worker_count, seconds)

    def check_room(self, caller: str | None, is_crowded: bool = False) -> None:
        """Raise `NoRoomError` if a question of `caller` would find no room: cheaper to know before it is read.

        `caller` is None before it is known, and then only a crowd is refused.
        """
        with self._lock:
            no_room = None if caller is None else self._room.no_room_for(caller)
            self._refuse_if(no_room or ("crowded" if is_crowded else None))

    def ask(self, question: Question) -> Ticket:
        """A claim on the answer. Raises `NoRoomError` when too many wait, `ClosingError` when the service ends.

        The question joins an equal one in flight that must end no later than itself; so nobody's deadline moves. One that
        is ahead finds room only where a worker has nothing to do, and nobody asks the same.
        """
        with self._lock:
            if self._is_closing:
                raise ClosingError
            job = self._flights.get(question.flight)
            if question.is_ahead and (job is not None or self._room.in_line >= self._idle):
                raise self._no_room("ahead")
            if job is not None and job.question.end <= question.end:
                self._refuse_if(self._room.accompany(question.caller))
                ticket = Ticket(job, question, has_joined=True)
            else:
                job = Job(question, threading.Condition(self._lock))
                self._line_up(job)
                ticket = Ticket(job, question, has_joined=False)
            job.tickets.append(ticket)
            return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give a ticket back, answered or not; a search for which nobody waits any more is stopped."""
        with self._lock:
            if ticket.has_left:
                return
            job = ticket.job
            ticket.has_left = True
            job.tickets.remove(ticket)
            if ticket.has_joined:
                self._room.depart(ticket.question.caller)
            if not job.tickets and not job.is_done:
                self._abandon(job)
            job.changed.notify_all()

    def close(self) -> None:
        """Fail what waits, stop what runs, let the workers go. Blocks until all are gone."""
        with self._lock:
            self._is_closing = True
            while (job := self._take()) is not None:
                self._end_flight(job)
                job.fail(ClosingError())
            for worker in self._running.values():
                worker.stop_search()
            self._work.notify_all()
            self._closing.notify_all()
            self._readiness.notify_all()
        self._join_keepers()
        with self._lock:
            for worker in self._workers:
                worker.kill()
        self._join_keepers()

    def _join_keepers(self) -> None:
        end = time.monotonic() + CLOSING_SECONDS
        for keeper in self._keepers:
            if keeper.is_alive():
                keeper.join(max(0.0, end - time.monotonic()))

    def _refuse_if(self, no_room: str | None) -> None:
        if no_room is not None:
            raise self._no_room(no_room)

    def _no_room(self, reason: str) -> NoRoomError:
        self._metrics.refused.labels(reason).inc()
        return NoRoomError(reason, self._pace.retry_after_ms(self._room.in_line, self._worker_count))

    def _line_up(self, job: Job) -> None:
        admission = self._room.enter(job.question.caller, job)
        self._refuse_if(admission.no_room)
        if admission.displaced is not None:
            self._end_flight(admission.displaced)
            admission.displaced.fail(self._no_room("displaced"))
        # Of equal questions the one that ends first can be joined by most.
        self._flights[job.question.flight] = job
        self._metrics.queue_length.set(self._room.in_line)
        self._work.notify()
        if self._lacks_workers():
            for running, worker in self._running.items():
                if running.is_ahead:
                    worker.stop_search()

    def _lacks_workers(self) -> bool:
        return self._room.in_line > self._idle

    def _abandon(self, job: Job) -> None:
        self._end_flight(job)
        if self._room.remove(job.question.caller, job):
            self._metrics.queue_length.set(self._room.in_line)
        elif job in self._running:
            self._running[job].stop_search()

    def _end_flight(self, job: Job) -> None:
        if self._flights.get(job.question.flight) is job:
            del self._flights[job.question.flight]

    def _take(self) -> Job | None:
        job = self._room.take()
        self._metrics.queue_length.set(self._room.in_line)
        return job

    def _keep_one(self, is_first: bool) -> None:
        """The life of a keeper: one worker after the other, each until it dies."""
        pause = FIRST_PAUSE_SECONDS
        if not is_first:
            with self._lock:
                self._readiness.wait_for(lambda: self._is_closing or bool(self._ready_keepers))
        while not self._is_closing:
            began = self._clock()
            try:
                self._live_with(self._make_worker())
            except (WorkerDiedError, OSError) as died:
                self._metrics.worker_restarts.inc()
                self._log.error("worker died", problem=str(died))
                if self._clock() - began > LONGEST_PAUSE_SECONDS:
                    pause = FIRST_PAUSE_SECONDS
                with self._lock:
                    self._closing.wait_for(lambda: self._is_closing, pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _live_with(self, worker: Worker) -> None:
        with self._lock:
            self._workers.add(worker)
        try:
            worker.wait_ready()
            self._serve_with(worker)
        finally:
            with self._lock:
                self._workers.discard(worker)
            worker.close()

    def _serve_with(self, worker: Worker) -> None:
        with self._lock:
            self._ready_keepers.add(threading.current_thread())
            self._readiness.notify_all()
        self._metrics.workers_alive.inc()
        try:
            free_since = self._clock()
            while (job := self._next_job(worker)) is not None:
                self._work_on(job, worker, max(free_since, job.question.asked_at))
                free_since = self._clock()
        finally:
            self._metrics.workers_alive.dec()

    def _next_job(self, worker: Worker) -> Job | None:
        """The next question in time; None when the service ends. Raises `WorkerDiedError` if nobody can solve it."""
        with self._lock:
            while True:
                self._idle += 1
                self._work.wait_for(lambda: self._is_closing or self._room.in_line > 0, LOOK_EVERY_SECONDS)
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
                    return job
                self._end_flight(job)
                self._metrics.refused.labels("waited_too_long").inc()
                job.was_cut = True
                job.fail(WaitedTooLongError())

    def _work_on(self, job: Job, worker: Worker, busy_since: float) -> None:
        """`busy_since`: when the worker and the question were both there; handing it over is part of the work."""
        question, began = job.question, self._clock()
        self._metrics.waiting_seconds.observe(began - question.asked_at)
        seconds = min(question.end - began, question.seconds_most)
        try:
            worker.ask(question.problem, None if math.isinf(seconds) else seconds)
            with self._lock:
                self._running[job] = worker
                if self._is_closing or (job.is_ahead and (not job.tickets or self._lacks_workers())):
                    worker.stop_search()
            solution = worker.answer(lambda better: self._hear(job, better))
        except WorkerDiedError as died:
            self._bury(job, died)
            raise
        except (ProblemError, AnswerRefused, SolverFailedError) as failure:
            self._fail(job, failure)
        except Exception as bug:
            self._fail(job, SolverFailedError(repr(bug)))
            raise WorkerDiedError(f"nobody knows what state the worker is in after {bug!r}") from bug
        else:
            self._finish(job, solution, began, began + seconds)
            if not question.is_ahead:
                self._note_pace(self._clock() - busy_since)

    def _hear(self, job: Job, better: RouteSolution) -> None:
        with self._lock:
            job.hear(better)

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
            was_cut = is_late or self._is_closing or job.question.is_ahead
            job.finish(solution, was_cut=was_cut and not solution.proven)

    def _note_pace(self, seconds: float) -> None:
        with self._lock:
            self._pace.observe(seconds)
            self._room.resize(self._pace.places(self._wait_seconds, self._worker_count))

    def _fail(self, job: Job, failure: Exception) -> None:
        if isinstance(failure, AnswerRefused):
            self._metrics.failed_checks.inc()
            self._log.error("answer failed its check", key=job.question.key, problem=str(failure))
        elif isinstance(failure, SolverFailedError):
            self._log.error("solver failed", key=job.question.key, problem=str(failure))
        with self._lock:
            self._running.pop(job, None)
            self._end_flight(job)
            job.fail(failure)

    def _bury(self, job: Job, died: WorkerDiedError) -> None:
        """After a worker's death: its question goes to the next free worker, unless it seems to be the cause."""
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
                    "question given up", key=job.question.key, deaths=job.deaths, problem=str(died)
                )
                job.fail(DeadlyQuestionError(f"question {job.question.key} ended {job.deaths} workers"))
            elif job.tickets:
                self._room.put_back(job.question.caller, job)
                self._work.notify()
