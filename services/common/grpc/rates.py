"""Rate limits of calls: of a player by the verified token, of an address by the connection."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from services.common.errors import Overloaded
from services.common.grpc.callers import Caller
from services.common.grpc.rate_limit import KEYS_MAX, Allowance, MemoryRateLimit, RateLimit
from services.common.grpc.rate_settings import RateSettings

REFUSALS_PER_SECOND = 500.0
LONGEST_PAUSE_SECONDS = 5.0


class CalledTooOften(Overloaded):
    """An address calls too often. The caller learns it after a pause."""

    def __init__(self, message: str, retry_after_ms: int, pause_seconds: float) -> None:
        super().__init__(message, retry_after_ms)
        self.pause_seconds = pause_seconds


class CallRates:
    """Refuses calls that come too often; our own services and operators are not counted."""

    def __init__(self, settings: RateSettings, limit: RateLimit) -> None:
        self._limit = limit
        # Where processes count together a flood is kept away from what they share.
        self._here = MemoryRateLimit() if limit.may_block else limit
        self._player = _allowance(settings.player_per_second, settings.player_burst)
        self._address = _allowance(settings.address_per_second, settings.address_burst)
        self._pace = RefusalPace()

    @property
    def are_shared(self) -> bool:
        """Whether `count_together` is needed too."""
        return self._limit.may_block

    def count(self, caller: Caller) -> None:
        """Count a call in this process. Raises `Overloaded` with the time to wait. Does not block."""
        self._count(caller, self._here)

    def count_together(self, caller: Caller) -> None:
        """Count a call for all processes, which may block. Raises `Overloaded` with the time to wait."""
        self._count(caller, self._limit)

    def _count(self, caller: Caller, limit: RateLimit) -> None:
        if caller.is_ours:
            return
        if self._address is not None:
            wait_ms = _wait_ms(limit, f"address:{caller.address}", self._address)
            if wait_ms:
                pause = 0.0 if caller.is_forwarded else self._pace.pause_seconds(caller.address)
                message = f"too many calls from {caller.address}: try again in {wait_ms} ms"
                raise CalledTooOften(message, wait_ms, pause)
        if caller.principal is not None and self._player is not None:
            wait_ms = _wait_ms(limit, f"player:{caller.principal.player_id}", self._player)
            if wait_ms:
                raise Overloaded(f"too many calls of this player: try again in {wait_ms} ms", wait_ms)


class RefusalPace:
    """Lets the refused calls of an address end one after the other. A connection has so many calls at the same time, so those
    that wait for their end keep others from beginning: without that a flood costs as much refused as answered."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next: dict[str, float] = {}

    def pause_seconds(self, address: str) -> float:
        """Until the turn of one more refused call."""
        now = self._clock()
        turn = max(now, self._next.get(address, now))
        if turn >= now + LONGEST_PAUSE_SECONDS:
            return LONGEST_PAUSE_SECONDS
        if len(self._next) >= KEYS_MAX:
            self._next.clear()
        self._next[address] = turn + 1 / REFUSALS_PER_SECOND
        return turn - now


def _wait_ms(limit: RateLimit, key: str, allowance: Allowance) -> int:
    return math.ceil(limit.take(key, allowance) * 1000)


def _allowance(per_second: float, burst: int) -> Allowance | None:
    return Allowance(per_second, burst) if per_second > 0 else None
