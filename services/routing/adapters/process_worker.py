"""The server's side of a worker process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

import msgspec

from services.routing.adapters import worker_main
from services.routing.adapters.worker_wire import (
    Answered,
    Ask,
    Better,
    FromWorker,
    InvalidAnswer,
    InvalidProblem,
    Ready,
    Stop,
    decode_from_worker,
    encode,
)
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.handlers import InvalidAnswerError
from services.routing.ports import SolverFailedError, WorkerDiedError

# A worker that still runs so long after it had to stop is killed.
KILL_AFTER_SECONDS = 5.0
EXIT_SECONDS = 0.5
# Large arrays are made of small pages: to find room for huge ones the system may take tens of milliseconds at once.
SMALL_PAGES = {"NUMPY_MADVISE_HUGEPAGE": "0"}
POLL_SECONDS = 1.0


class ProcessWorker:
    """Implements `Worker` with a fresh interpreter at the other end of a socket pair.

    It inherits only the pipe's end, so an `EOFError` on either side means that the other process has ended.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._pipe = Connection(ours.detach())
        self._sending = threading.Lock()
        self._must_end_at: float | None = None
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", worker_main.__name__, str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=os.environ
                | SMALL_PAGES
                | {"PYTHONPATH": os.pathsep.join(filter(None, map(os.path.abspath, sys.path)))},
            )

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def wait_ready(self) -> None:
        """See `Worker`."""
        if not isinstance(self._receive(), Ready):
            raise WorkerDiedError(f"worker {self.pid} did not report that it is ready")

    def ask(self, problem: RouteProblem, seconds: float | None) -> None:
        """See `Worker`."""
        self._must_end_at = None if seconds is None else time.monotonic() + seconds + KILL_AFTER_SECONDS
        self._send(encode(Ask(problem, seconds)))

    def answer(self, on_better: Callable[[RouteSolution], None]) -> RouteSolution:
        """See `Worker`."""
        while True:
            while not self._pipe.poll(POLL_SECONDS):
                if self._must_end_at is not None and time.monotonic() > self._must_end_at:
                    self._process.kill()
            match self._receive():
                case Better(solution):
                    on_better(solution)
                case Answered(solution):
                    return solution
                case InvalidProblem(field, reason, message):
                    raise ProblemError(field, reason, message)
                case InvalidAnswer(fault):
                    raise InvalidAnswerError(fault)
                case other:
                    raise SolverFailedError(getattr(other, "traceback", repr(other)))

    def stop_search(self) -> None:
        """See `Worker`."""
        self._must_end_at = time.monotonic() + KILL_AFTER_SECONDS
        try:
            self._send(encode(Stop()))
        except WorkerDiedError:
            return

    def is_alive(self) -> bool:
        """See `Worker`."""
        return self._process.poll() is None

    def kill(self) -> None:
        """See `Worker`."""
        self._process.kill()

    def close(self) -> None:
        """See `Worker`."""
        with self._sending:
            self._pipe.close()
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, content: bytes) -> None:
        try:
            with self._sending:
                self._pipe.send_bytes(content)
        except OSError as problem:
            raise WorkerDiedError(f"worker {self.pid} has ended") from problem

    def _receive(self) -> FromWorker:
        try:
            return decode_from_worker(self._pipe.recv_bytes())
        except (EOFError, OSError, msgspec.DecodeError) as problem:
            raise WorkerDiedError(f"worker {self.pid} has ended") from problem
