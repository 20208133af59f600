"""What stands in the place of whole modules of Python."""

from __future__ import annotations

import queue
import threading
from typing import Any

from tests.wholesim.primitives import (
    BoundedSemaphore,
    Condition,
    Event,
    Lock,
    RLock,
    SimpleQueue,
    Thread,
    Timer,
    schedule,
)


class _Threading:
    """The module `threading`."""

    Thread, Timer = Thread, Timer
    Lock, RLock, Condition, Event = Lock, RLock, Condition, Event
    BoundedSemaphore = BoundedSemaphore
    local = threading.local
    get_ident = staticmethod(threading.get_ident)

    @staticmethod
    def current_thread() -> Any:
        """The running task."""
        return schedule().current


class _Time:
    """The module `time`. What measures processor time measures nothing."""

    @staticmethod
    def monotonic() -> float:
        """Seconds since the run began."""
        return schedule().now

    perf_counter = process_time = monotonic

    @staticmethod
    def pthread_getcpuclockid(thread: int) -> int:
        """See `clock_gettime`."""
        return thread

    @staticmethod
    def clock_gettime(clock: int) -> float:
        """Processor time, of which nothing takes any."""
        return 0.0

    @staticmethod
    def time() -> float:
        """By the clock of the process."""
        return schedule().now_ms() / 1000

    @staticmethod
    def time_ns() -> int:
        """By the clock of the process."""
        return schedule().now_ms() * 1_000_000

    @staticmethod
    def sleep(seconds: float) -> None:
        """Wait in the schedule."""
        schedule().sleep(seconds)


class _Queue:
    """The module `queue`."""

    SimpleQueue = Queue = SimpleQueue
    Empty = queue.Empty


class _Secrets:
    """The module `secrets`: nothing is secret here."""

    @staticmethod
    def token_hex(count: int = 16) -> str:
        """As many bytes."""
        return schedule().random.randbytes(count).hex()

    @staticmethod
    def token_bytes(count: int = 16) -> bytes:
        """As many bytes."""
        return schedule().random.randbytes(count)

    @staticmethod
    def randbelow(end: int) -> int:
        """Any number below."""
        return schedule().random.randrange(end)

    @staticmethod
    def randbits(count: int) -> int:
        """Any number of so many bits."""
        return schedule().random.getrandbits(count)


THREADING, TIME, QUEUE, SECRETS = _Threading(), _Time(), _Queue(), _Secrets()
