"""When a call is repeated: pauses, hints of the server, and the end of it."""

from __future__ import annotations

from itertools import pairwise

import grpc
import pytest
from hypothesis import given, strategies as st

from services.client.retries import AT_ONCE, PUSHBACK_KEY, REPEATED, Attempts, Retries

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
RETRIES = Retries(seconds=30.0, attempt_seconds=20.0, first_pause_seconds=0.1, longest_pause_seconds=1.0)


class Clock:
    """Moves when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def pauses(retries: Retries, clock: Clock) -> list[float]:
    """All pauses of a call whose every attempt fails at once."""
    attempts, found = Attempts(retries, clock), []
    while (pause := attempts.pause(UNAVAILABLE, {})) is not None:
        found.append(pause)
        clock.now += pause
    return found


@given(st.floats(0.0, 100.0))
def test_a_call_is_repeated_for_its_time(seconds: float) -> None:
    """Pauses double up to the longest, less up to half; none leads beyond the time, and they use it up."""
    found = pauses(Retries(seconds, 20.0, 0.1, 1.0), Clock())
    assert sum(found) <= seconds and (seconds <= 1.0 or sum(found) > seconds - 1.0)
    for number, pause in enumerate(found):
        full = min(1.0, 0.1 * 2**number)
        assert full / 2 <= pause <= full


def test_the_default_is_longer_than_a_failover() -> None:
    """An owner is replaced after 11 seconds, a host starts again within 4; clients do not come back all at once."""
    assert sum(pauses(Retries(), Clock())) > 25
    draws = {round(pauses(RETRIES, Clock())[0], 4) for _ in range(20)}
    assert len(draws) > 5


@pytest.mark.parametrize("status", list(grpc.StatusCode))
def test_what_a_repeat_may_cure(status: grpc.StatusCode) -> None:
    """A server that is away or stops; and one that says when to come back."""
    assert (Attempts(RETRIES).pause(status, {}) is not None) is (status in REPEATED)
    hinted = Attempts(RETRIES).pause(status, {PUSHBACK_KEY: "1500"})
    assert hinted == (1.5 if status in {*REPEATED, EXHAUSTED} else None)


@pytest.mark.parametrize("hint", ["-1", "soon", "", "1e3", "٣"])
def test_a_hint_that_forbids_a_repeat(hint: str) -> None:
    """Negative, or no number: the call is not repeated."""
    assert Attempts(RETRIES).pause(UNAVAILABLE, {PUSHBACK_KEY: hint}) is None


def test_a_hint_beyond_the_time_ends_the_call() -> None:
    """It is no use to wait for it."""
    assert Attempts(RETRIES).pause(EXHAUSTED, {PUSHBACK_KEY: "31000"}) is None
    assert Attempts(AT_ONCE).pause(EXHAUSTED, {PUSHBACK_KEY: "0"}) is None


def test_no_attempt_lasts_longer_than_the_call() -> None:
    """The first has its whole time; a repeat what is left."""
    clock = Clock()
    attempts = Attempts(RETRIES, clock)
    assert attempts.seconds() == 20.0
    clock.now += 20.0
    assert attempts.pause(grpc.StatusCode.DEADLINE_EXCEEDED, {}) is not None
    assert attempts.seconds() == 10.0


def test_progress_starts_the_time_again() -> None:
    """A stream that gave an answer is resumed as if it were new."""
    clock = Clock()
    attempts = Attempts(RETRIES, clock)
    tired = [attempts.pause(UNAVAILABLE, {}) or 0.0 for _ in range(6)]
    assert all(late > early / 2 for early, late in pairwise(tired))
    clock.now += 31.0
    assert attempts.pause(UNAVAILABLE, {}) is None
    attempts.restart()
    pause = attempts.pause(UNAVAILABLE, {})
    assert pause is not None and pause <= 0.1 and attempts.seconds() == 20.0
