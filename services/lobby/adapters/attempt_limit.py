"""Slows down guessing in one process."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from services.lobby.ports import RisingDelay

KEYS_MAX = 100_000


class _Attempts(msgspec.Struct, frozen=True):
    count: int
    last_ms: float


class AttemptLimit:
    """The `AttemptLimiter` in memory. Of more than `KEYS_MAX` keys those attempted longest ago are forgotten."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: seconds that never go back."""
        self._clock = clock
        self._lock = threading.Lock()
        self._attempts: OrderedDict[str, _Attempts] = OrderedDict()

    def begin(self, key: str, delay: RisingDelay) -> int:
        """See `AttemptLimiter.begin`."""
        with self._lock:
            now_ms = self._clock() * 1000
            made = self._attempts.get(key)
            if made is None or now_ms - made.last_ms >= delay.forget_ms:
                made = _Attempts(0, now_ms)
            wait_ms = _wait_ms(made.count, delay) - (now_ms - made.last_ms)
            if wait_ms > 0:
                return math.ceil(wait_ms)
            self._attempts[key] = _Attempts(made.count + 1, now_ms)
            self._attempts.move_to_end(key)
            if len(self._attempts) > KEYS_MAX:
                self._attempts.popitem(last=False)
            return 0

    def take_back(self, key: str, delay: RisingDelay) -> None:
        """See `AttemptLimiter.take_back`."""
        with self._lock:
            made = self._attempts.get(key)
            if made is not None:
                self._attempts[key] = _Attempts(max(0, made.count - 1), made.last_ms)

    def forget(self, key: str) -> None:
        """See `AttemptLimiter.forget`."""
        with self._lock:
            self._attempts.pop(key, None)


def _wait_ms(count: int, delay: RisingDelay) -> int:
    """How long after the last of `count` attempts the next one may be made."""
    if count < delay.free:
        return 0
    # More doublings than these reach every longest wait.
    return min(delay.longest_ms, delay.first_ms << min(count - delay.free, 40))
