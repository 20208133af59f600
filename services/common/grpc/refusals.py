"""How refused calls end: those of one caller one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Set

import grpc

from services.common.grpc.callers import Caller

LONGEST_SECONDS = 5.0
# Refused calls of a process that wait for their end: some 40 kB each.
PAUSED_MOST = 5_000
CALLERS_MAX = 100_000
# What a caller can cause at will.
REFUSALS = frozenset(
    {
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.OUT_OF_RANGE,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)


class RefusalPace:
    """When a refused call may end. A connection has so many calls at the same time, so those that wait for their end keep others
    from beginning: without that a flood of refused calls costs as much as one of answered calls. A single refused call does
    not wait. Used on one event loop."""

    def __init__(
        self,
        per_second: float,
        refusals: Set[grpc.StatusCode] = REFUSALS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """So many of one caller with a status of `refusals` end in a second; 0 for no limit."""
        self._refusals = refusals
        self._interval = 1 / per_second if per_second else 0.0
        self._clock = clock
        self._next: dict[str, float] = {}

    def pause_seconds(self, caller: Caller, code: grpc.StatusCode) -> float:
        """Until the turn of one more call that ends with this status. None waits behind a proxy, whose connections others use
        too."""
        if code not in self._refusals or caller.is_forwarded or caller.is_ours:
            return 0.0
        now = self._clock()
        turn = max(now, self._next.get(caller.key, now))
        if turn >= now + LONGEST_SECONDS:
            return LONGEST_SECONDS
        if len(self._next) >= CALLERS_MAX:
            self._next.clear()
        self._next[caller.key] = turn + self._interval
        return turn - now
