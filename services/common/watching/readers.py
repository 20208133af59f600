"""Threads in which watchers of a process read what they need, so that the event loop never blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from services.common.grpc.fair_threads import FairThreads

READERS = 2

Result = TypeVar("Result")


class Readers:
    """Few on purpose: reading for watchers never takes more than a part of the machine. Used on one event loop."""

    def __init__(self, count: int = READERS) -> None:
        self._threads = FairThreads(count, max(1, count - 1), "watch-reader")

    async def read(self, reader: str, work: Callable[[], Result]) -> Result:
        """What `work` gives, in a thread. All that has the same `reader`, a caller or a stream, never takes all threads."""
        return await self._threads.run(reader, work)
