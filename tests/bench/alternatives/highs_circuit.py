"""The circuit model for HiGHS: flow per train, subtours cut off as they appear. Needs highspy; one thread."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator

import highspy
import numpy as np

from services.routing.domain.problem import RouteProblem, Train
from tests.bench.alternatives.circuit import DEPOT, Arc, Row, Rules
from tests.bench.alternatives.exchange import Outcome, answer_all
from tests.bench.alternatives.highs import made_ready


class _Model:
    """Rows over named 0-1 variables, handed to HiGHS."""

    def __init__(self, end: float) -> None:
        self.highs = made_ready(end)
        self.highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self._columns: dict[str, int] = {}

    def column(self, name: str) -> int:
        """The variable of that name, made when it is first named."""
        if name not in self._columns:
            number = self._columns[name] = len(self._columns)
            self.highs.addVar(0.0, 1.0)
            self.highs.changeColIntegrality(number, highspy.HighsVarType.kInteger)
        return self._columns[name]

    def add(self, row: Row) -> None:
        """One more row; factors of the same variable are added up."""
        least, terms, most = row
        factors: dict[int, int] = defaultdict(int)
        for name, factor in terms:
            factors[self.column(name)] += factor
        columns, values = np.array(list(factors), np.int32), np.array(list(factors.values()), np.float64)
        self.highs.addRow(float(least), float(most), len(factors), columns, values)

    def price(self, name: str, value: int) -> None:
        """What the variable adds to the total."""
        self.highs.changeColCost(self.column(name), float(value))

    def run(self) -> Callable[[str], bool] | None:
        """Solve; how to ask for a variable's value, None without a proven answer."""
        self.highs.run()
        if self.highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        values = self.highs.getSolution().col_value
        return lambda name: values[self._columns[name]] > 0.5

    @property
    def total(self) -> int:
        """The objective of the last run."""
        total: float = self.highs.getInfo().objective_function_value
        return round(total)


def solve(problem: RouteProblem, end: float) -> Outcome:
    """The best total by a flow model with cuts; 0 where time ends, for what is then known is no set of routes."""
    if not problem.trains:
        return Outcome(0, True)
    model, rules = _Model(end), Rules(problem)
    for row in rules.rows(with_flow=True):
        model.add(row)
    for name, value in rules.value():
        model.price(name, value)
    while True:
        chosen = model.run()
        if chosen is None:
            return Outcome(0, False)
        rounds = [nodes for train in problem.trains for nodes in _rounds(rules, train, chosen)]
        if not rounds:
            return Outcome(model.total, True)
        for nodes in rounds:
            for train in problem.trains:
                for row in _cuts(rules, train, nodes):
                    model.add(row)


def _rounds(rules: Rules, train: Train, chosen: Callable[[str], bool]) -> Iterator[frozenset[int]]:
    """The nodes of each circuit that does not come through the depot."""
    following = {arc.tail: arc.head for arc in rules.arcs(train) if chosen(arc.name)}
    while following:
        first = DEPOT if DEPOT in following else next(iter(following))
        nodes, node = [], first
        while node in following:
            nodes.append(node)
            node = following.pop(node)
        if first != DEPOT:
            yield frozenset(nodes)


def _cuts(rules: Rules, train: Train, nodes: frozenset[int]) -> Iterator[Row]:
    """A route that visits one of the nodes enters the set from outside."""
    entering = [(arc.name, 1) for arc in rules.arcs(train) if _enters(arc, nodes)]
    for node in nodes:
        yield 0, [*entering, (rules.visit(train, node - 1), -1)], len(entering)


def _enters(arc: Arc, nodes: frozenset[int]) -> bool:
    return arc.head in nodes and arc.tail not in nodes


if __name__ == "__main__":
    sys.exit(answer_all(solve))
