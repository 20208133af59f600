"""The search for tables: fill by score groups, then exchange players as long as that lowers the cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.lobby.domain.tournaments.pairing.costs import TableCosts

Tables = list[list[int]]

WINDOW = 24
"""Players are exchanged with those at most this many ranks away, where there is no conflict."""
SMALL = 40
"""Up to this many players, each exchange is tried, and the search restarts from disturbed tables."""
FAILURES_MAX = 400
"""Disturbances without a better arrangement after which the search of a small problem ends."""


class Search:
    """Tables, their costs, and the steps that are left. Players are numbers in order of rank, 0 being the leader."""

    def __init__(self, costs: TableCosts, tables: Tables, steps: int) -> None:
        """`tables` share odd tables as evenly as possible. `steps` is how many exchanges may be tried."""
        self.costs = costs
        self._steps = steps
        self._runner_up: tuple[int, int, int] | None = None
        self._ranking = range(len(costs.entrants))
        self.load(tables)
        self._size_least = self._size

    def load(self, tables: Sequence[Sequence[int]]) -> None:
        """Continue with these tables."""
        self.tables = [list(table) for table in tables]
        self._table_of = {player: index for index, table in enumerate(tables) for player in table}
        self._cost_of = [self.costs.of(table) for table in tables]
        self._runner_up = None

    @property
    def total(self) -> int:
        """The cost of all tables."""
        return sum(self._cost_of)

    @property
    def has_no_repeats(self) -> bool:
        """Whether nobody meets somebody again, and nothing forbidden happens."""
        return not self._conflicts()

    @property
    def is_fair(self) -> bool:
        """Whether odd tables are shared as evenly as at the tables given first."""
        return self._size == self._size_least

    @property
    def _size(self) -> int:
        return self.costs.terms(self.total).size

    @property
    def is_allowed(self) -> bool:
        """Whether nothing forbidden happens."""
        return max(self._cost_of) < self.costs.unit["forbidden"]

    def run(self, numbers: Iterator[int]) -> None:
        """Lower the cost until no exchange does, or no steps are left; small problems restart from disturbed tables."""
        self.settle()
        if len(self._ranking) <= SMALL or self._conflicts():
            self._disturb(numbers)

    def next_best(self) -> tuple[int, int, int] | None:
        """The cost of the cheapest other arrangement seen at the end, and the two players exchanged in it."""
        if self._runner_up is None:
            return None
        difference, first, second = self._runner_up
        return self.total + difference, first, second

    def settle(self) -> None:
        """Exchange players until no exchange lowers the cost."""
        self._solve_conflicts()
        window = len(self._ranking) if len(self._ranking) <= SMALL else WINDOW
        improved = True
        while improved and self._steps > 0:
            improved = False
            self._runner_up = None
            for first in self._ranking:
                for second in self._ranking[first + 1 : first + 1 + window]:
                    improved |= self._exchange_if_better(first, second)
                if self._steps <= 0:
                    return

    def _solve_conflicts(self) -> None:
        """Exchange the players of tables with repeats or forbidden pairs for those who cost least, near or far."""
        improved = True
        while improved and self._steps > 0:
            improved = False
            for index in self._conflicts():
                for player in tuple(self.tables[index]):
                    improved |= self._best_exchange(player)

    def _conflicts(self) -> list[int]:
        limit = self.costs.unit["repeats"]
        return [index for index, cost in enumerate(self._cost_of) if cost >= limit]

    def _best_exchange(self, first: int) -> bool:
        best, partner = 0, -1
        for second in self._ranking:
            if self._steps > 0:
                difference = self._difference(first, second)
                if difference < best:
                    best, partner = difference, second
        if partner >= 0:
            self._exchange(first, partner)
        return partner >= 0

    def _exchange_if_better(self, first: int, second: int) -> bool:
        if self._table_of[first] == self._table_of[second]:
            return False
        difference = self._difference(first, second)
        if difference < 0:
            self._exchange(first, second)
            return True
        if difference > 0 and (self._runner_up is None or difference < self._runner_up[0]):
            self._runner_up = (difference, first, second)
        return False

    def _difference(self, first: int, second: int) -> int:
        """What an exchange adds to the cost."""
        one, other = self._table_of[first], self._table_of[second]
        if one == other:
            return 0
        self._steps -= 1
        with_second = [second if player == first else player for player in self.tables[one]]
        with_first = [first if player == second else player for player in self.tables[other]]
        after = self.costs.of(with_second) + self.costs.of(with_first)
        return after - self._cost_of[one] - self._cost_of[other]

    def _exchange(self, first: int, second: int) -> None:
        one, other = self._table_of[first], self._table_of[second]
        self.tables[one][self.tables[one].index(first)] = second
        self.tables[other][self.tables[other].index(second)] = first
        self._table_of[first], self._table_of[second] = other, one
        for index in (one, other):
            self._cost_of[index] = self.costs.of(self.tables[index])

    def _disturb(self, numbers: Iterator[int]) -> None:
        """Exchange a few players at random, settle again, and keep the best tables found."""
        best, kept, runner_up = self.total, self.tables, self._runner_up
        failures = 0
        while best > 0 and self._steps > 0 and failures < FAILURES_MAX:
            self.load(kept)
            for _ in range(3):
                first, second = (next(numbers) % len(self._ranking) for _ in range(2))
                if self._table_of[first] != self._table_of[second]:
                    self._exchange(first, second)
            self.settle()
            failures += 1
            if self.total <= best:
                if self.total < best:
                    failures = 0
                best, kept, runner_up = self.total, self.tables, self._runner_up
        self.load(kept)
        self._runner_up = runner_up
