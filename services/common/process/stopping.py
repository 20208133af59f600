"""Stopping a server by a signal."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LOOK_EVERY_SECONDS = 0.1


class StopFlag:
    """Whether it is time to stop: may be set anywhere, also in the handler of a signal.

    It is neither a lock nor an event. A handler may interrupt the thread that holds an event's lock and then wait for itself;
    and a signal that the system delivers to another thread does not wake a main thread that waits without a timeout.
    """

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        """It is time."""
        self._is_set = True

    def is_set(self) -> bool:
        """Whether it is time."""
        return self._is_set

    def wait(self) -> None:
        """Block until it is time."""
        while not self._is_set:
            time.sleep(LOOK_EVERY_SECONDS)


@contextmanager
def stop_signals() -> Iterator[StopFlag]:
    """A flag that SIGINT and SIGTERM set, as long as the context lasts. Main thread only."""
    flag = StopFlag()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        flag.set()

    before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield flag
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
