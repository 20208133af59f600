"""Who runs next: one thread at a time, chosen by a seed, under a clock that moves only when all of them wait.

Every thread of every service is a greenlet here, so that code which waits can stay as it is. Only the one that has the
turn runs; it passes the turn on wherever it waits, and nowhere else. The same seed is the same run. With threads of the
operating system a run would take longer, many times as long where other programs keep the cores busy.
"""

from __future__ import annotations

import asyncio
import heapq
import random
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from greenlet import getcurrent, greenlet

BEGINNING_MS = 1_700_000_000_000
SECONDS_MAX = 100_000.0


class ProcessKilled(BaseException):
    """Raised in every thread of a process that was killed, wherever it waits: nothing it does counts any more."""


class Deadlock(Exception):
    """Everybody waits for somebody else, without an end."""


class TooLong(Exception):
    """The run takes more simulated time than any run should."""


@dataclass(eq=False)
class Process:
    """What is killed as one. `clock_skew_ms`: how wrong its clock is."""

    name: str
    is_dead: bool = False
    is_paused: bool = False
    clock_skew_ms: int = 0
    tasks: list[Task] = field(default_factory=list)
    held: list[Task] = field(default_factory=list)
    """Those who could go on were the process not paused."""
    databases: list[sqlite3.Connection] = field(default_factory=list)
    """All that it has opened."""


@dataclass(eq=False)
class Task:
    """One thread. `is_woken`: whether somebody woke it, or else its time was over."""

    number: int
    name: str
    process: Process
    fiber: greenlet
    is_waiting: bool = False
    is_woken: bool = False
    wait_number: int = 0
    is_over: bool = False
    is_ended: bool = False
    waiting_in: list[Task] | None = None


class Schedule:
    """The scheduler of one run. The thread that makes it is its first task, of a process "world" that never dies."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.now = 0.0
        self.world = Process("world")
        self.switches = 0
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._timer_count = 0
        self._ready: list[Task] = []
        self._tasks = 0
        self._all: list[Task] = []
        self.failures: list[str] = []
        self.seconds_max = SECONDS_MAX
        self._first_fiber = getcurrent()
        self.current = self._new_task("main", self.world, self._first_fiber)

    def now_ms(self) -> int:
        """Milliseconds since 1970 by the clock of the process that asks."""
        return BEGINNING_MS + int(self.now * 1000) + self.current.process.clock_skew_ms

    def true_ms(self) -> int:
        """Milliseconds since 1970 by a clock that is never wrong."""
        return BEGINNING_MS + int(self.now * 1000)

    def _new_task(self, name: str, process: Process, fiber: greenlet) -> Task:
        self._tasks += 1
        task = Task(self._tasks, name, process, fiber)
        process.tasks.append(task)
        return task

    def spawn(self, name: str, work: Callable[[], object], process: Process | None = None) -> Task:
        """A new thread, of the running process unless another is given; it runs when its turn comes."""
        fiber = greenlet(parent=self._first_fiber)
        task = self._new_task(name, process or self.current.process, fiber)
        fiber.run = lambda *_: self._run(task, work)
        self._all = [each for each in self._all if not each.is_over]
        self._all.append(task)
        self._ready.append(task)
        return task

    def _run(self, task: Task, work: Callable[[], object]) -> None:
        try:
            if not (task.process.is_dead or task.is_ended):
                work()
        except ProcessKilled:
            # That is how all threads of a killed process end.
            pass
        except BaseException as problem:
            if not task.process.is_dead:
                self.failures.append(f"{task.process.name}, {task.name}: {problem!r}")
        finally:
            task.is_over = True
            task.process.tasks.remove(task)
            self.switches += 1
            # When a greenlet ends its parent goes on.
            task.fiber.parent = self._next().fiber

    def check_alive(self) -> None:
        """Raises `ProcessKilled` in threads of a dead process."""
        if self.current.process.is_dead or self.current.is_ended:
            raise ProcessKilled

    def call_later(self, seconds: float, action: Callable[[], None]) -> None:
        """Have something done by nobody in particular, which must not wait."""
        self._timer_count += 1
        heapq.heappush(self._timers, (self.now + max(seconds, 0.0), self._timer_count, action))

    def sleep(self, seconds: float) -> None:
        """Wait for so long."""
        self.wait(None, seconds)

    def step(self) -> None:
        """Let others have a turn before the next thing is done."""
        self.wait(None, 0.0)

    def wait(self, waiters: list[Task] | None, seconds: float | None) -> bool:
        """Wait in a queue of `waiters` until woken, `seconds` at most; whether it was woken."""
        self.check_alive()
        task = self.current
        task.is_waiting, task.is_woken, task.waiting_in = True, False, waiters
        if waiters is not None:
            waiters.append(task)
        if seconds is not None:
            self.call_later(seconds, partial(self._ring, task, task.wait_number))
        self._hand_over(task)
        self.check_alive()
        return task.is_woken

    def wake(self, task: Task, by_time: bool = False) -> None:
        """Let a waiting task go on."""
        if not task.is_waiting:
            return
        task.is_waiting, task.is_woken = False, not by_time
        task.wait_number += 1
        if task.waiting_in is not None:
            task.waiting_in.remove(task)
            task.waiting_in = None
        (task.process.held if task.process.is_paused else self._ready).append(task)

    def wake_all(self, waiters: list[Task]) -> None:
        """Let everybody go on who waits in a queue."""
        for task in list(waiters):
            self.wake(task)

    def _hand_over(self, task: Task) -> None:
        following = self._next()
        if following is not task:
            self.switches += 1
            _switch_to(following.fiber)

    def _next(self) -> Task:
        while True:
            if self._timers and self._timers[0][0] <= self.now:
                heapq.heappop(self._timers)[2]()
            elif self._ready:
                task = self._chosen()
                if task.process.is_paused:
                    task.process.held.append(task)
                    continue
                self.current = task
                return task
            elif self._timers:
                self.now = self._timers[0][0]
                if self.now > self.seconds_max:
                    self._give_up(TooLong(f"{self.now:.0f} s"))
            else:
                self._give_up(Deadlock("everybody waits"))

    def _chosen(self) -> Task:
        """One of those who could go on; who was woken first depends on the order of sets at times, so that counts not."""
        if len(self._ready) == 1:
            return self._ready.pop()
        self._ready.sort(key=_number_of)
        return self._ready.pop(self.random.randrange(len(self._ready)))

    def _ring(self, task: Task, wait_number: int) -> None:
        if task.is_waiting and task.wait_number == wait_number:
            self.wake(task, by_time=True)

    def _give_up(self, problem: Exception) -> None:
        """Wake the thread that began the run, and leave the failure to it."""
        self.failures.append(f"{type(problem).__name__}: {problem}")
        self.seconds_max = float("inf")
        main = self.world.tasks[0]
        self.wake(main)

    def kill(self, process: Process) -> None:
        """End a process: wherever its threads are, they go no further."""
        process.is_dead, process.is_paused = True, False
        self._ready += process.held
        process.held = []
        for task in list(process.tasks):
            self.wake(task)

    def pause(self, process: Process) -> None:
        """Let a process stand still: its threads get no turn, and time goes on."""
        process.is_paused = True

    def resume(self, process: Process) -> None:
        """Let a paused process go on."""
        if process.is_paused:
            process.is_paused = False
            self._ready += process.held
            process.held = []

    def others(self) -> list[Task]:
        """Threads beside the one that asks which are not over."""
        return [each for each in self._all if not each.is_over and each is not self.current]

    def end_others(self) -> None:
        """End everybody else, also those of the world."""
        for task in self.others():
            task.is_ended = True
            self.wake(task)


def _number_of(task: Task) -> int:
    return task.number


def _switch_to(fiber: greenlet) -> None:
    """Let another greenlet run, until somebody switches back; which event loop runs is known by thread."""
    loop = asyncio._get_running_loop()
    if loop is None:
        fiber.switch()
        return
    hooks = sys.get_asyncgen_hooks()
    asyncio._set_running_loop(None)
    sys.set_asyncgen_hooks(None, None)
    fiber.switch()
    asyncio._set_running_loop(loop)
    sys.set_asyncgen_hooks(*hooks)
