"""Calls that may never come back."""

from __future__ import annotations

import threading

import pytest

from services.common.kafka.bounded import BoundedCalls, CallTimedOut


def test_calls_are_made_one_after_another_and_raise_what_they_raise() -> None:
    """Like calls made here."""
    calls, done = BoundedCalls("test"), []

    def fail(problem: Exception) -> None:
        raise problem

    calls.call(lambda: done.append(1), 60)
    calls.call(lambda: done.append(2), 60)
    with pytest.raises(KeyError, match="no"):
        calls.call(lambda: fail(KeyError("no")), 60)
    with pytest.raises(TimeoutError, match="its own"):
        calls.call(lambda: fail(TimeoutError("its own")), 60)
    assert done == [1, 2]
    calls.close()


def test_nobody_waits_for_ever() -> None:
    """A call that does not return in time raises, and is abandoned."""
    calls, let_go = BoundedCalls("test"), threading.Event()
    with pytest.raises(CallTimedOut, match=r"within 0\.1 s"):
        calls.call(lambda: assert_set(let_go), 0.1)
    let_go.set()
    calls.close()


def assert_set(event: threading.Event) -> None:
    """Block until the event."""
    assert event.wait(60)
