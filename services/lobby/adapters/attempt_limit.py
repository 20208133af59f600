"""Slows down password guessing."""

import threading
from collections import OrderedDict

from services.common.clock import Clock

FAILURES_MAX = 5
WINDOW_MS = 60_000
NAMES_MAX = 10_000


class AttemptLimit:
    """Counts wrong passwords per name: after `FAILURES_MAX` of them a name is blocked for `WINDOW_MS` from the last.

    In memory only. A restart resets the counts.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def allows(self, name: str) -> bool:
        """True if another attempt for this name may be made now."""
        with self._lock:
            return self._fresh_count(name) < FAILURES_MAX

    def failed(self, name: str) -> None:
        """Counts a wrong password."""
        with self._lock:
            self._failures[name] = (self._fresh_count(name) + 1, self._clock.now_ms())
            self._failures.move_to_end(name)
            if len(self._failures) > NAMES_MAX:
                self._failures.popitem(last=False)

    def succeeded(self, name: str) -> None:
        """Forgets the failures of a name."""
        with self._lock:
            self._failures.pop(name, None)

    def _fresh_count(self, name: str) -> int:
        count, last_ms = self._failures.get(name, (0, 0))
        return count if self._clock.now_ms() - last_ms < WINDOW_MS else 0
