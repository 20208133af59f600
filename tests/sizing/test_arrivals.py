"""Commands are due by the clock, whatever became of those before."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, strategies as st

from services.bench.arrivals import Arrivals


class Clock:
    """A clock that is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_times_do_not_wait_for_anybody() -> None:
    """One who comes late gets the time that was due, not the present one: the wait counts."""
    clock = Clock()
    arrivals = Arrivals(10, 0.0, 1.0, clock)
    assert arrivals.next() == 0.0
    clock.now = 0.75
    assert [arrivals.next(), arrivals.next()] == pytest.approx([0.1, 0.2])


def test_what_nobody_took_is_told() -> None:
    """When the time is over no command begins, and those that were due before are known."""
    clock = Clock()
    arrivals = Arrivals(4, 0.0, 1.0, clock)
    arrivals.next()
    clock.now = 1.0
    assert arrivals.next() is None
    assert arrivals.left() == pytest.approx([0.25, 0.5, 0.75])


def test_an_early_end_leaves_nothing_behind_it() -> None:
    """After `end_now` only what was due until then counts as left."""
    clock = Clock()
    arrivals = Arrivals(4, 0.0, 100.0, clock)
    clock.now = 0.6
    arrivals.end_now()
    assert arrivals.next() is None
    assert arrivals.left() == pytest.approx([0.0, 0.25, 0.5])


def test_without_a_rate_each_is_due_when_asked_for() -> None:
    """The rate 0 is as fast as callers are answered."""
    clock = Clock()
    arrivals = Arrivals(0, 0.0, 1.0, clock)
    clock.now = 0.4
    assert arrivals.next() == 0.4
    clock.now = 1.0
    assert (arrivals.next(), arrivals.left()) == (None, [])


@given(rate=st.floats(0.5, 500), seconds=st.floats(0.0, 3.0))
def test_taken_and_left_are_all(rate: float, seconds: float) -> None:
    """Every time is given out once, in order, whatever the rate."""
    clock = Clock()
    arrivals = Arrivals(rate, 0.0, seconds, clock)
    whole = arrivals.left()
    taken = []
    while (due := arrivals.next()) is not None:
        taken.append(due)
    assert taken == whole == sorted(set(whole))
    assert len(whole) == pytest.approx(rate * seconds, abs=1)


def test_two_callers_never_get_the_same_time() -> None:
    """Many threads share the times."""
    arrivals = Arrivals(1000, 0.0, 1.0, lambda: 0.0)
    taken: list[float] = []

    def take() -> None:
        while (due := arrivals.next()) is not None:
            taken.append(due)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == len(set(taken)) == 1000


def test_times_that_make_no_sense_are_refused() -> None:
    """No rate below nothing, no end before the start."""
    with pytest.raises(ValueError, match="-1 a second"):
        Arrivals(-1, 0.0, 1.0, Clock())
    with pytest.raises(ValueError, match="from 1"):
        Arrivals(1, 1.0, 0.0, Clock())
