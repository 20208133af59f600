"""The limit on a search: a count of steps, and a question to the caller whether to go on."""

from __future__ import annotations

from collections.abc import Callable

STEPS_BETWEEN_QUESTIONS = 2_000


class BudgetSpent(Exception):
    """The search may not go on; what was found so far stands. `stopped` tells that the caller asked for it."""

    def __init__(self, stopped: bool) -> None:
        super().__init__("stopped by the caller" if stopped else "node budget spent")
        self.stopped = stopped


class Budget:
    """Counts search steps and raises `BudgetSpent` at the limit or when `should_stop` says so.

    The count is a function of the problem alone. `should_stop` is the caller's: it may look at a clock, so it is
    asked only now and then, and it can cut a search short but never change a finished one.
    """

    def __init__(self, step_limit: int, should_stop: Callable[[], bool]) -> None:
        self._step_limit = step_limit
        self._should_stop = should_stop
        self._next_question = 0
        self.steps = 0

    def spend(self, steps: int = 1) -> None:
        """Take `steps` from the budget."""
        self.steps += steps
        if self.steps > self._step_limit:
            raise BudgetSpent(stopped=False)
        if self.steps >= self._next_question:
            self._next_question = self.steps + STEPS_BETWEEN_QUESTIONS
            if self._should_stop():
                raise BudgetSpent(stopped=True)

    def grant(self, steps: int) -> None:
        """Set the limit to `steps` more from here and ask the caller no more: for a short, certain last effort."""
        self._step_limit = self.steps + steps
        self._should_stop = lambda: False

    def narrow(self, steps: int) -> None:
        """Allow at most `steps` more from here."""
        self._step_limit = min(self._step_limit, self.steps + steps)
