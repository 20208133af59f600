"""Presence as all replicas of the lobby see it."""

from __future__ import annotations

from collections.abc import Iterable

from services.common.clock import Clock
from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.lobby.adapters.memory_presence import MemoryPresence
from services.lobby.ports import ONLINE_MS


class RedisPresence:
    """Implements `Presence`; while Redis is down a replica knows only the players it has seen itself."""

    def __init__(self, connection: RedisConnection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._here = MemoryPresence(clock)

    def seen(self, player_id: str) -> None:
        """See `Presence`."""
        self._here.seen(player_id)
        key, now_ms = self._key(player_id), self._clock.now_ms()

        def write(redis: Client) -> None:
            redis.set(key, now_ms, px=ONLINE_MS)

        self._connection.ask(write, otherwise=None)

    def online(self, player_ids: Iterable[str]) -> frozenset[str]:
        """See `Presence`."""
        wanted = tuple(player_ids)
        if not wanted:
            return frozenset()
        keys = [self._key(each) for each in wanted]
        nothing: list[object] = [None] * len(keys)

        def read(redis: Client) -> list[object]:
            return list(redis.mget(keys))

        times = self._connection.ask(read, otherwise=nothing)
        elsewhere = {each for each, time in zip(wanted, times, strict=True) if self._is_recent(time)}
        return self._here.online(wanted) | elsewhere

    def _is_recent(self, time: object) -> bool:
        return isinstance(time, bytes) and time.isdigit() and self._clock.now_ms() - int(time) < ONLINE_MS

    def _key(self, player_id: str) -> str:
        return self._connection.key("presence", player_id)
