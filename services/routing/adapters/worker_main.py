"""The worker process: solves what it is asked over its pipe, until the pipe's other end is gone."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection

from services.common.telemetry.stack_dumps import enable_stack_dumps
from services.routing.adapters.search import Search
from services.routing.adapters.worker_wire import (
    Answered,
    Ask,
    Better,
    Broken,
    FromWorker,
    Meaningless,
    Ready,
    Stop,
    Withheld,
    decode_to_worker,
    encode,
)
from services.routing.domain.problem import ProblemError
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import warm_up
from services.routing.handlers import AnswerRefused

LOOK_EVERY_SECONDS = 0.005
# Where cores are short the server goes first: late searches shorten the queue, late refusals lengthen what nobody sees.
NICENESS = 3


def serve(pipe: Connection) -> None:
    """Warm up, then answer question after question until the server hangs up."""
    warm_up()
    try:
        pipe.send_bytes(encode(Ready()))
        while True:
            message = decode_to_worker(pipe.recv_bytes())
            if isinstance(message, Ask):
                pipe.send_bytes(encode(_reply(pipe, message)))
    except (EOFError, OSError):
        return


def _reply(pipe: Connection, asked: Ask) -> FromWorker:
    def tell(solution: RouteSolution) -> None:
        pipe.send_bytes(encode(Better(solution)))

    try:
        return Answered(Search(asked.problem, asked.seconds, ServerSignal(pipe).is_given, tell).run())
    except ProblemError as error:
        return Meaningless(error.field, error.reason, error.message)
    except AnswerRefused as error:
        return Withheld(error.fault)
    except OSError:
        raise
    except Exception:
        return Broken(traceback.format_exc())


class ServerSignal:
    """Whether the server said stop, or is gone."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._is_given = False
        self._look_at = 0.0

    def is_given(self) -> bool:
        """Looks, without waiting; not every time, since looking is a system call."""
        now = time.monotonic()
        if self._is_given or now < self._look_at:
            return self._is_given
        self._look_at = now + LOOK_EVERY_SECONDS
        if self._pipe.poll():
            try:
                self._is_given = isinstance(decode_to_worker(self._pipe.recv_bytes()), Stop)
            except (EOFError, OSError):
                self._is_given = True
        return self._is_given


def main(descriptor: int) -> None:
    """The process. Signals to the server's group are the server's business: it hangs up when it is done."""
    enable_stack_dumps()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.nice(NICENESS)
    with Connection(descriptor) as pipe:
        serve(pipe)


if __name__ == "__main__":
    main(int(sys.argv[1]))
