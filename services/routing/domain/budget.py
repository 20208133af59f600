"""The limit on a search: a number of steps, and the caller's `should_stop`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

# So many words a step compares at no cost that counts.
WORDS_FREE = 4


class BudgetSpent(Exception):
    """The search must end; what it found so far remains valid."""


class EffortSpent(Exception):
    """One search strategy has used up its steps; another may go on."""


def steps_with(most: int, words: int) -> int:
    """How many steps take about as long as `most` that compare few words, where each compares so many."""
    return max(1, 2 * WORDS_FREE * most // max(2 * WORDS_FREE, WORDS_FREE + words))


class Budget:
    """Counts search steps and raises `BudgetSpent` at the limit or when `should_stop` says so.

    The number of steps depends on the problem alone. `should_stop` may read a clock, so it can cut a search short but
    never change a finished one.
    """

    def __init__(self, step_limit: int, should_stop: Callable[[], bool]) -> None:
        self._step_limit = step_limit
        self._should_stop = should_stop
        self._effort_limit: int | None = None
        self.steps = 0

    def spend(self, steps: int) -> None:
        """Take `steps` from the budget and call `should_stop`."""
        self.steps += steps
        if self.steps > self._step_limit or self._should_stop():
            raise BudgetSpent
        if self._effort_limit is not None and self.steps > self._effort_limit:
            raise EffortSpent

    @property
    def left(self) -> int:
        """How many steps may still be spent; below 0 where too many were."""
        return self._step_limit - self.steps

    def at_once(self, most: int) -> int:
        """How many steps to take before the next look: no more than `most`, nor more than show that they are spent."""
        return min(most, max(0, self.left) + 1)

    @property
    def is_over(self) -> bool:
        """Whether the caller wants an end; the next `spend` will raise. For work that has to end in good order first."""
        return self._should_stop()

    def look(self) -> None:
        """Call `should_stop` whatever it says, within work without which there would be no answer."""
        self._should_stop()

    def in_parts(self, count: int, size: int) -> Iterator[slice]:
        """Slices of so many entries; `should_stop` is called after each."""
        for begin in range(0, count, size):
            yield slice(begin, min(count, begin + size))
            self.spend(0)

    def between_parts(self, count: int, size: int) -> Iterator[slice]:
        """The same with calls only between them, so none for what is small."""
        for begin in range(0, count, size):
            if begin:
                self.spend(0)
            yield slice(begin, min(count, begin + size))

    @contextmanager
    def at_most(self, steps: int) -> Iterator[None]:
        """Raise `EffortSpent` after `steps` further steps."""
        self._effort_limit = self.steps + steps
        try:
            yield
        finally:
            self._effort_limit = None


class Tally:
    """Counts work that comes in portions of any size, and looks at the clock each time there was so much of it."""

    def __init__(self, budget: Budget, most: int) -> None:
        self._budget = budget
        self._most = most
        self._done = 0

    def add(self, work: int) -> None:
        """Note this much work, done or about to be. Raises what `Budget.spend` raises."""
        self._done += work
        if self._done >= self._most:
            self._done = 0
            self._budget.spend(0)
