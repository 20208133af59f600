"""Calls of a client library that may never come back, made in a thread that nobody waits for longer than is sensible."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue

from services.common.errors import SignalboxError


class CallTimedOut(SignalboxError):
    """A call takes so long that it has to be taken for lost, with everything that it holds."""


class BoundedCalls:
    """A thread that makes calls one after another, from the first on. After `CallTimedOut` it is of no use any more."""

    def __init__(self, name: str) -> None:
        self._waiting: SimpleQueue[tuple[Callable[[], None], Future[None]] | None] = SimpleQueue()
        self._name = name
        self._thread: threading.Thread | None = None

    def call(self, step: Callable[[], None], seconds: float) -> None:
        """Make the call and raise what it raises, or `CallTimedOut`."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        done: Future[None] = Future()
        self._waiting.put((step, done))
        try:
            done.result(seconds)
        except TimeoutError:
            if done.done():
                raise
            raise CallTimedOut(f"a call has not come back within {seconds:g} s") from None

    def close(self) -> None:
        """Let the thread end, as soon as it is through."""
        self._waiting.put(None)

    def _work(self) -> None:
        while (given := self._waiting.get()) is not None:
            step, done = given
            try:
                step()
            except BaseException as problem:
                done.set_exception(problem)
            else:
                done.set_result(None)
