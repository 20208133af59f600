"""Wakes the watchers of a process, a few at a time: whatever else the event loop has to do gets its turn between them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable

AT_ONCE = 4
# After what the woken cost, everything else on the loop has so many times as long.
REST = 2.0


class Waker:
    """Used on one event loop. Takes a third of its time at most, however many wait."""

    def __init__(self) -> None:
        self._due: deque[asyncio.Future[None]] = deque()
        self._task: asyncio.Task[None] | None = None

    def wake(self, waiting: Iterable[asyncio.Future[None]]) -> None:
        """Set the results of all these futures, soon."""
        self._due.extend(waiting)
        if self._task is None and self._due:
            self._task = asyncio.get_running_loop().create_task(self._wake_all())

    async def turn(self) -> None:
        """Wait until it is one's turn."""
        future = asyncio.get_running_loop().create_future()
        self.wake((future,))
        await future

    async def _wake_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._due:
            began = loop.time()
            for _ in range(min(AT_ONCE, len(self._due))):
                future = self._due.popleft()
                if not future.done():
                    future.set_result(None)
            await asyncio.sleep(0)
            await asyncio.sleep((loop.time() - began) * REST)
        self._task = None


class Topic:
    """What watchers wait for. `version` grows with every change."""

    def __init__(self, waker: Waker) -> None:
        self._waker = waker
        self._waiting: set[asyncio.Future[None]] = set()
        self.version = 0

    def changed(self) -> None:
        """Wake all that wait."""
        self.version += 1
        waiting, self._waiting = self._waiting, set()
        self._waker.wake(waiting)

    async def changed_since(self, version: int, seconds: float | None = None) -> None:
        """Wait until the version is another one, no longer than `seconds`."""
        if self.version != version:
            return
        future = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            async with asyncio.timeout(seconds):
                await future
        except TimeoutError:
            return
        finally:
            self._waiting.discard(future)
