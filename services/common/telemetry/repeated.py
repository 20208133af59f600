"""Lines of the log that would be written again and again: one of each kind in a while, with the number of those held back."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from threading import Lock

SAME_AGAIN_SECONDS = 30.0


class RepeatedLines:
    """Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._logged: dict[Hashable, tuple[float, int]] = {}
        self._lock = Lock()

    def held_back(self, kind: Hashable) -> int | None:
        """How many lines of this kind were held back since the last one; `None`: this one is held back too."""
        now = self._clock()
        with self._lock:
            since, held_back = self._logged.get(kind, (now - SAME_AGAIN_SECONDS, 0))
            if now - since < SAME_AGAIN_SECONDS:
                self._logged[kind] = (since, held_back + 1)
                return None
            self._logged[kind] = (now, 0)
            return held_back
