"""The worker process: solves problems received over its pipe until the server closes it."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection

from services.common.process.garbage import freeze_loaded_objects
from services.common.telemetry.stack_dumps import enable_stack_dumps
from services.routing.adapters.search import Search
from services.routing.adapters.worker_wire import (
    Answered,
    Ask,
    Better,
    FromWorker,
    InvalidAnswer,
    InvalidProblem,
    Ready,
    SolverFailed,
    Stop,
    decode_to_worker,
    encode,
)
from services.routing.domain.problem import ProblemError
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import warm_up
from services.routing.handlers import InvalidAnswerError

POLL_SECONDS = 0.005
# Objects that a question may leave behind before garbage is collected.
OBJECTS_MOST = 20_000
# The server has priority on a busy machine: a slow search is bounded by its deadline, slow rejections would pile up calls.
NICENESS = 3


def serve(pipe: Connection) -> None:
    """Warm up, then answer questions until the server closes the pipe."""
    warm_up()
    # Garbage is collected between questions: within a search that holds up a look at the clock by up to a tenth of a second.
    freeze_loaded_objects()
    gc.disable()
    try:
        pipe.send_bytes(encode(Ready()))
        while True:
            message = decode_to_worker(pipe.recv_bytes())
            if isinstance(message, Ask):
                pipe.send_bytes(encode(_reply(pipe, message)))
                if gc.get_count()[0] > OBJECTS_MOST:
                    gc.collect()
    except (EOFError, OSError):
        return


def _reply(pipe: Connection, asked: Ask) -> FromWorker:
    def report(solution: RouteSolution) -> None:
        pipe.send_bytes(encode(Better(solution)))

    try:
        return Answered(Search(asked.problem, asked.seconds, ServerSignal(pipe).is_given, report).run())
    except ProblemError as error:
        return InvalidProblem(error.field, error.reason, error.message)
    except InvalidAnswerError as error:
        return InvalidAnswer(error.fault)
    except OSError:
        raise
    except Exception:
        return SolverFailed(traceback.format_exc())


class ServerSignal:
    """Whether the server sent `Stop` or closed the pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._is_given = False
        self._poll_at = 0.0

    def is_given(self) -> bool:
        """Polls without blocking, at most every `POLL_SECONDS`, since polling is a system call."""
        now = time.monotonic()
        if self._is_given or now < self._poll_at:
            return self._is_given
        self._poll_at = now + POLL_SECONDS
        if self._pipe.poll():
            try:
                self._is_given = isinstance(decode_to_worker(self._pipe.recv_bytes()), Stop)
            except (EOFError, OSError):
                self._is_given = True
        return self._is_given


def main(descriptor: int) -> None:
    """Run the process. It ignores signals to the server's process group and ends when the server closes the pipe."""
    enable_stack_dumps()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.nice(NICENESS)
    with Connection(descriptor) as pipe:
        serve(pipe)


if __name__ == "__main__":
    main(int(sys.argv[1]))
