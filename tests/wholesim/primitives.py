"""Locks, events, queues, futures and threads as Python's own have them, waiting in the schedule of a run."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import InvalidStateError
from contextlib import contextmanager
from typing import Any

from tests.wholesim.schedule import Schedule, Task

OVERTAKEN_SHARE = 0.03
"""How often somebody else has a turn before a lock is taken."""


class _Running:
    """The schedule of the run at hand: one at a time in a process of the operating system."""

    schedule: Schedule


def schedule() -> Schedule:
    """The schedule of the run at hand."""
    return _Running.schedule


@contextmanager
def running(chosen: Schedule) -> Iterator[None]:
    """Everything made here waits in this schedule meanwhile."""
    _Running.schedule = chosen
    yield


class Lock:
    """As `threading.Lock`, and as `threading.RLock`: its holder may take it again."""

    is_reentrant = False

    def __init__(self) -> None:
        self._owner: Task | None = None
        self._depth = 0
        self._waiters: list[Task] = []

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """See `threading.Lock`."""
        running = schedule()
        running.check_alive()
        if self._owner is running.current and self.is_reentrant:
            self._depth += 1
            return True
        if running.random.random() < OVERTAKEN_SHARE:
            running.step()
        end = None if timeout < 0 else running.now + timeout
        while self._owner is not None and not self._owner.is_over:
            left = None if end is None else end - running.now
            if not blocking or (left is not None and left <= 0):
                return False
            running.wait(self._waiters, left)
        self._owner, self._depth = running.current, 1
        return True

    def release(self) -> None:
        """See `threading.Lock`."""
        self._depth -= 1
        if self._depth <= 0:
            self._owner = None
            if self._waiters:
                schedule().wake(self._waiters[0])

    def locked(self) -> bool:
        """See `threading.Lock`."""
        return self._owner is not None

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class RLock(Lock):
    """As `threading.RLock`."""

    is_reentrant = True


class Condition:
    """As `threading.Condition`."""

    def __init__(self, lock: Lock | None = None) -> None:
        self._lock = lock or RLock()
        self._waiters: list[Task] = []
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        """See `threading.Condition`."""
        depth, self._lock._depth = self._lock._depth, 1
        self._lock.release()
        try:
            return schedule().wait(self._waiters, timeout)
        finally:
            if not schedule().current.process.is_dead:
                self._lock.acquire()
                self._lock._depth = depth

    def wait_for(self, predicate: Callable[[], Any], timeout: float | None = None) -> Any:
        """See `threading.Condition`."""
        end = None if timeout is None else schedule().now + timeout
        while not (holds := predicate()):
            left = None if end is None else end - schedule().now
            if left is not None and left <= 0:
                return holds
            self.wait(left)
        return holds

    def notify(self, n: int = 1) -> None:
        """See `threading.Condition`."""
        for task in self._waiters[:n]:
            schedule().wake(task)

    def notify_all(self) -> None:
        """See `threading.Condition`."""
        schedule().wake_all(self._waiters)


class Event:
    """As `threading.Event`."""

    def __init__(self) -> None:
        self._is_set = False
        self._waiters: list[Task] = []

    def is_set(self) -> bool:
        """See `threading.Event`."""
        return self._is_set

    def set(self) -> None:
        """See `threading.Event`."""
        self._is_set = True
        schedule().wake_all(self._waiters)

    def clear(self) -> None:
        """See `threading.Event`."""
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        """See `threading.Event`."""
        schedule().check_alive()
        if not self._is_set:
            schedule().wait(self._waiters, timeout)
        return self._is_set


class BoundedSemaphore:
    """As `threading.BoundedSemaphore`, for those who do not wait."""

    def __init__(self, value: int = 1) -> None:
        self._value = value

    def acquire(self, blocking: bool = True) -> bool:
        """See `threading.BoundedSemaphore`."""
        assert not blocking or self._value > 0
        self._value -= self._value > 0
        return self._value >= 0

    def release(self) -> None:
        """See `threading.BoundedSemaphore`."""
        self._value += 1


class SimpleQueue:
    """As `queue.SimpleQueue`."""

    Empty = queue.Empty

    def __init__(self, maxsize: int = 0) -> None:
        self._items: deque[Any] = deque()
        self._waiters: list[Task] = []

    def put(self, item: Any) -> None:
        """See `queue.SimpleQueue`."""
        self._items.append(item)
        if self._waiters:
            schedule().wake(self._waiters[0])

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """See `queue.SimpleQueue`."""
        schedule().check_alive()
        while not self._items:
            if not block or not schedule().wait(self._waiters, timeout):
                raise queue.Empty
        return self._items.popleft()

    def get_nowait(self) -> Any:
        """See `queue.SimpleQueue`."""
        return self.get(block=False)

    def empty(self) -> bool:
        """See `queue.SimpleQueue`."""
        return not self._items

    def qsize(self) -> int:
        """See `queue.SimpleQueue`."""
        return len(self._items)


class Future:
    """As `concurrent.futures.Future`, as far as services use it."""

    def __init__(self) -> None:
        self._is_done = False
        self._result: Any = None
        self._problem: BaseException | None = None
        self._waiters: list[Task] = []

    def done(self) -> bool:
        """See `Future`."""
        return self._is_done

    def result(self, timeout: float | None = None) -> Any:
        """See `Future`."""
        schedule().check_alive()
        if not self._is_done and not schedule().wait(self._waiters, timeout):
            raise TimeoutError
        if self._problem is not None:
            raise self._problem
        return self._result

    def _finish(self, result: Any, problem: BaseException | None) -> None:
        if self._is_done:
            raise InvalidStateError
        self._is_done, self._result, self._problem = True, result, problem
        schedule().wake_all(self._waiters)

    def set_result(self, result: Any) -> None:
        """See `Future`."""
        self._finish(result, None)

    def set_exception(self, problem: BaseException) -> None:
        """See `Future`."""
        self._finish(None, problem)

    def __class_getitem__(cls, _: Any) -> type[Future]:
        return cls


class Thread:
    """As `threading.Thread`; one that an error ends counts as a failure of the run."""

    def __init__(
        self,
        group: None = None,
        target: Callable[..., object] | None = None,
        name: str = "",
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        daemon: bool = True,
    ) -> None:
        self.name = name
        self._work = target
        self._arguments = args
        self._task: Task | None = None
        self._waiters: list[Task] = []

    def start(self) -> None:
        """See `threading.Thread`."""
        self._task = schedule().spawn(self.name, self._run_and_tell)

    def run(self) -> None:
        """See `threading.Thread`."""
        if self._work is not None:
            self._work(*self._arguments)

    def _run_and_tell(self) -> None:
        try:
            self.run()
        finally:
            schedule().wake_all(self._waiters)

    def is_alive(self) -> bool:
        """See `threading.Thread`."""
        return self._task is not None and not self._task.is_over

    def join(self, timeout: float | None = None) -> None:
        """See `threading.Thread`."""
        while self._task is not None and not self._task.is_over:
            if not schedule().wait(self._waiters, 0.001 if timeout is None else timeout) and timeout:
                return


class ServiceThread(Thread):
    """As the `ServiceThread` of services."""

    def __init__(self, name: str, work: Callable[..., object], *arguments: Any) -> None:
        super().__init__(target=work, name=name, args=arguments)


class Timer(Thread):
    """As `threading.Timer`."""

    def __init__(self, interval: float, function: Callable[..., object]) -> None:
        super().__init__(target=function, name="timer")
        self._seconds = interval
        self._cancelled = Event()

    def run(self) -> None:
        """See `threading.Timer`."""
        if not self._cancelled.wait(self._seconds):
            super().run()

    def cancel(self) -> None:
        """See `threading.Timer`."""
        self._cancelled.set()


class ThreadPoolExecutor:
    """As the executor of that name; the work is done at once, by the thread that submits it."""

    def __init__(self, max_workers: int | None = None, thread_name_prefix: str = "") -> None:
        """Nothing waits in it."""

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future:
        """See `Executor`."""
        future = Future()
        try:
            future.set_result(work(*arguments))
        except Exception as problem:
            future.set_exception(problem)
        return future

    def shutdown(self, wait: bool = True) -> None:
        """See `Executor`."""
