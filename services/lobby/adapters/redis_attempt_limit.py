"""Slows down password guessing across all replicas of the lobby."""

from __future__ import annotations

import hashlib

from services.common.clock import Clock
from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.common.redis.script import LuaScript
from services.lobby.adapters.attempt_limit import FAILURES_MAX, WINDOW_MS, AttemptLimit

# ARGV: now and the window in milliseconds. The value reads: failures, time of the last.
FAILED = LuaScript(
    """
local now, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local count, last = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
if not count or now - tonumber(last) >= window then
  count = 0
end
redis.call('SET', KEYS[1], string.format('%d %d', count + 1, now), 'PX', window)
return count + 1
"""
)


class RedisAttemptLimit:
    """Implements `AttemptLimiter`. Each replica also counts its own failures, in case Redis is down or loses its data."""

    def __init__(self, connection: RedisConnection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._here = AttemptLimit(clock)

    def allows(self, name: str) -> bool:
        """See `AttemptLimiter`."""
        key = self._key(name)
        kept = self._connection.ask(lambda redis: redis.get(key), otherwise=None)
        return self._here.allows(name) and self._fresh_count(kept) < FAILURES_MAX

    def failed(self, name: str) -> None:
        """See `AttemptLimiter`."""
        self._here.failed(name)
        key, now_ms = self._key(name), self._clock.now_ms()
        self._connection.ask(lambda redis: FAILED.run(redis, key, now_ms, WINDOW_MS), otherwise=None)

    def succeeded(self, name: str) -> None:
        """See `AttemptLimiter`."""
        self._here.succeeded(name)
        key = self._key(name)

        def forget(redis: Client) -> None:
            redis.delete(key)

        self._connection.ask(forget, otherwise=None)

    def _fresh_count(self, kept: object) -> int:
        count, _, last_ms = kept.partition(b" ") if isinstance(kept, bytes) else (b"", b"", b"")
        if not (count.isdigit() and last_ms.isdigit()):
            return 0
        return int(count) if self._clock.now_ms() - int(last_ms) < WINDOW_MS else 0

    def _key(self, name: str) -> str:
        """A hash, because people sometimes type their password into the name field."""
        return self._connection.key("attempts", hashlib.sha256(name.encode()).hexdigest())
