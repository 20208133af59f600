"""What is compiled is ready after the warm-up, so that no question waits for a compiler."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
from numba.core.dispatcher import Dispatcher
from services.routing.domain import finder, frontier, gains, packer, search, sweep, sweepplan, walkback
from services.routing.domain.solver import solve, warm_up
from tests.routing.boards import SMALL_FAMILIES, random_trains, small_board

modules = (finder, frontier, gains, packer, search, sweep, sweepplan, walkback)

def compiled():
    kernels = {k for module in modules for k in vars(module).values() if isinstance(k, Dispatcher)}
    return {k.py_func.__name__: len(k.signatures) for k in kernels}

warm_up()
before = compiled()
for family in SMALL_FAMILIES:
    for seed in range(40):
        solve(small_board(seed, random_trains(seed, family)))
later = sorted(name for name, count in compiled().items() if count != before[name])
print(later)
"""


def test_the_warm_up_leaves_nothing_to_compile() -> None:
    """In a fresh process no question after the warm-up has a kernel compiled or loaded, whatever its trains."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
