"""Programs started beside this process: killed, paused and started again at will, and never left behind.

The cluster host runs the services so, and `devtools.brokers` its Kafka and Redis."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from services.common.errors import SignalboxError
from services.host.sites import LOOPBACK

GUARDIAN = Path(__file__).with_name("guardian.py")
LOOK_EVERY_SECONDS = 0.02
STOP_SECONDS = 30.0
LOG_TAIL_CHARACTERS = 2_000
# Below the range from which the system takes ports for outgoing connections: there a client that keeps calling on a
# dead server would in the end be given the server's own port.
PORTS = range(10_000, 32_000)
# Neighbouring processes look in different places, and none is given a port again that it may not have used yet.
PORTS_APART = 509
_places = itertools.count(os.getpid() * PORTS_APART)


class ChildFailed(SignalboxError):
    """A program did not start or came to its end too soon; the message holds the end of what it said."""


def free_ports(count: int) -> tuple[int, ...]:
    """Ports of the loopback address on which nobody listens, others at every call."""
    found: list[int] = []
    while len(found) < count:
        port = PORTS[next(_places) % len(PORTS)]
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
        found.append(port)
    return tuple(found)


def answers(port: int, host: str = LOOPBACK) -> bool:
    """Whether connections to this port are accepted."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((host, port)) == 0


class Program(Protocol):
    """A server program that can be started, ended and paused at will: a `Child` or a container."""

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended; also while paused."""

    def start(self) -> None:
        """Start it, also again after an end. Raises `ChildFailed`."""

    def wait_until(self, is_ready: Callable[[], bool], seconds: float) -> None:
        """Wait for what shows that it serves. Raises `ChildFailed` when it ends before or time runs out."""

    def kill(self) -> None:
        """End it without a warning; returns when it is dead."""

    def stop(self) -> None:
        """Ask it to end; returns when it is dead."""

    def pause(self) -> None:
        """Pause it; its connections stay open."""

    def resume(self) -> None:
        """Resume it."""


class _Guardian:
    """The one guardian of this process; a fork gets one of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._owner = 0

    def watch(self, pid: int) -> None:
        """Kill this process when we are dead."""
        self._say(f"+{pid}\n")

    def forget(self, pid: int) -> None:
        """This process is gone, its number may soon be another's."""
        self._say(f"-{pid}\n")

    def _say(self, line: str) -> None:
        with self._lock:
            if self._process is None or self._owner != os.getpid():
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(GUARDIAN)],
                    stdin=subprocess.PIPE,
                    text=True,
                    bufsize=1,
                    start_new_session=True,
                )
                self._owner = os.getpid()
            assert self._process.stdin is not None
            self._process.stdin.write(line)


_guardian = _Guardian()


class Child:
    """One program with its log; dies with this process.

    It has a session of its own: an interrupt at the keyboard reaches only this process, which decides about the child.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Starts nothing yet. Without `environment` it gets ours."""
        self.name = name
        self.log = log
        self._command = list(command)
        self._environment = None if environment is None else dict(environment)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process number. Raises `ChildFailed` where it does not run."""
        if self._process is None:
            raise ChildFailed(f"{self.name} does not run")
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How the last run ended, minus the number of a signal that ended it; None while it runs or before."""
        return None if self._process is None else self._process.poll()

    @property
    def was_started(self) -> bool:
        """Whether it runs or has run."""
        return self._process is not None

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended; also while paused."""
        return self._process is not None and self._process.poll() is None

    def start(self, also: Mapping[str, str] | None = None) -> None:
        """Start it, also again; its log is appended to. `also`: variables of its environment for this run only.

        Raises `ChildFailed` where it runs already or cannot be run."""
        if self.is_running:
            raise ChildFailed(f"{self.name} runs already")
        if self._process is not None:
            _guardian.forget(self._process.pid)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            try:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env={**(os.environ if self._environment is None else self._environment), **(also or {})},
                    start_new_session=True,
                )
            except OSError as error:
                raise ChildFailed(f"{self.name}: {self._command[0]}: {error.strerror}") from error
        _guardian.watch(self._process.pid)

    def wait_until(self, is_ready: Callable[[], bool], seconds: float) -> None:
        """Wait for what shows that it serves. Raises `ChildFailed` when it ends before or time runs out."""
        deadline = time.monotonic() + seconds
        while not is_ready():
            if not self.is_running:
                raise ChildFailed(f"{self.name} ended with code {self.exit_code}: {self.last_words()}")
            if time.monotonic() > deadline:
                raise ChildFailed(f"{self.name} does not serve after {seconds:.0f} s: {self.last_words()}")
            time.sleep(LOOK_EVERY_SECONDS)

    def last_words(self) -> str:
        """The end of its log."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return text[-LOG_TAIL_CHARACTERS:].strip() or "(it said nothing)"

    def kill(self) -> None:
        """kill -9; returns when it is dead."""
        self._end(signal.SIGKILL, STOP_SECONDS)

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Ask it to end, kill it when it has not after `seconds`; returns when it is dead."""
        self._end(signal.SIGTERM, seconds)

    def pause(self) -> None:
        """SIGSTOP: it pauses, its connections stay open."""
        self.send(signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT: it resumes."""
        self.send(signal.SIGCONT)

    def send(self, sent: signal.Signals) -> None:
        """Send it a signal. Raises `ChildFailed` where it was never started."""
        os.kill(self.pid, sent)

    def _end(self, how: signal.Signals, seconds: float) -> None:
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(how)
            if how is not signal.SIGKILL:
                self._process.send_signal(signal.SIGCONT)
        self.wait_end(seconds)

    def wait_end(self, seconds: float) -> int:
        """The code with which it ended; killed where it has not after `seconds`."""
        if self._process is None:
            raise ChildFailed(f"{self.name} was never started")
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        _guardian.forget(self._process.pid)
        return code
