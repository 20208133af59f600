"""Wake-ups of all replicas of the lobby, in a sorted set of Redis."""

from __future__ import annotations

from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.common.redis.script import LuaScript

# ARGV: now in milliseconds, and how many at most. Each key goes to one replica only, even if several ask at the same time.
DUE = LuaScript(
    """
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
if #due > 0 then
  redis.call('ZREM', KEYS[1], unpack(due))
end
return due
"""
)
# Lua can pass only so many values to one command.
MOST_AT_ONCE = 5_000


class RedisWakeUps:
    """The `WakeUps` port; while Redis is down nothing is due, and wake-ups set meanwhile are lost."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._set = connection.key("wake-ups")

    def set(self, key: str, at_ms: int) -> None:
        """See `WakeUps`."""

        def write(redis: Client) -> None:
            redis.zadd(self._set, {key: at_ms})

        self._connection.ask(write, otherwise=None)

    def drop(self, key: str) -> None:
        """See `WakeUps`."""

        def remove(redis: Client) -> None:
            redis.zrem(self._set, key)

        self._connection.ask(remove, otherwise=None)

    def due(self, now_ms: int, most: int = 100) -> list[str]:
        """See `WakeUps`."""

        def take(redis: Client) -> list[bytes]:
            return list(DUE.run(redis, self._set, now_ms, min(most, MOST_AT_ONCE)))

        nothing: list[bytes] = []
        return [key.decode() for key in self._connection.ask(take, otherwise=nothing)]
