"""How refused calls end: those of one address one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable

from services.common.grpc.callers import Caller

PER_SECOND = 250.0
LONGEST_SECONDS = 8.0
# Refused calls of a process that wait for their end: some 35 kB each.
PAUSED_MOST = 5_000
ADDRESSES_MAX = 100_000


class RefusalPace:
    """When the next refused call of an address ends. A connection has so many calls at the same time, so those that wait for
    their end keep others from beginning: without that a flood costs as much refused as answered. A single refused call does
    not wait. Used on one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next: dict[str, float] = {}

    def pause_seconds(self, caller: Caller) -> float:
        """Until the turn of one more refused call. None waits behind a proxy, whose connections others use too."""
        if caller.is_forwarded or caller.is_ours:
            return 0.0
        now = self._clock()
        turn = max(now, self._next.get(caller.address, now))
        if turn >= now + LONGEST_SECONDS:
            return LONGEST_SECONDS
        if len(self._next) >= ADDRESSES_MAX:
            self._next.clear()
        self._next[caller.address] = turn + 1 / PER_SECOND
        return turn - now
