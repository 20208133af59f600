"""The watchdog of a service process: health shows when its work stalls, and a process that does not recover ends, so
that it is started again."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from services.common.process.exit_on_timeout import EXIT_HUNG
from services.common.process.progress import Progress
from services.common.process.threads import failed_threads
from services.common.telemetry.logs import get_logger
from services.common.telemetry.stack_dumps import dump_stacks

LOOK_EVERY_SECONDS = 0.5
# After being unhealthy for so long a process is not expected to recover.
RECOVERY_SECONDS = 30.0


class Watchdog:
    """Looks between `start` and `stop`, in a thread that depends on nothing it watches."""

    def __init__(
        self,
        progress: Callable[[], Progress | None],
        recovery_seconds: float = RECOVERY_SECONDS,
        end_process: Callable[[int], object] = os._exit,
    ) -> None:
        """`progress`: of the work, None while there is none to judge. `end_process` is given the exit code `EXIT_HUNG`."""
        self._progress = progress
        self._recovery_seconds = recovery_seconds
        self._end_process = end_process
        self._log = get_logger("watchdog")
        self._stopping = threading.Event()
        self._unhealthy_since: float | None = None
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    @property
    def is_healthy(self) -> bool:
        """Whether work moves on."""
        return self._unhealthy_since is None

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking. May be called again, and without `start`."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._stopping.wait(LOOK_EVERY_SECONDS):
            failed = failed_threads()
            if failed:
                self._end(f"threads failed: {', '.join(failed)}")
                return
            progress = self._progress()
            problem = "" if progress is None else progress.stalled()
            if not problem:
                self._note_recovery()
            elif self._unhealthy_since is None:
                self._unhealthy_since = time.monotonic()
                self._show("work stalled", problem)
            elif time.monotonic() - self._unhealthy_since > self._recovery_seconds:
                self._end(problem)
                return

    def _note_recovery(self) -> None:
        if self._unhealthy_since is not None:
            self._unhealthy_since = None
            self._log.info("work continues")

    def _show(self, what: str, problem: str) -> None:
        """Diagnostics: figures of the work, and the stack of every thread."""
        progress = self._progress()
        self._log.critical(what, problem=problem, state={} if progress is None else progress.state())
        dump_stacks()

    def _end(self, problem: str) -> None:
        self._show("the process ends to be started again", problem)
        self._end_process(EXIT_HUNG)
