"""Calls that end with an error, in the log: the first ones with a line each, a flood of them with one line now and then."""

from __future__ import annotations

import threading
from collections import Counter

import structlog

EVERY_SECONDS = 30.0
LINES_MAX = 5


class RefusalLog:
    """Counts them by method and status. Of each it lets `LINES_MAX` lines be written in an interval; how many more there were
    is in the line `calls_refused` at its end."""

    def __init__(self, every_seconds: float = EVERY_SECONDS) -> None:
        self._every_seconds = every_seconds
        self._lock = threading.Lock()
        self._ended: Counter[tuple[str, str, str]] = Counter()
        self._is_summary_due = False

    def holds_back(self, service: str, method: str, code: str) -> bool:
        """Counts a call; whether it gets no line of its own."""
        if code == "OK":
            return False
        with self._lock:
            self._ended[service, method, code] += 1
            if not self._is_summary_due:
                self._is_summary_due = True
                timer = threading.Timer(self._every_seconds, self._summarise)
                timer.daemon = True
                timer.start()
            return self._ended[service, method, code] > LINES_MAX

    def _summarise(self) -> None:
        with self._lock:
            ended, self._ended = self._ended, Counter()
            self._is_summary_due = False
        refused = [
            {
                "rpc": service,
                "method": method,
                "code": code,
                "calls": count,
                "without_line": count - LINES_MAX,
            }
            for (service, method, code), count in sorted(ended.items())
            if count > LINES_MAX
        ]
        if refused:
            log = structlog.get_logger(service="grpc")
            log.info("calls_refused", seconds=self._every_seconds, refused=refused)
