"""Rate limits: a token bucket per key."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

import msgspec

KEYS_MAX = 100_000


class Allowance(msgspec.Struct, frozen=True):
    """`burst` at once, and `per_second` on the long run."""

    per_second: float
    burst: int


class RateLimit(Protocol):
    """Counts what is done under a key. May forget at any time, which only lets more through."""

    @property
    def may_block(self) -> bool:
        """Whether `take` may have to wait for another process."""

    def take(self, key: str, allowance: Allowance) -> float:
        """Do it once: 0 if it may be done, else nothing is counted and it may be in so many seconds."""


class MemoryRateLimit:
    """The `RateLimit` of one process; of more than `KEYS_MAX` keys those idle for longest are forgotten."""

    may_block = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, allowance: Allowance) -> float:
        """See `RateLimit`."""
        with self._lock:
            now = self._clock()
            left, since = self._buckets.get(key, (float(allowance.burst), now))
            left = min(allowance.burst, left + max(0.0, now - since) * allowance.per_second)
            wait = 0.0
            if left >= 1:
                left -= 1
            else:
                wait = (1 - left) / allowance.per_second
            self._buckets[key] = (left, now)
            self._buckets.move_to_end(key)
            if len(self._buckets) > KEYS_MAX:
                self._buckets.popitem(last=False)
            return wait
