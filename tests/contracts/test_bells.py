"""The bell of one process and the one over Redis keep one contract; what only Redis has to fear comes after."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from services.common.notifier import Bell, Listener, LocalBell
from services.common.redis.bell import RedisBell
from services.host.brokers.opening import open_redis
from services.host.brokers.redis import RedisServer
from tests.redis_connections import PATIENT_SECONDS, connected, wait_until

HEARING_SECONDS = 10.0
QUICK_SECONDS = 0.5


def rings(listener: Listener, seconds: float = HEARING_SECONDS) -> bool:
    """Whether it rings in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if listener.wait():
            return True
    return False


class BellContract:
    """Needs fixtures `here` and `there`: two bells of which each hears what the other announces."""

    def test_whoever_listens_is_rung(self, here: Bell, there: Bell) -> None:
        """An announcement rings here and there, for that topic only."""
        with here.listening("g1") as near, there.listening("g1") as far, there.listening("g2") as other:
            for listener in (near, far, other):
                listener.expect()
            here.announce("g1")
            assert rings(near)
            assert rings(far)
            assert not other.wait()

    def test_what_was_rung_since_expecting_is_not_missed(self, here: Bell) -> None:
        """News between looking and waiting end the wait at once; older ones do not."""
        with here.listening("g1") as listener:
            here.announce("g1")
            listener.expect()
            assert not listener.wait()
            here.announce("g1")
            assert listener.wait()

    def test_every_announcement_of_many_arrives(self, here: Bell, there: Bell) -> None:
        """Announcements of many topics at once ring for all of them."""
        topics = [f"game {number}" for number in range(300)]
        with ExitStack() as stack:
            listeners = [stack.enter_context(there.listening(topic)) for topic in topics]
            for listener in listeners:
                listener.expect()
            for topic in topics:
                here.announce(topic)
            assert all(rings(listener) for listener in listeners)

    def test_closing_rings_for_the_last_time(self, here: Bell) -> None:
        """Whoever waits is let go; closing again is harmless."""
        assert not here.closed
        with here.listening("g1") as listener:
            listener.expect()
            here.close()
            assert listener.wait()
        here.close()
        assert here.closed


class TestLocalBell(BellContract):
    """In one process."""

    @pytest.fixture
    def here(self) -> Bell:
        """A bell."""
        return LocalBell()

    @pytest.fixture
    def there(self, here: Bell) -> Bell:
        """The same."""
        return here


@contextmanager
def hearing(address: str, prefix: str, timeout_seconds: float = PATIENT_SECONDS) -> Iterator[RedisBell]:
    """A bell that hears others."""
    with connected(address, prefix, timeout_seconds) as connection:
        bell = RedisBell(connection)
        bell.start()
        try:
            assert bell.wait_hearing(HEARING_SECONDS)
            yield bell
        finally:
            bell.close()


@pytest.mark.integration
class TestRedisBell(BellContract):
    """In two processes with one Redis."""

    @pytest.fixture
    def here(self, redis_address: str, redis_prefix: str) -> Iterator[Bell]:
        """The bell of one."""
        with hearing(redis_address, redis_prefix) as bell:
            yield bell

    @pytest.fixture
    def there(self, redis_address: str, redis_prefix: str, here: Bell) -> Iterator[Bell]:
        """The bell of the other. Whoever comes rings for everybody, so that has to be over."""
        with hearing(redis_address, redis_prefix) as bell:
            with bell.listening("settled") as listener:
                listener.expect()
                here.announce("settled")
                assert rings(listener)
            yield bell


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis to be killed."""
    with open_redis(tmp_path / "redis", is_own=True) as server:
        yield server


@pytest.mark.integration
def test_a_lost_connection_rings_for_everybody(own_redis: RedisServer) -> None:
    """News may have been missed while Redis was away: when it is back all listeners look, and hear as before."""
    with (
        hearing(own_redis.address, "x:") as here,
        hearing(own_redis.address, "x:") as there,
        there.listening("g1") as listener,
    ):
        own_redis.kill()
        wait_until(lambda: not there.wait_hearing(0))
        here.announce("g1")
        listener.expect()
        own_redis.start()
        assert rings(listener)
        assert there.wait_hearing(HEARING_SECONDS)
        assert here.wait_hearing(HEARING_SECONDS)
        listener.expect()
        here.announce("g1")
        assert rings(listener)


@pytest.mark.integration
def test_an_announcement_never_waits(own_redis: RedisServer) -> None:
    """With a Redis that stands still, and with none, announcing takes no time and rings here."""
    with hearing(own_redis.address, "x:", timeout_seconds=2.0) as bell, bell.listening("g1") as listener:
        for disturb in (own_redis.pause, own_redis.kill):
            disturb()
            slowest = 0.0
            for _ in range(50):
                listener.expect()
                began = time.perf_counter()
                bell.announce("g1")
                slowest = max(slowest, time.perf_counter() - began)
                assert listener.wait()
            assert slowest < QUICK_SECONDS


@pytest.mark.integration
def test_flushing_redis_costs_no_ring(own_redis: RedisServer) -> None:
    """FLUSHALL between announcements: every listener still hears every topic."""
    with hearing(own_redis.address, "x:") as here, hearing(own_redis.address, "x:") as there:
        stopping = threading.Event()

        def flush() -> None:
            while not stopping.is_set():
                own_redis.flush()

        flusher = threading.Thread(target=flush)
        flusher.start()
        try:
            for number in range(50):
                with there.listening(f"g{number}") as listener:
                    here.announce(f"g{number}")
                    assert rings(listener)
        finally:
            stopping.set()
            flusher.join()
