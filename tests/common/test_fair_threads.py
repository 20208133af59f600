"""Threads shared by callers: what a job holds is given back once, and not before the job is over."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from services.common.grpc.fair_threads import FairThreads


async def until(is_so: Event) -> None:
    """Wait for another thread."""
    await asyncio.get_running_loop().run_in_executor(None, is_so.wait)


def test_a_job_that_is_left_is_waited_for() -> None:
    """Cancelled while it works: given back when the work has come to its end."""
    began, released = Event(), Event()

    def work() -> None:
        began.set()
        released.wait()

    async def run() -> None:
        threads, left = FairThreads(1, 1), asyncio.Event()
        job = asyncio.ensure_future(threads.run("ann", work, left.set))
        await until(began)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        assert not left.is_set()
        released.set()
        await asyncio.wait_for(left.wait(), 60)

    asyncio.run(run())


def test_a_job_that_is_left_in_the_line_is_given_up_at_once() -> None:
    """It never begins."""
    began, released, ran = Event(), Event(), Event()

    def work() -> None:
        began.set()
        released.wait()

    async def run() -> None:
        threads, left = FairThreads(1, 1), asyncio.Event()
        first = asyncio.ensure_future(threads.run("ann", work))
        second = asyncio.ensure_future(threads.run("bob", ran.set, left.set))
        await until(began)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        assert left.is_set() and threads.waiting == 0
        released.set()
        await first
        assert not ran.is_set()

    asyncio.run(run())


def test_what_a_job_holds_stays_with_who_waits_for_it() -> None:
    """Who gets the result or the error gives back."""

    async def run() -> None:
        threads, left = FairThreads(1, 1), asyncio.Event()
        assert await threads.run("ann", lambda: 7, left.set) == 7
        with pytest.raises(ZeroDivisionError):
            await threads.run("ann", lambda: 1 // 0, left.set)
        assert not left.is_set()

    asyncio.run(run())
