"""Work that a process does again and again beside everything else."""

from __future__ import annotations

import threading
from collections.abc import Callable

from services.common.process.threads import ServiceThread


class RepeatingThread:
    """Calls `look` with a pause before each call, in a thread of its own between `start` and `close`."""

    def __init__(
        self, name: str, look: Callable[[], object], pause_seconds: float, *, begins_at_once: bool = False
    ) -> None:
        """`begins_at_once`: without a pause before the first call. An error of `look` ends the thread, which ends the process
        (`ServiceThread`)."""
        self._look = look
        self._pause_seconds = pause_seconds
        self._begins_at_once = begins_at_once
        self._is_closing = threading.Event()
        self._thread = ServiceThread(name, self._repeat)

    @property
    def is_closing(self) -> bool:
        """Whether it was asked to end: a long call of `look` should not go on then."""
        return self._is_closing.is_set()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End after the call at hand. May be called again, and without `start`."""
        self._is_closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def _repeat(self) -> None:
        if self._begins_at_once and not self.is_closing:
            self._look()
        while not self._is_closing.wait(self._pause_seconds):
            self._look()
