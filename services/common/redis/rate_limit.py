"""The rate limit of all processes together, in Redis."""

from __future__ import annotations

from services.common.grpc.rate_limit import Allowance, MemoryRateLimit, RateLimit
from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.common.redis.script import LuaScript

# KEYS: the bucket; ARGV: tokens a second, tokens at most. Gives the milliseconds to wait, 0 when a token was taken.
# Time is Redis' own, so that the clocks of the processes do not matter; one that jumps back lets nobody wait longer.
TAKE = LuaScript(
    """
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('GET', KEYS[1])
local left, since = burst, now
if kept then
  local kept_left, kept_since = string.match(kept, '^([%d.]+) ([%d.]+)$')
  if kept_left then
    left, since = tonumber(kept_left), tonumber(kept_since)
  end
end
left = math.min(burst, left + math.max(0, now - since) * rate / 1000)
local wait = 0
if left >= 1 then
  left = left - 1
else
  wait = math.max(1, math.ceil((1 - left) * 1000 / rate))
end
local full = math.ceil((burst - left) * 1000 / rate) + 1000
redis.call('SET', KEYS[1], string.format('%.6f %.3f', left, now), 'PX', full)
return wait
"""
)


class RedisRateLimit:
    """Implements `RateLimit`; while Redis is down every process counts for itself."""

    may_block = True

    def __init__(self, connection: RedisConnection, meanwhile: RateLimit | None = None) -> None:
        self._connection = connection
        self._meanwhile = meanwhile or MemoryRateLimit()

    def take(self, key: str, allowance: Allowance) -> float:
        """See `RateLimit`."""
        bucket = self._connection.key("rate", key)

        def take(redis: Client) -> int:
            return int(TAKE.run(redis, bucket, allowance.per_second, allowance.burst))

        wait_ms = self._connection.ask(take, otherwise=-1)
        return self._meanwhile.take(key, allowance) if wait_ms < 0 else wait_ms / 1000
