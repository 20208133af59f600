"""Set packing over listed runs with HiGHS. Needs highspy; one thread. `--within-gap` drops runs no packing needs."""

from __future__ import annotations

import sys

import highspy
import numpy as np

from tests.bench.alternatives.highs import made_ready
from tests.bench.alternatives.listing import Candidates, users_of_pieces
from tests.bench.alternatives.packing import answer_by_packing


def pack(listed: list[Candidates], end: float) -> tuple[int, bool]:
    """The best total of runs that share no piece."""
    values = np.array([value for each in listed for value in each.values], np.float64)
    rows: list[tuple[int, list[int]]] = []
    first = 0
    for each in listed:
        rows.append((each.count, list(range(first, first + len(each.values)))))
        first += len(each.values)
    rows += [(1, users) for users in users_of_pieces(listed)]
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(values), len(rows)
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_, model.col_lower_, model.col_upper_ = values, np.zeros(len(values)), np.ones(len(values))
    model.row_lower_ = np.zeros(len(rows))
    model.row_upper_ = np.array([most for most, _ in rows], np.float64)
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(values)
    columns = np.concatenate([np.array(users, np.int32) for _, users in rows])
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *(len(users) for _, users in rows)]).astype(np.int32)
    model.a_matrix_.index_, model.a_matrix_.value_ = columns, np.ones(len(columns))
    highs = made_ready(end)
    highs.passModel(model)
    highs.run()
    info = highs.getInfo()
    found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    total = round(info.objective_function_value) if found else 0
    return total, highs.getModelStatus() == highspy.HighsModelStatus.kOptimal


if __name__ == "__main__":
    sys.exit(answer_by_packing(pack))
