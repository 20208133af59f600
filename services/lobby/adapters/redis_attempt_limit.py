"""Slows down guessing across all replicas of the lobby."""

from __future__ import annotations

import hashlib

from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.common.redis.script import LuaScript
from services.lobby.adapters.attempt_limit import AttemptLimit
from services.lobby.ports import RisingDelay

# ARGV: begin, 1 or take back, -1; free attempts, first, longest wait and time of forgetting in milliseconds. The value is the
# number of attempts and the time of the last. Gives the milliseconds to wait, 0 when the attempt was counted.
# Time is Redis' own, so that the clocks of the replicas do not matter; one that jumps back lets nobody wait longer.
COUNT = LuaScript(
    """
local change, free, first = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local longest, forget = tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local count, last = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
count, last = tonumber(count or 0), math.min(tonumber(last or now), now)
if change < 0 then
  if count > 0 then
    redis.call('SET', KEYS[1], string.format('%d %d', count - 1, last), 'PX', forget)
  end
  return 0
end
local wait = 0
if count >= free then wait = math.min(longest, first * 2 ^ math.min(count - free, 40)) end
if now - last < wait then return math.ceil(wait - (now - last)) end
redis.call('SET', KEYS[1], string.format('%d %d', count + 1, now), 'PX', forget)
return 0
"""
)


class RedisAttemptLimit:
    """The `AttemptLimiter` in Redis. Each replica also counts its own attempts, in case Redis is down or loses its data."""

    def __init__(self, connection: RedisConnection, here: AttemptLimit | None = None) -> None:
        self._connection = connection
        self._here = here or AttemptLimit()

    def begin(self, key: str, delay: RisingDelay) -> int:
        """See `AttemptLimiter.begin`."""
        wait_ms = self._count(key, 1, delay)
        if wait_ms == 0:
            wait_ms = self._here.begin(key, delay)
            if wait_ms > 0:
                self._count(key, -1, delay)
        return wait_ms

    def take_back(self, key: str, delay: RisingDelay) -> None:
        """See `AttemptLimiter.take_back`."""
        self._here.take_back(key, delay)
        self._count(key, -1, delay)

    def forget(self, key: str) -> None:
        """See `AttemptLimiter.forget`."""
        self._here.forget(key)
        kept = self._key(key)

        def delete(redis: Client) -> None:
            redis.delete(kept)

        self._connection.ask(delete, otherwise=None)

    def _count(self, key: str, change: int, delay: RisingDelay) -> int:
        kept = self._key(key)

        def count(redis: Client) -> int:
            return int(
                COUNT.run(redis, kept, change, delay.free, delay.first_ms, delay.longest_ms, delay.forget_ms)
            )

        return self._connection.ask(count, otherwise=0)

    def _key(self, key: str) -> str:
        """A hash, because people sometimes type their password into the name field."""
        return self._connection.key("attempts", hashlib.sha256(key.encode()).hexdigest())
