"""CP-SAT on one thread until a processor time: its own limit is wall time, which other jobs on the machine eat up."""

from __future__ import annotations

import threading
import time

from ortools.sat.python import cp_model

LOOK_SECONDS = 0.02


def maximum(model: cp_model.CpModel, end: float) -> tuple[int, bool]:
    """The best total found, 0 for none, and whether it is proven."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    over = threading.Event()

    def watch() -> None:
        while not over.wait(LOOK_SECONDS):
            if time.process_time() > end:
                solver.stop_search()

    watcher = threading.Thread(target=watch)
    watcher.start()
    status = solver.solve(model)
    over.set()
    watcher.join()
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return 0, False
    return round(solver.objective_value), status == cp_model.OPTIMAL
