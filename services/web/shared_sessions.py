"""Sessions that were signed out, for all web processes that share a Redis."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection

from services.common.redis.client import Client
from services.common.redis.connection import RedisConnection
from services.web.sessions import OwnEndedSessions, digest


class SharedEndedSessions:
    """Those signed out in any process. While Redis is away a process knows its own, and writes them once Redis is back."""

    def __init__(self, redis: RedisConnection) -> None:
        self._redis = redis
        self._own = OwnEndedSessions()
        self._unwritten: dict[str, float] = {}
        redis.on_return(self._write_again)

    async def end(self, session: str, end_seconds: float) -> None:
        """See `EndedSessions`."""
        await self._own.end(session, end_seconds)
        self._unwritten[digest(session)] = end_seconds
        await asyncio.to_thread(self._write)

    async def among(self, sessions: Collection[str]) -> Collection[str]:
        """See `EndedSessions`."""
        if not sessions:
            return ()
        known = set(await self._own.among(sessions))
        found = await asyncio.to_thread(self._read, list(sessions))
        return known.union(found)

    def _read(self, sessions: list[str]) -> list[str]:
        self._write()
        keys = [self._key(digest(each)) for each in sessions]
        nothing: list[object] = [None] * len(keys)

        def read(redis: Client) -> list[object]:
            return list(redis.mget(keys))

        marks = self._redis.ask(read, otherwise=nothing)
        return [session for session, mark in zip(sessions, marks, strict=True) if mark is not None]

    def _write_again(self) -> None:
        """A Redis that comes back may be empty."""
        self._unwritten |= self._own.ended

    def _write(self) -> None:
        for name, end_seconds in list(self._unwritten.items()):
            left_ms = int((end_seconds - time.time()) * 1000)
            if left_ms <= 0 or self._mark(self._key(name), left_ms):
                self._unwritten.pop(name, None)

    def _mark(self, key: str, left_ms: int) -> bool:
        def mark(redis: Client) -> bool:
            redis.set(key, 1, px=left_ms)
            return True

        return self._redis.ask(mark, otherwise=False)

    def _key(self, name: str) -> str:
        return self._redis.key("signed-out", name)
