"""Waiting in tests for what other threads or processes bring about."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 60.0
PAUSE_SECONDS = 0.01


def until(holds: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait until it holds; fail when it takes too long."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(PAUSE_SECONDS)
