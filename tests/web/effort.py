"""What a while cost this process and those that it started, such as the browser: processor time, and time in which their threads
had work to do and got no processor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PROCESSES = Path("/proc")
NANOSECONDS = 1e9


class Effort(NamedTuple):
    """In seconds, of all threads together."""

    computed: float
    waited: float

    def since(self, before: Effort) -> Effort:
        """What came after."""
        return Effort(self.computed - before.computed, self.waited - before.waited)


def effort() -> Effort:
    """So far, of the threads that are there now."""
    computed = waited = 0
    for process in _family():
        for thread in (PROCESSES / process / "task").glob("*/schedstat"):
            with suppress(OSError):
                run, wait, _ = thread.read_text("ascii").split()
                computed, waited = computed + int(run), waited + int(wait)
    return Effort(computed / NANOSECONDS, waited / NANOSECONDS)


def _family() -> Iterator[str]:
    """This process and all that descend from it."""
    children: dict[str, list[str]] = {}
    for stat in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1]
            children.setdefault(parent, []).append(stat.parent.name)
    found = [str(os.getpid())]
    for process in found:
        found += children.get(process, [])
    yield from found
