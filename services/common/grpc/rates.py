"""Rate limits of calls: of a player by the verified token, of an address by the connection."""

from __future__ import annotations

import math

from services.common.errors import Overloaded
from services.common.grpc.callers import Caller
from services.common.grpc.rate_limit import Allowance, RateLimit
from services.common.grpc.rate_settings import RateSettings


class CallRates:
    """Refuses calls that come too often; our own services and operators are not counted."""

    def __init__(self, settings: RateSettings, limit: RateLimit) -> None:
        self._limit = limit
        self._player = _allowance(settings.player_per_second, settings.player_burst)
        self._address = _allowance(settings.address_per_second, settings.address_burst)

    @property
    def may_block(self) -> bool:
        """Whether counting may have to wait for another process."""
        return self._limit.may_block

    def count(self, caller: Caller) -> None:
        """Count a call. Raises `Overloaded` with the time to wait."""
        if caller.is_ours:
            return
        if self._address is not None:
            self._take(f"address:{caller.address}", self._address, f"calls from {caller.address}")
        if caller.principal is not None and self._player is not None:
            self._take(f"player:{caller.principal.player_id}", self._player, "calls of this player")

    def _take(self, key: str, allowance: Allowance, what: str) -> None:
        wait = self._limit.take(key, allowance)
        if wait > 0:
            wait_ms = math.ceil(wait * 1000)
            raise Overloaded(f"too many {what}: try again in {wait_ms} ms", retry_after_ms=wait_ms)


def _allowance(per_second: float, burst: int) -> Allowance | None:
    return Allowance(per_second, burst) if per_second > 0 else None
