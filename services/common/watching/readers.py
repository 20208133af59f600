"""Threads in which watchers of a process read what they need, so that the event loop never blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

READERS = 2

Result = TypeVar("Result")


class Readers:
    """Few on purpose: reading for watchers never takes more than a part of the machine."""

    def __init__(self, count: int = READERS) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix="watch-reader")

    async def read(self, work: Callable[[], Result]) -> Result:
        """What `work` gives, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)
