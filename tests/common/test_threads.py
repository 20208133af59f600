"""Threads that must not end unnoticed."""

from __future__ import annotations

import pytest

from services.common.process import threads
from services.common.process.threads import ServiceThread, failed_threads


@pytest.fixture(autouse=True)
def no_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails here is forgotten afterwards."""
    monkeypatch.setattr(threads, "_failed", [])


def test_an_error_that_ends_a_thread_is_kept() -> None:
    """The thread is named for good, so that its process can end."""

    def work(text: str) -> None:
        raise ValueError(text)

    thread = ServiceThread("reader", work, "broken")
    thread.start()
    thread.join()
    assert failed_threads() == ("reader",)


def test_a_thread_that_does_its_work_is_no_failure() -> None:
    """It ends when it was asked to."""
    done: list[int] = []
    thread = ServiceThread("reader", done.append, 1)
    thread.start()
    thread.join()
    assert (done, failed_threads()) == ([1], ())
