"""Work that is repeated in a thread of its own."""

from __future__ import annotations

import threading
import time

from services.common.process.repeating import RepeatingThread


def test_it_goes_on_until_it_is_closed() -> None:
    """No call begins after `close`."""
    calls, enough = [0], threading.Event()

    def look() -> None:
        calls[0] += 1
        if calls[0] == 3:
            enough.set()

    repeating = RepeatingThread("test", look, 0.001)
    repeating.start()
    assert enough.wait(60)
    repeating.close()
    seen = calls[0]
    time.sleep(0.05)
    assert calls[0] == seen and repeating.is_closing
    repeating.close()


def test_it_begins_with_a_pause_unless_told_otherwise() -> None:
    """And the pause ends when it is closed."""
    began: list[str] = []
    is_called = threading.Event()

    def look() -> None:
        began.append("at once")
        is_called.set()

    waiting = RepeatingThread("waits", lambda: began.append("waits"), 3600)
    at_once = RepeatingThread("at once", look, 3600, begins_at_once=True)
    for each in (waiting, at_once):
        each.start()
    assert is_called.wait(60)
    for each in (waiting, at_once):
        each.close()
    assert began == ["at once"]


def test_it_may_be_closed_before_it_begins() -> None:
    """Nothing is called then."""
    called: list[int] = []
    repeating = RepeatingThread("test", lambda: called.append(1), 0.001, begins_at_once=True)
    repeating.close()
    repeating.start()
    repeating.close()
    assert called == []


def test_a_long_call_can_see_that_it_is_to_end() -> None:
    """And `close` waits for it."""
    ended: list[bool] = []
    is_called = threading.Event()

    def look() -> None:
        is_called.set()
        while not repeating.is_closing:
            time.sleep(0.001)
        ended.append(True)

    repeating = RepeatingThread("test", look, 0.001)
    repeating.start()
    assert is_called.wait(60)
    repeating.close()
    assert ended == [True]
