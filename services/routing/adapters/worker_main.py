"""The worker process: solves what it is asked over its pipe, until the pipe's other end is gone."""

from __future__ import annotations

import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection

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
from services.routing.handlers import AnswerRefused, solve_routes

BETTER_EVERY_SECONDS = 0.02


class Search:
    """One question while it is solved: when to stop, and what was found that the server does not know yet."""

    def __init__(self, pipe: Connection, seconds: float | None, tells_better: bool) -> None:
        self._pipe = pipe
        self._end = None if seconds is None else time.monotonic() + seconds
        self._tells_better = tells_better
        self._untold: RouteSolution | None = None
        self._told_at = 0.0
        self._is_stopped = False

    def should_stop(self) -> bool:
        """Is the time over, did the server say stop, or is it gone? Tells what is worth telling on the way."""
        now = time.monotonic()
        if self._untold is not None and now - self._told_at >= BETTER_EVERY_SECONDS:
            self._tell(now)
        if self._end is not None and now >= self._end:
            return True
        if not self._is_stopped and self._pipe.poll():
            self._is_stopped = self._hears_stop()
        return self._is_stopped

    def on_better(self, solution: RouteSolution) -> None:
        """Tell the server, but not more often than anybody can look."""
        if self._tells_better:
            self._untold = solution
            now = time.monotonic()
            if now - self._told_at >= BETTER_EVERY_SECONDS:
                self._tell(now)

    def _tell(self, now: float) -> None:
        if self._untold is not None and not self._is_stopped:
            self._told_at = now
            try:
                self._pipe.send_bytes(encode(Better(self._untold)))
            except OSError:
                self._is_stopped = True
        self._untold = None

    def _hears_stop(self) -> bool:
        try:
            return isinstance(decode_to_worker(self._pipe.recv_bytes()), Stop)
        except (EOFError, OSError):
            return True


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
    search = Search(pipe, asked.seconds, asked.tells_better)
    try:
        return Answered(solve_routes(asked.problem, search.should_stop, search.on_better))
    except ProblemError as error:
        return Meaningless(error.field, error.reason, error.message)
    except AnswerRefused as error:
        return Withheld(error.fault)
    except Exception:
        return Broken(traceback.format_exc())


def main(descriptor: int) -> None:
    """The process. Signals to the server's group are the server's business: it hangs up when it is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with Connection(descriptor) as pipe:
        serve(pipe)


if __name__ == "__main__":
    main(int(sys.argv[1]))
