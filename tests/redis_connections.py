"""Connections to the Redis of the tests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry

from services.common.redis.connection import RedisConnection
from services.common.redis.settings import RedisSettings

PATIENT_SECONDS = 30.0
DEADLINE_SECONDS = 60.0
FORGET = "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end return 1"


@contextmanager
def connected(
    address: str,
    prefix: str,
    timeout_seconds: float = PATIENT_SECONDS,
    registry: CollectorRegistry | None = None,
) -> Iterator[RedisConnection]:
    """A connection that waits long for a busy machine, so that a test sees what Redis says and nothing else."""
    settings = RedisSettings(
        address=address, key_prefix=prefix, timeout_seconds=timeout_seconds, connections=2
    )
    connection = RedisConnection(settings, registry)
    connection.start()
    try:
        yield connection
    finally:
        connection.close()


def forget_all(connection: RedisConnection) -> None:
    """What FLUSHALL does, to the keys of this connection alone: all of them at once."""
    prefix = connection.settings.key_prefix
    assert connection.ask(lambda redis: bool(redis.eval(FORGET, 0, prefix + "*")), otherwise=False)


def wait_until(holds: Callable[[], bool], seconds: float = DEADLINE_SECONDS) -> None:
    """Block until something holds; fails after so many seconds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.005)
