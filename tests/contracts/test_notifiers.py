"""The notifier of one process and the one over Redis keep one contract; what only Redis has to fear comes after."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from devtools.brokers.opening import open_redis
from devtools.brokers.redis import RedisServer
from services.common.notifier import LocalNotifier, Notifier, Subscriber
from services.common.redis.notifier import RedisNotifier
from tests.redis_connections import PATIENT_SECONDS, connected, wait_until

NOTIFY_SECONDS = 60.0
# What blocked would last at least twice as long.
QUICK_SECONDS = 10.0


def is_notified(subscriber: Subscriber, seconds: float = NOTIFY_SECONDS) -> bool:
    """Whether a notification arrives in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if subscriber.wait():
            return True
    return False


class NotifierContract:
    """Needs fixtures `here` and `there`: two notifiers, each of which receives what the other publishes."""

    def test_subscribers_are_notified(self, here: Notifier, there: Notifier) -> None:
        """A notification arrives here and there, for that topic only."""
        with here.subscribe("g1") as near, there.subscribe("g1") as far, there.subscribe("g2") as other:
            for subscriber in (near, far, other):
                subscriber.clear()
            here.publish("g1")
            assert is_notified(near)
            assert is_notified(far)
            assert not other.wait()

    def test_a_notification_since_clear_is_not_missed(self, here: Notifier) -> None:
        """A notification between `clear` and `wait` ends the wait at once; an older one does not."""
        with here.subscribe("g1") as subscriber:
            here.publish("g1")
            subscriber.clear()
            assert not subscriber.wait()
            here.publish("g1")
            assert subscriber.wait()

    def test_every_notification_of_many_arrives(self, here: Notifier, there: Notifier) -> None:
        """Notifications of many topics at once arrive for all of them."""
        topics = [f"game {number}" for number in range(300)]
        with ExitStack() as stack:
            subscribers = [stack.enter_context(there.subscribe(topic)) for topic in topics]
            for subscriber in subscribers:
                subscriber.clear()
            for topic in topics:
                here.publish(topic)
            assert all(is_notified(subscriber) for subscriber in subscribers)

    def test_closing_notifies_for_the_last_time(self, here: Notifier) -> None:
        """Waiting subscribers return; closing again is harmless."""
        assert not here.closed
        with here.subscribe("g1") as subscriber:
            subscriber.clear()
            here.close()
            assert subscriber.wait()
        here.close()
        assert here.closed


class TestLocalNotifier(NotifierContract):
    """In one process."""

    @pytest.fixture
    def here(self) -> Notifier:
        """A notifier."""
        return LocalNotifier()

    @pytest.fixture
    def there(self, here: Notifier) -> Notifier:
        """The same."""
        return here


@contextmanager
def connected_notifier(
    address: str, prefix: str, timeout_seconds: float = PATIENT_SECONDS
) -> Iterator[RedisNotifier]:
    """A notifier that hears others."""
    with connected(address, prefix, timeout_seconds) as connection:
        notifier = RedisNotifier(connection)
        notifier.start()
        try:
            assert notifier.wait_subscribed(NOTIFY_SECONDS)
            yield notifier
        finally:
            notifier.close()


@pytest.mark.integration
class TestRedisNotifier(NotifierContract):
    """In two processes with one Redis."""

    @pytest.fixture
    def here(self, redis_address: str, redis_prefix: str) -> Iterator[Notifier]:
        """The notifier of one."""
        with connected_notifier(redis_address, redis_prefix) as notifier:
            yield notifier

    @pytest.fixture
    def there(self, redis_address: str, redis_prefix: str, here: Notifier) -> Iterator[Notifier]:
        """The notifier of another process. A new subscriber notifies all topics, which has to be over."""
        with connected_notifier(redis_address, redis_prefix) as notifier:
            with notifier.subscribe("settled") as subscriber:
                subscriber.clear()
                here.publish("settled")
                assert is_notified(subscriber)
            yield notifier


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis to be killed."""
    with open_redis(tmp_path / "redis", is_own=True) as server:
        yield server


@pytest.mark.integration
def test_a_lost_connection_notifies_all_topics(own_redis: RedisServer) -> None:
    """News may have been missed while Redis was away: when it is back all subscribers look, and hear as before."""
    with (
        connected_notifier(own_redis.address, "x:") as here,
        connected_notifier(own_redis.address, "x:") as there,
        there.subscribe("g1") as subscriber,
    ):
        own_redis.kill()
        wait_until(lambda: not there.wait_subscribed(0))
        here.publish("g1")
        subscriber.clear()
        own_redis.start()
        assert is_notified(subscriber)
        assert there.wait_subscribed(NOTIFY_SECONDS)
        assert here.wait_subscribed(NOTIFY_SECONDS)
        subscriber.clear()
        here.publish("g1")
        assert is_notified(subscriber)


@pytest.mark.integration
def test_publish_never_blocks(own_redis: RedisServer) -> None:
    """With a Redis that hangs, and with none, `publish` returns at once and notifies this process."""
    with (
        connected_notifier(own_redis.address, "x:", timeout_seconds=2 * QUICK_SECONDS) as notifier,
        notifier.subscribe("g1") as subscriber,
    ):
        for disturb in (own_redis.pause, own_redis.kill):
            disturb()
            slowest = 0.0
            for _ in range(50):
                subscriber.clear()
                began = time.perf_counter()
                notifier.publish("g1")
                slowest = max(slowest, time.perf_counter() - began)
                assert subscriber.wait()
            assert slowest < QUICK_SECONDS


@pytest.mark.integration
def test_flushing_redis_loses_no_notification(own_redis: RedisServer) -> None:
    """FLUSHALL between notifications: every subscriber still gets every topic."""
    with (
        connected_notifier(own_redis.address, "x:") as here,
        connected_notifier(own_redis.address, "x:") as there,
    ):
        stopping = threading.Event()

        def flush() -> None:
            while not stopping.is_set():
                own_redis.flush()

        flusher = threading.Thread(target=flush)
        flusher.start()
        try:
            for number in range(50):
                with there.subscribe(f"g{number}") as subscriber:
                    here.publish(f"g{number}")
                    assert is_notified(subscriber)
        finally:
            stopping.set()
            flusher.join()
