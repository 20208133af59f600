"""Cores kept busy beside a run: what is rare on a quiet machine is not on a busy one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """So many processes that compute without end, as long as the context lasts."""
    busy = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()
