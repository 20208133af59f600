"""Fake workers controlled by the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, Queue

import msgspec

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.ports import WorkerDiedError

TIMEOUT = 60.0
Move = RouteSolution | Exception


class FakeWorkers:
    """All fake workers of a service. They record their questions and answer as the test decides."""

    def __init__(self) -> None:
        self.asked: Queue[FakeWorker] = Queue()
        self.asked_of: list[str] = []
        self.made_count = 0
        self.may_be_ready = threading.Event()
        self.may_be_ready.set()

    def make(self) -> FakeWorker:
        """A new worker."""
        self.made_count += 1
        return FakeWorker(self)

    def next(self) -> FakeWorker:
        """The next worker that is asked something."""
        return self.asked.get(timeout=TIMEOUT)

    def none_is_asked(self, seconds: float = 0.15) -> bool:
        """Whether no worker gets a question for `seconds`."""
        try:
            self.asked.get(timeout=seconds)
        except Empty:
            return True
        return False


class FakeWorker:
    """Implements `Worker`; answers with the best so far, unproven, on its deadline or when it is stopped."""

    def __init__(self, workers: FakeWorkers) -> None:
        self._all = workers
        self._moves: Queue[tuple[str, Move]] = Queue()
        self._stopped = threading.Event()
        # The event is forgotten with the next question, which may come before a test looks.
        self._stops = threading.Semaphore(0)
        self.is_deaf = False
        self.problem: RouteProblem
        self._seconds: float | None = None

    def better(self, solution: RouteSolution) -> None:
        """Let it report an intermediate answer."""
        self._moves.put(("better", solution))

    def answers(self, solution: RouteSolution | None = None) -> None:
        """Let it answer; the truth if nothing else is given."""
        self._moves.put(("answer", solution or solve(self.problem)))

    def fails(self, failure: Exception) -> None:
        """Let it raise."""
        self._moves.put(("fail", failure))

    def dies(self) -> None:
        """Let it end."""
        self.fails(WorkerDiedError("killed by the test"))

    def was_stopped(self) -> bool:
        """Whether it is stopped once more within the timeout."""
        return self._stops.acquire(timeout=TIMEOUT)

    def wait_ready(self) -> None:
        """See `Worker`."""
        self._all.may_be_ready.wait(TIMEOUT)

    def ask(self, problem: RouteProblem, seconds: float | None) -> None:
        """See `Worker`."""
        self.problem, self._seconds = problem, seconds
        self._stopped.clear()
        self._all.asked_of.append(problem.company)
        self._all.asked.put(self)

    def answer(self, on_better: Callable[[RouteSolution], None]) -> RouteSolution:
        """See `Worker`."""
        end = time.monotonic() + (TIMEOUT if self._seconds is None else self._seconds)
        while self.is_deaf or (not self._stopped.is_set() and time.monotonic() < end):
            try:
                sort, move = self._moves.get(timeout=0.01)
            except Empty:
                continue
            if isinstance(move, Exception):
                raise move
            if sort == "answer":
                return move
            on_better(move)
        return cut_short(solve(self.problem))

    def stop_search(self) -> None:
        """See `Worker`."""
        self._stopped.set()
        self._stops.release()

    def is_alive(self) -> bool:
        """See `Worker`."""
        return True

    def kill(self) -> None:
        """See `Worker`."""
        self._stopped.set()

    def close(self) -> None:
        """See `Worker`."""


def cut_short(solution: RouteSolution, missing: int = 0, above: int = 10) -> RouteSolution:
    """`solution` as if it were not proven and its bound `above` too high; with `missing` its runs are left out."""
    if missing:
        kept = solution.runs[:-missing]
        solution = msgspec.structs.replace(
            solution,
            runs=kept,
            revenue=sum(run.revenue for run in kept),
            treasury_income=sum(run.treasury_income for run in kept),
        )
    return msgspec.structs.replace(solution, proven=False, upper_bound=solution.upper_bound + above)
