"""A worker in a process of its own, seen from the server."""

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
    Meaningless,
    Ready,
    Stop,
    Withheld,
    decode_from_worker,
    encode,
)
from services.routing.domain.problem import ProblemError, RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.handlers import AnswerRefused
from services.routing.ports import SolverFailedError, WorkerDiedError

# A worker that goes on so long after it had to stop is beyond help and is killed.
STUBBORN_SECONDS = 5.0
GOODBYE_SECONDS = 0.5
LOOK_EVERY_SECONDS = 1.0


class ProcessWorker:
    """Implements `Worker` with a fresh interpreter at the other end of a socket pair.

    Nothing of the server is inherited but the pipe's end, so that the worker's `EOFError` means that the server is gone
    and the server's means that the worker is.
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
                | {"PYTHONPATH": os.pathsep.join(filter(None, map(os.path.abspath, sys.path)))},
            )

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def wait_ready(self) -> None:
        """See `Worker`."""
        if not isinstance(self._receive(), Ready):
            raise WorkerDiedError(f"worker {self.pid} does not begin with being ready")

    def ask(self, problem: RouteProblem, seconds: float | None) -> None:
        """See `Worker`."""
        self._must_end_at = None if seconds is None else time.monotonic() + seconds + STUBBORN_SECONDS
        self._send(encode(Ask(problem, seconds)))

    def answer(self, on_better: Callable[[RouteSolution], None]) -> RouteSolution:
        """See `Worker`."""
        while True:
            while not self._pipe.poll(LOOK_EVERY_SECONDS):
                if self._must_end_at is not None and time.monotonic() > self._must_end_at:
                    self._process.kill()
            match self._receive():
                case Better(solution):
                    on_better(solution)
                case Answered(solution):
                    return solution
                case Meaningless(field, reason, message):
                    raise ProblemError(field, reason, message)
                case Withheld(fault):
                    raise AnswerRefused(fault)
                case other:
                    raise SolverFailedError(getattr(other, "traceback", repr(other)))

    def stop_search(self) -> None:
        """See `Worker`."""
        self._must_end_at = time.monotonic() + STUBBORN_SECONDS
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
            self._process.wait(GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, content: bytes) -> None:
        try:
            with self._sending:
                self._pipe.send_bytes(content)
        except OSError as problem:
            raise WorkerDiedError(f"worker {self.pid} is gone") from problem

    def _receive(self) -> FromWorker:
        try:
            return decode_from_worker(self._pipe.recv_bytes())
        except (EOFError, OSError, msgspec.DecodeError) as problem:
            raise WorkerDiedError(f"worker {self.pid} is gone") from problem
