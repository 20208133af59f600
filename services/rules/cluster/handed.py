"""Commands that an owner gets from a sender in its own process, with no record of rules.commands in between.

Nothing rests on that way. A command is acknowledged when its events are committed, in a transaction that carries the offsets
of its partitions like any other; and whatever is unusual about a command is given back to its sender, who sends it by the
log. There it has an offset, by which notes of owners and dead letters can name it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from types import TracebackType

from services.common.process.threads import ServiceThread
from services.common.telemetry.tracing import Headers
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.rules.requests import Request


@dataclass(frozen=True, slots=True)
class Handed:
    """A command for the owner of `partition`, as its sender has it and as it would go by the log.

    `give_back` has it sent by the log: it is called where the owner does not carry the command out, or does not know whether
    it did. A request that was carried out gets its first outcome there."""

    request: Request
    sent: pb.CommandSent
    partition: int
    give_back: Callable[[], None]
    headers: Headers = field(default_factory=list)


class Turns:
    """A lock for the threads of one owner, to be used with `with`. Who gives it back and wants it again comes after who waits."""

    def __init__(self) -> None:
        self._next = threading.Lock()
        self._now = threading.Lock()

    def __enter__(self) -> None:
        with self._next:
            self._now.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._now.release()


class HandedCommands:
    """Carries out what it is offered, in a thread of its own, from the beginning until `close`."""

    def __init__(self, carry_out: Callable[[deque[Handed]], float], most: int) -> None:
        """`carry_out` takes up to `most` commands, gives back those that it does not carry out, raises nothing, and returns how
        many seconds to wait for others before it is called again."""
        self._carry_out = carry_out
        self._most = most
        self._lock = threading.Lock()
        self._is_closed = False
        self._waiting: SimpleQueue[Handed | None] = SimpleQueue()
        self._thread = ServiceThread("owner handed commands", self._work)
        self._thread.start()

    def offer(self, command: Handed) -> bool:
        """Have the command carried out or given back; False once this is closed."""
        with self._lock:
            if self._is_closed:
                return False
            self._waiting.put(command)
            return True

    def close(self) -> None:
        """Have what waits carried out or given back, and take nothing more. May be called again."""
        with self._lock:
            self._is_closed = True
            self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        seconds = 0.0
        while (first := self._waiting.get()) is not None:
            if seconds:
                time.sleep(seconds)
            seconds = self._carry_out(deque((first, *self._others())))

    def _others(self) -> list[Handed]:
        """What waits beside the first, up to the most that are taken at once."""
        found: list[Handed] = []
        while len(found) < self._most - 1:
            try:
                command = self._waiting.get_nowait()
            except Empty:
                break
            if command is None:
                self._waiting.put(None)
                break
            found.append(command)
        return found
