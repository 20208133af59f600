"""Solves problems one by one for who compares versions: `python -P tests/bench/solving_sample.py PROBLEMS`, with a problem's JSON
in each line. It says in a line which of them this version can read; then for each number that it is given, in a line,
it says milliseconds of one core for solving and verifying, whether the answer is proven, and the money.

It takes the modules of the checkout on Python's path, by names that stay."""

import gc
import json
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

OBJECTS_MOST = 20_000


def main(path: Path) -> None:
    """Read, then solve what is asked for until nothing more is."""
    solver = import_module("services.routing.domain.solver")
    json_form = import_module("services.routing.json_form")
    is_apart = find_spec("services.routing.domain.validation") is not None
    checks = "validation" if is_apart else "problem"
    validate = import_module(f"services.routing.domain.{checks}").validate_problem
    solve = import_module("services.routing.handlers").solve_routes
    error = import_module("services.routing.domain.problem").ProblemError
    problems: dict[int, Any] = {}
    for number, line in enumerate(path.read_bytes().splitlines()):
        try:
            problem = json_form.problem_from_json(line)
            validate(problem)
        except error:
            continue
        problems[number] = problem
    solver.warm_up()
    # As in the processes that solve.
    gc.collect()
    gc.freeze()
    gc.disable()
    _say(sorted(problems))
    for asked in sys.stdin:
        began = time.thread_time()
        found = solve(problems[int(asked)], solver.never_stop)
        taken = 1000 * (time.thread_time() - began)
        _say([taken, found.proven, found.revenue, found.treasury_income])
        if gc.get_count()[0] > OBJECTS_MOST:
            gc.collect()


def _say(what: list[Any]) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
