"""Processes of services that die again and again, each as the plan says, and are started again at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from services.common.process.crashpoints import VARIABLE
from services.common.process.exit_on_timeout import EXIT_HUNG
from services.host.children import Child, ChildFailed
from tests.faults.failures import Failure, Kind
from tests.faults.hangs import AllowedHangs, last_critical_line
from tests.faults.plan import Death

REACH_SECONDS = 6.0
# On a busy machine processes take longer to start than to die: without a pause nothing would be left to disturb.
MOVES_BETWEEN_DEATHS = 8
MOVES_SECONDS = 60.0
SERVE_SECONDS = 240.0
STARTS_MAX = 30
RETRY_SECONDS = 0.5
LOOK_EVERY_SECONDS = 0.02
# How a process ends that says why it cannot start, as without a broker; an orchestrator starts it again.
CANNOT_START = 1


@dataclass(frozen=True, slots=True)
class Died:
    """A death that took place: where the process was, whether the point was reached, seconds until it had served before.

    `moment`: when, in monotonic seconds."""

    name: str
    death: Death
    is_at_point: bool
    until_service: float
    moment: float


class Mortal(Protocol):
    """A process that can be killed and started again, such as a `Replica`."""

    name: str
    process: Child

    def is_healthy(self) -> bool:
        """Whether it serves."""


class Victim(threading.Thread):
    """One process through all its deaths; afterwards it is started again should it end by itself."""

    def __init__(
        self,
        replica: Mortal,
        deaths: Sequence[Death],
        say: Callable[[str], None],
        is_enough: Callable[[], bool],
        hangs: AllowedHangs,
        acknowledged: Callable[[], int],
    ) -> None:
        """`is_enough` ends it before its last death; `acknowledged` commands of all players show that games go on."""
        super().__init__(name=f"victim {replica.name}", daemon=True)
        self.replica = replica
        self.peace = threading.Lock()
        """Its holder has the process to itself: it is neither killed nor started meanwhile."""
        self.died: list[Died] = []
        self.failures: list[Failure] = []
        self._deaths = deaths
        self._say = say
        self._is_enough = is_enough
        self._hangs = hangs
        self._acknowledged = acknowledged
        self._log_begin = 0
        self._is_through = threading.Event()
        self._is_over = threading.Event()

    def wait_through(self) -> None:
        """Block until every death of the plan took place, or as many as there was time for."""
        self._is_through.wait()

    def release(self) -> None:
        """Stop looking after the process; returns when nothing is done to it any more."""
        self._is_over.set()
        self.join()

    def run(self) -> None:
        """Every death of the plan, then look after the process until released."""
        try:
            for number, death in enumerate(self._deaths, start=1):
                if (died := self._kill(death)) is None:
                    break
                self.died.append(died)
                self._say(f"{self.replica.name} died {number} of {len(self._deaths)}: {death}")
            if self._deaths:
                self._start_again(None)
            self._is_through.set()
            while not self._is_over.wait(RETRY_SECONDS):
                if not self.replica.process.is_running:
                    self._start_again(None)
        except ChildFailed as problem:
            self.failures.append(Failure("standstill", str(problem)))
        finally:
            self._is_through.set()

    def _kill(self, death: Death) -> Died | None:
        """Have it die this death, again where it ends by itself before; None where it is enough."""
        while not self._is_enough():
            until_service = self._start_again(death)
            is_at_point = self._die(death)
            if self.replica.process.exit_code == -signal.SIGKILL:
                return Died(self.replica.name, death, is_at_point, until_service, time.monotonic())
        return None

    def _start_again(self, death: Death | None) -> float:
        with self.peace:
            self._note_end()
            self.replica.process.kill()
            return self._serve(death)

    def _note_end(self) -> None:
        """The last run, if it ended by itself, is a failure. Called once for each run: before the next one is started."""
        process = self.replica.process
        code = process.exit_code
        if code in (None, -signal.SIGKILL, CANNOT_START):
            return
        why = last_critical_line(self._said())
        if code == EXIT_HUNG and self._hangs.take(why):
            return
        kind: Kind = "standstill" if code == EXIT_HUNG else "crash"
        what = f"{self.replica.name} ended by itself with code {code}: {why or process.last_words()}"
        self._say(f"{kind}: {what}")
        self.failures.append(Failure(kind, what))

    def _said(self) -> str:
        """The log of the last run."""
        log = self.replica.process.log
        return log.read_bytes()[self._log_begin :].decode(errors="replace") if log.exists() else ""

    def _serve(self, death: Death | None) -> float:
        """Start it, armed for this death, until it serves or is dead; returns the seconds that took."""
        armed = {VARIABLE: f"{death.point}:{death.count}"} if death is not None and death.point else {}
        began = time.monotonic()
        process = self.replica.process
        for _ in range(STARTS_MAX):
            self._log_begin = process.log.stat().st_size if process.log.exists() else 0
            process.start(armed)
            while process.is_running and not self.replica.is_healthy():
                if time.monotonic() - began > SERVE_SECONDS:
                    raise ChildFailed(
                        f"{self.replica.name} does not serve after {SERVE_SECONDS:.0f} s: {process.last_words()}"
                    )
                time.sleep(LOOK_EVERY_SECONDS)
            if process.is_running or process.exit_code == -signal.SIGKILL:
                return time.monotonic() - began
            self._note_end()
            time.sleep(RETRY_SECONDS)
        raise ChildFailed(f"{self.replica.name} ends by itself: {process.last_words()}")

    def _wait(self, seconds: float, is_enough: Callable[[], bool]) -> None:
        """Until the process is dead, it is enough, or the time is over."""
        deadline = time.monotonic() + seconds
        while self.replica.process.is_running and not is_enough() and time.monotonic() < deadline:
            time.sleep(LOOK_EVERY_SECONDS)

    def _die(self, death: Death) -> bool:
        """Wait for its death; kill it where the point is not reached. Returns whether it died at the point."""
        process = self.replica.process
        wanted = self._acknowledged() + MOVES_BETWEEN_DEATHS
        self._wait(MOVES_SECONDS, lambda: self._acknowledged() >= wanted)
        self._wait(REACH_SECONDS if death.point else death.seconds, lambda: False)
        with self.peace:
            is_at_point = not process.is_running
            process.kill()
        return is_at_point and bool(death.point)
