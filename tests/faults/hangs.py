"""Processes that ended themselves: which of them the run itself explains, and what each said was the reason."""

from __future__ import annotations

import json
import threading

from services.rules.cluster.attempts import DEATHS_ALONE

# A command without end costs one life where its owner could warn the next one, and as many as a deadly one where not.
LIVES = DEATHS_ALONE + 2
COMES_TO_NO_END = "a command comes to no end"
CRITICAL = "critical"


class AllowedHangs:
    """How many owners may still end themselves because a command of the run came to no end. Thread-safe."""

    def __init__(self) -> None:
        self._left = 0
        self._lock = threading.Lock()

    def allow(self) -> None:
        """Those over one more command without end."""
        with self._lock:
            self._left += LIVES

    def take(self, why: str) -> bool:
        """A process has ended itself, and this was its last critical line; whether the run explains that."""
        if COMES_TO_NO_END not in why:
            return False
        with self._lock:
            self._left -= 1
            return self._left >= 0


def last_critical_line(log: str) -> str:
    """The last critical line in a log between stacks and other text; empty where there is none."""
    for line in reversed(log.splitlines()):
        if line.startswith("{") and _level(line) == CRITICAL:
            return line
    return ""


def _level(line: str) -> object:
    try:
        return json.loads(line).get("level")
    except ValueError:
        return None
