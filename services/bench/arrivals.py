"""When commands are due: by the clock alone, whatever became of those before.

A generator that waits for an answer before it plans the next command leaves out exactly the commands that would have waited
longest (coordinated omission). So each has its time beforehand, and its wait counts from that time."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Arrivals:
    """Evenly spaced times from `start` to `end`, `rate` of them a second; with the rate 0 each is due when it is asked for.

    Times are those of `clock`, in seconds. May be used by many threads."""

    def __init__(self, rate: float, start: float, end: float, clock: Callable[[], float]) -> None:
        if rate < 0 or end < start:
            raise ValueError(f"{rate} a second from {start} to {end}")
        self._rate = rate
        self._start = start
        self._end = end
        self._clock = clock
        # A signal may end the play while this thread counts what is left.
        self._lock = threading.RLock()
        self._taken = 0

    def next(self) -> float | None:
        """When the next command is due; None when none is any more. One is given out once, also if it is late."""
        with self._lock:
            due = self._due(self._taken)
            if due >= self._end or self._clock() >= self._end:
                return None
            self._taken += 1
            return due

    def end_now(self) -> None:
        """No command is due any more."""
        with self._lock:
            self._end = min(self._end, self._clock())

    def left(self) -> list[float]:
        """The times that were due before the end and that nobody took: there was no caller or no game for them."""
        with self._lock:
            found: list[float] = []
            while self._rate and (due := self._due(self._taken + len(found))) < self._end:
                found.append(due)
            return found

    def _due(self, number: int) -> float:
        return self._start + number / self._rate if self._rate else self._clock()
