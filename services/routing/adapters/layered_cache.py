"""Two cache levels: this process first, then the cache that all replicas share."""

from __future__ import annotations

from services.routing.domain.solution import RouteSolution
from services.routing.ports import SolutionCache


class LayeredSolutionCache:
    """Implements `SolutionCache` with two others; a hit in `far` is copied to `near`."""

    def __init__(self, near: SolutionCache, far: SolutionCache) -> None:
        self._near = near
        self._far = far

    def get(self, key: str) -> RouteSolution | None:
        """See `SolutionCache`."""
        solution = self._near.get(key)
        if solution is None:
            solution = self._far.get(key)
            if solution is not None:
                self._near.put(key, solution)
        return solution

    def put(self, key: str, solution: RouteSolution) -> None:
        """See `SolutionCache`."""
        self._near.put(key, solution)
        self._far.put(key, solution)
