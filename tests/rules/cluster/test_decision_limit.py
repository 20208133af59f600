"""The limit of a decision's processor time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from services.rules.cluster.decision_limit import DecisionLimit
from tests.rules.cluster.harness import SECONDS

LIMIT_SECONDS = 0.3
LONG_LIMIT_SECONDS = 2.0
Exceeded = SimpleQueue[tuple[int, int]]


@pytest.fixture
def exceeded() -> Exceeded:
    """The commands that exceeded the limit."""
    return SimpleQueue()


@pytest.fixture
def limit(exceeded: Exceeded) -> Iterator[DecisionLimit]:
    """A short limit."""
    limit = DecisionLimit(LIMIT_SECONDS, lambda *command: exceeded.put(command))
    limit.start()
    yield limit
    limit.close()


def test_a_decision_that_comes_to_no_end_is_reported(limit: DecisionLimit, exceeded: Exceeded) -> None:
    """While it goes on."""
    with limit.over(2, 7):
        end = time.monotonic() + SECONDS
        while exceeded.empty():
            assert time.monotonic() < end
    assert exceeded.get() == (2, 7)


def test_a_decision_that_waits_is_not(limit: DecisionLimit, exceeded: Exceeded) -> None:
    """A disk that is slow is no fault of the command; one after it that computes on and on is reported."""
    with limit.over(0, 1):
        threading.Event().wait(3 * LIMIT_SECONDS)
    test_a_decision_that_comes_to_no_end_is_reported(limit, exceeded)


def test_on_a_starved_machine_less_processor_time_is_enough(exceeded: Exceeded) -> None:
    """Else the watchdog ends the process first, and its successors take it for a death like any other."""
    limit = DecisionLimit(LONG_LIMIT_SECONDS, lambda *command: exceeded.put(command), starved_seconds=0.0)
    limit.start()
    begun = time.thread_time()
    test_a_decision_that_comes_to_no_end_is_reported(limit, exceeded)
    assert time.thread_time() - begun < LONG_LIMIT_SECONDS
    limit.close()
