"""An LRU cache in this process."""

from __future__ import annotations

import threading
from collections import OrderedDict

from services.routing.domain.solution import RouteSolution


class MemorySolutionCache:
    """Keeps the `entries` most recently used answers; 0 keeps none. Implements `SolutionCache`."""

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._kept: OrderedDict[str, RouteSolution] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> RouteSolution | None:
        """See `SolutionCache`."""
        with self._lock:
            solution = self._kept.get(key)
            if solution is not None:
                self._kept.move_to_end(key)
            return solution

    def put(self, key: str, solution: RouteSolution) -> None:
        """See `SolutionCache`."""
        with self._lock:
            self._kept[key] = solution
            self._kept.move_to_end(key)
            while len(self._kept) > self._entries:
                self._kept.popitem(last=False)
