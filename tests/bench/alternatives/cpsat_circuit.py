"""A direct model for CP-SAT: one circuit per train over stops and a depot. Needs ortools; one thread."""

from __future__ import annotations

import sys

from ortools.sat.python import cp_model

from services.routing.domain.problem import RouteProblem
from tests.bench.alternatives.circuit import DEPOT, Rules
from tests.bench.alternatives.cpsat import maximum
from tests.bench.alternatives.exchange import Outcome, answer_all


def solve(problem: RouteProblem, end: float) -> Outcome:
    """The best total by a circuit model."""
    model = cp_model.CpModel()
    rules = Rules(problem)
    variables: dict[str, cp_model.IntVar] = {}

    def variable(name: str) -> cp_model.IntVar:
        if name not in variables:
            variables[name] = model.new_bool_var(name)
        return variables[name]

    for train in problem.trains:
        arcs = [(arc.tail, arc.head, variable(arc.name)) for arc in rules.arcs(train)]
        absent = [
            (place + 1, place + 1, ~variable(rules.visit(train, place))) for place in range(rules.stop_count)
        ]
        model.add_circuit([*arcs, *absent, (DEPOT, DEPOT, ~variable(rules.runs(train)))])
    for least, terms, most in rules.rows(with_flow=False):
        model.add_linear_constraint(sum(factor * variable(name) for name, factor in terms), least, most)
    model.maximize(sum(value * variable(name) for name, value in rules.value()))
    return Outcome(*maximum(model, end))


if __name__ == "__main__":
    sys.exit(answer_all(solve))
