"""Mixed integer programs, solved by HiGHS on one thread: the same program takes the same steps, unless the budget ends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import highspy
import numpy as np
from numpy.typing import NDArray

from services.routing.domain.beside import run_beside
from services.routing.domain.budget import Budget, BudgetSpent, EffortSpent
from services.routing.domain.network import Numbers

Term: TypeAlias = tuple[int, float]
Values: TypeAlias = NDArray[np.float64]

NO_LIMIT: float = highspy.kHighsInf
# What finds good values early takes most of the time where they are known.
BETTER_ALONE: dict[str, float | bool | str] = {
    "mip_heuristic_effort": 0.0,
    "presolve": "off",
    "mip_allow_restart": False,
}


class NothingPossible(EffortSpent):
    """No whole values keep all rows."""


class Optimum(NamedTuple):
    """The best values of the columns and what they are worth; what a unit more on the right of each row would add."""

    values: Values
    worth: float
    row_prices: Values


class Incumbent(NamedTuple):
    """The best whole values; none are worth more than `bound`."""

    values: Values
    bound: float


class Program:
    """Maximise a sum over columns, each at least 0, under rows of bounded sums."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._highs = highs = highspy.Highs()
        self._set("output_flag", False)
        self._set("threads", 1)
        self._set("mip_rel_gap", 0.0)
        highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self._has_ended = False
        highs.cbMipInterrupt += self._look
        highs.cbSimplexInterrupt += self._look
        self._columns = self._rows = 0

    @property
    def column_count(self) -> int:
        """How many columns there are."""
        return self._columns

    def add_columns(self, worth: Values, most: Values) -> int:
        """Columns that are worth so much each and at most so large; returns the number of the first."""
        first, count = self._columns, len(worth)
        self._highs.addVars(count, np.zeros(count), most)
        self._highs.changeColsCost(count, np.arange(first, first + count, dtype=np.int32), worth)
        self._columns += count
        return first

    def add_column(self, worth: float, rows: Sequence[int]) -> int:
        """One column of at most 1 that counts once in these rows."""
        at = np.array(rows, np.int32)
        self._highs.addCol(worth, 0.0, 1.0, len(at), at, np.ones(len(at)))
        self._columns += 1
        return self._columns - 1

    def add_row(self, least: float, most: float, terms: Sequence[Term]) -> int:
        """A bounded sum of columns, each times its factor; returns its number."""
        columns = np.array([column for column, _ in terms], np.int32)
        factors = np.array([factor for _, factor in terms], np.float64)
        self._highs.addRow(least, most, len(terms), columns, factors)
        self._rows += 1
        return self._rows - 1

    def add_sum(self, least: float, most: float, columns: Numbers, factors: Values) -> int:
        """`add_row` with arrays."""
        self._highs.addRow(least, most, len(columns), columns.astype(np.int32), factors)
        self._rows += 1
        return self._rows - 1

    def relaxed(self) -> Optimum:
        """The optimum over all values, whole or not. Raises `BudgetSpent`."""
        self._set_all(highspy.HighsVarType.kContinuous)
        self._run_beside()
        info, solution = self._highs.getInfo(), self._highs.getSolution()
        return Optimum(
            np.array(solution.col_value), info.objective_function_value, np.array(solution.row_dual)
        )

    def whole(
        self, accuracy: float, start: Values | None = None, integers: Numbers | None = None
    ) -> Incumbent:
        """The optimum over whole values of all columns or of these, up to `accuracy`, searched from `start`.

        Raises `BudgetSpent`, `NothingPossible`, and `EffortSpent` where none was found.
        """
        self._set_all(
            highspy.HighsVarType.kContinuous if integers is not None else highspy.HighsVarType.kInteger
        )
        if integers is not None:
            kinds = np.full(len(integers), highspy.HighsVarType.kInteger)
            self._highs.changeColsIntegrality(len(integers), integers.astype(np.int32), kinds)
        self._set("mip_abs_gap", accuracy)
        if start is not None:
            known = highspy.HighsSolution()
            known.col_value = start.tolist()
            self._highs.setSolution(known)
        self._run_beside()
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            raise NothingPossible
        if status != highspy.HighsModelStatus.kOptimal:
            raise EffortSpent
        values = np.array(self._highs.getSolution().col_value)
        values = np.rint(values) if integers is None else values
        return Incumbent(values, self._highs.getInfo().mip_dual_bound)

    def whole_above(self, worth: float, accuracy: float, integers: Numbers) -> Incumbent:
        """As `whole` where values worth so much are known already, so that only better ones matter: the values may be others,
        and the bound is no less. All columns at 0 must break no row."""
        for option, value in BETTER_ALONE.items():
            self._set(option, value)
        # HiGHS minimises the opposite.
        self._set("objective_bound", -worth)
        try:
            found = self.whole(accuracy, integers=integers)
        except NothingPossible:
            return Incumbent(np.zeros(self._columns), worth)
        return found._replace(bound=max(found.bound, worth))

    def _run_beside(self) -> None:
        """Run in a thread of its own: HiGHS asks whether to go on only now and then, at times after a second.

        A run that is given up uses its thread until it asks.
        """
        try:
            run_beside(self._highs.run, self._budget)
        except BudgetSpent:
            self._has_ended = True
            raise
        info = self._highs.getInfo()
        self._budget.spend(1 + max(0, int(info.simplex_iteration_count)))

    def _set(self, option: str, value: float | bool | str) -> None:
        self._highs.setOptionValue(option, value)

    def _set_all(self, kind: highspy.HighsVarType) -> None:
        every = np.arange(self._columns, dtype=np.int32)
        self._highs.changeColsIntegrality(self._columns, every, np.full(self._columns, kind))

    def _look(self, event: highspy.highs.HighsCallbackEvent) -> None:
        event.interrupt(self._has_ended)
