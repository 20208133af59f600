"""Set packing over listed runs with CP-SAT. Needs ortools; one thread. `--within-gap` drops runs no packing needs."""

from __future__ import annotations

import sys

from ortools.sat.python import cp_model

from tests.bench.alternatives.cpsat import maximum
from tests.bench.alternatives.listing import Candidates, users_of_pieces
from tests.bench.alternatives.packing import answer_by_packing


def pack(listed: list[Candidates], end: float) -> tuple[int, bool]:
    """The best total of runs that share no piece."""
    model = cp_model.CpModel()
    values = [value for each in listed for value in each.values]
    chosen = [model.new_bool_var("") for _ in values]
    first = 0
    for each in listed:
        model.add(cp_model.LinearExpr.sum(chosen[first : first + len(each.values)]) <= each.count)
        first += len(each.values)
    for users in users_of_pieces(listed):
        model.add_at_most_one(chosen[number] for number in users)
    model.maximize(cp_model.LinearExpr.weighted_sum(chosen, values))
    return maximum(model, end)


if __name__ == "__main__":
    sys.exit(answer_by_packing(pack))
