"""The event loop of a process."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: this one has its loop already. Starting a thread gives others a turn.
FIRST_CALLS = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from services.common.grpc import loop
barrier = Barrier(8)
def first(_):
    barrier.wait()
    return loop.serving_loop()
with ThreadPoolExecutor(8) as threads:
    loops = list(threads.map(first, range(8)))
print(len(set(map(id, loops))), flush=True)
__import__("os")._exit(0)
"""


def test_threads_that_ask_first_at_the_same_time_get_one_loop() -> None:
    """What belongs to one loop, like the watchers of a game, would hang on another."""
    for _ in range(3):
        said = subprocess.run(
            [sys.executable, "-c", FIRST_CALLS], capture_output=True, text=True, timeout=60, check=True
        )
        assert said.stdout == "1\n"
