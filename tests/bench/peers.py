"""Boards of other titles with their bonuses: our value and time beside those of another program.

`python -m tests.bench.peers FOLDER`: the folder `routes18xx` of the shared fixtures, which is the default.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from services.routing.domain.solver import warm_up
from tests.bench.solver import attempt, verify
from tests.conftest import shared_folder
from tests.routing.peer_boards import peer_boards

BUDGET_SECONDS = 60.0


def main(arguments: Sequence[str] = ()) -> int:
    """Solve every board and print the table; 1 if one is not proven at the other program's value."""
    shared = shared_folder()
    folder = Path(arguments[0]) if arguments else shared / "fixtures" / "routes18xx"
    if not (folder / "index.json").is_file():
        print(f"no boards in {folder}")
        return 0
    warm_up()
    print(f"  {'board':<58}{'other':>7}{'ours':>7}   {'other':>9}{'ours':>9}{'look':>8} ms")
    attempts, failures = [], 0
    for board, problem in peer_boards(folder):
        made = attempt(problem, BUDGET_SECONDS)
        attempts.append(made)
        value, equal = made.solution.revenue, made.solution.revenue == board.peer_value
        failures += not (equal and made.solution.proven)
        verdict = "" if equal and made.solution.proven else "   not proven" if equal else "   differs"
        times = (
            f"{board.peer_ms_on_two_cores:>9.0f}{made.seconds * 1000:>9.1f}{made.look_seconds * 1000:>8.1f}"
        )
        print(f"  {board.file:<58}{board.peer_value:>7}{value:>7}   {times}{verdict}", flush=True)
    print(f"{len(attempts) - failures} of {len(attempts)} boards proven at the same value")
    return verify(attempts) or int(failures > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
