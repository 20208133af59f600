"""The routing service's own solver on the same problems."""

from __future__ import annotations

import sys
import time

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import maximised_value
from services.routing.domain.solver import solve as best_runs, warm_up
from tests.bench.alternatives.exchange import Outcome, answer_all


def solve(problem: RouteProblem, end: float) -> Outcome:
    """The best total by the service's solver."""
    solution = best_runs(problem, lambda: time.process_time() > end)
    total = maximised_value(solution, problem.parameters.compare_treasury_income)
    return Outcome(total, solution.proven)


if __name__ == "__main__":
    warm_up()
    sys.exit(answer_all(solve))
