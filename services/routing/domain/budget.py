"""The limit on a search: a count of steps, and a question to the caller whether to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class BudgetSpent(Exception):
    """The search may not go on; what was found so far stands."""


class EffortSpent(Exception):
    """One way of searching has taken all the steps it was to take; another may go on."""


class Budget:
    """Counts search steps and raises `BudgetSpent` at the limit or when `should_stop` says so.

    The count is a function of the problem alone. `should_stop` is the caller's: it may look at a clock, so it can cut a
    search short but never change a finished one.
    """

    def __init__(self, step_limit: int, should_stop: Callable[[], bool]) -> None:
        self._step_limit = step_limit
        self._should_stop = should_stop
        self._effort_limit: int | None = None
        self.steps = 0

    def spend(self, steps: int) -> None:
        """Take `steps` from the budget and ask the caller whether to go on."""
        self.steps += steps
        if self.steps > self._step_limit or self._should_stop():
            raise BudgetSpent
        if self._effort_limit is not None and self.steps > self._effort_limit:
            raise EffortSpent

    @contextmanager
    def at_most(self, steps: int) -> Iterator[None]:
        """Raise `EffortSpent` once so many steps were taken from here."""
        self._effort_limit = self.steps + steps
        try:
            yield
        finally:
            self._effort_limit = None
