"""The clock as a port: time is read at the edge and handed in."""

import time
from typing import Protocol


class Clock(Protocol):
    """A source of time."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 UTC."""
        return time.time_ns() // 1_000_000


class ManualClock:
    """A clock that only advances when it is set; for tests and simulations."""

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        """Milliseconds since 1970 UTC."""
        return self._now_ms

    def advance(self, milliseconds: int) -> None:
        """Moves the clock forward."""
        self._now_ms += milliseconds
