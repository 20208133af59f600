"""A process whose work stands still becomes unhealthy, and ends when that does not pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

import pytest

from services.common.process import threads
from services.common.process.exit_on_timeout import EXIT_HUNG
from services.common.process.threads import ServiceThread
from services.host import watchdog as watchdog_module
from services.host.watchdog import Watchdog

SECONDS = 60.0
NEVER = 3600.0


class Work:
    """Work that stands still for `problem`."""

    def __init__(self) -> None:
        self.problem = ""

    def stalled(self) -> str:
        return self.problem

    def state(self) -> Mapping[str, object]:
        return {"partitions": 3}


@pytest.fixture
def work() -> Work:
    """Work that moves on."""
    return Work()


@pytest.fixture
def codes() -> list[int]:
    """The codes with which the process was ended."""
    return []


@pytest.fixture
def watch(
    work: Work, codes: list[int], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[float], Watchdog]]:
    """Starts a watchdog of this work, with so many seconds to recover."""
    monkeypatch.setattr(watchdog_module, "LOOK_EVERY_SECONDS", 0.01)
    monkeypatch.setattr(threads, "_failed", [])
    started: list[Watchdog] = []

    def begin(recovery_seconds: float) -> Watchdog:
        started.append(Watchdog(lambda: work, recovery_seconds, codes.append))
        started[-1].start()
        return started[-1]

    yield begin
    for each in started:
        each.stop()


def until(holds: Callable[[], bool]) -> None:
    """Wait for what the watchdog's thread brings about."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.01)


def test_health_follows_the_work(watch: Callable[[float], Watchdog], work: Work, codes: list[int]) -> None:
    """Unhealthy while it stands still, healthy again when it moves on; nothing ends."""
    watched = watch(NEVER)
    assert watched.is_healthy
    work.problem = "no command for 31 s"
    until(lambda: not watched.is_healthy)
    work.problem = ""
    until(lambda: watched.is_healthy)
    assert codes == []


def test_what_does_not_recover_ends(
    watch: Callable[[float], Watchdog],
    work: Work,
    codes: list[int],
    capfd: pytest.CaptureFixture[str],
    logged: list[MutableMapping[str, Any]],
) -> None:
    """Once, with a code of its own, and with the stacks of all threads and the state of the work in the log."""
    work.problem = "no command for 31 s"
    watch(0.05)
    until(lambda: bool(codes))
    assert codes == [EXIT_HUNG]
    assert [(line["problem"], line["state"]) for line in logged if "problem" in line] == 2 * [
        (work.problem, work.state())
    ]
    assert "test_what_does_not_recover_ends" in capfd.readouterr().err


def test_a_thread_that_failed_ends_the_process(watch: Callable[[float], Watchdog], codes: list[int]) -> None:
    """At once: it does not come back."""
    watch(NEVER)
    failing = ServiceThread("reader", lambda: 1 / 0)
    failing.start()
    until(lambda: bool(codes))
    assert codes == [EXIT_HUNG]


def test_a_process_without_work_to_judge_is_healthy(codes: list[int]) -> None:
    """While it starts there is no work yet, and `stop` is harmless without `start`."""
    watched = Watchdog(lambda: None, 0.0, codes.append)
    watched.stop()
    assert watched.is_healthy
