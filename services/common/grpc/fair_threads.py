"""The threads in which a server's handlers work, shared fairly by its callers."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

Result = TypeVar("Result")


@dataclass(slots=True, eq=False)
class _Job:
    caller: str
    work: Callable[[], Any]
    result: asyncio.Future[Any]
    when_over: Callable[[], object]


class FairThreads:
    """Callers are served in turn, the jobs of each in the order in which they came; none has more than a share of the threads.

    Used on one event loop only. Python cannot stop a thread: a job that nobody waits for any more still counts until it
    is over.
    """

    def __init__(self, count: int, share: int) -> None:
        """`count` threads, at most `share` of them for one caller."""
        self._count = count
        self._share = share
        self._executor = ThreadPoolExecutor(count, thread_name_prefix="rpc")
        # In the order in which they are served next.
        self._lines: dict[str, deque[_Job]] = {}
        self._running: Counter[str] = Counter()
        self.waiting = 0

    async def run(
        self, caller: str, work: Callable[[], Result], when_over: Callable[[], object] = lambda: None
    ) -> Result:
        """What `work` gives, in a thread. `when_over` is called on the loop when it has come to its end, or is not begun
        because the caller waits no longer."""
        loop = asyncio.get_running_loop()
        job = _Job(caller, work, loop.create_future(), when_over)
        self._lines.setdefault(caller, deque()).append(job)
        self.waiting += 1
        self._begin_next(loop)
        try:
            return await job.result  # type: ignore[no-any-return]
        except asyncio.CancelledError:
            self._withdraw(job)
            raise

    def close(self) -> None:
        """Take no more jobs; running ones come to their end."""
        self._executor.shutdown(wait=False)

    def _begin_next(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._running.total() < self._count:
            caller = next((each for each in self._lines if self._running[each] < self._share), None)
            if caller is None:
                return
            line = self._lines.pop(caller)
            job = line.popleft()
            if line:
                self._lines[caller] = line
            self.waiting -= 1
            self._running[caller] += 1
            self._executor.submit(self._work, job, loop)

    def _work(self, job: _Job, loop: asyncio.AbstractEventLoop) -> None:
        result, failure = None, None
        try:
            result = job.work()
        except BaseException as problem:
            failure = problem
        loop.call_soon_threadsafe(self._over, job, loop, result, failure)

    def _over(
        self, job: _Job, loop: asyncio.AbstractEventLoop, result: object, failure: BaseException | None
    ) -> None:
        self._running[job.caller] -= 1
        if not self._running[job.caller]:
            del self._running[job.caller]
        job.when_over()
        if not job.result.done():
            if failure is None:
                job.result.set_result(result)
            else:
                job.result.set_exception(failure)
        self._begin_next(loop)

    def _withdraw(self, job: _Job) -> None:
        line = self._lines.get(job.caller)
        if line is None or job not in line:
            return
        line.remove(job)
        if not line:
            del self._lines[job.caller]
        self.waiting -= 1
        job.when_over()
