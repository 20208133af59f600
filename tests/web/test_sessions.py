"""Sessions that were signed out, in all web processes that share a Redis."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from services.web.sessions import OwnEndedSessions
from services.web.shared_sessions import SharedEndedSessions
from tests.redis_connections import connected, forget_all

pytestmark = pytest.mark.integration

LATER = time.time() + 3_600.0
ONE, OTHER = "Bearer one", "Bearer other"


def test_what_has_ended_by_itself_is_forgotten() -> None:
    """Its token is refused in any case."""
    sessions = OwnEndedSessions()
    asyncio.run(sessions.end(ONE, time.time() - 1.0))
    asyncio.run(sessions.end(OTHER, LATER))
    assert len(sessions.ended) == 1
    assert asyncio.run(sessions.among([ONE, OTHER])) == [OTHER]


def test_other_processes_know(redis_address: str, redis_prefix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those and no others; what a Redis lost that came back empty is written again. No token stands in Redis."""
    with connected(redis_address, redis_prefix) as redis, connected(redis_address, redis_prefix) as also:
        returned: list[Callable[[], None]] = []
        monkeypatch.setattr(redis, "on_return", returned.append)
        here, there = SharedEndedSessions(redis), SharedEndedSessions(also)
        asyncio.run(here.end(ONE, LATER))
        assert set(asyncio.run(there.among([ONE, OTHER]))) == {ONE}
        keys = redis.ask(lambda client: str(client.keys(redis.key("*"))), otherwise="")
        assert "signed-out" in keys and ONE not in keys
        forget_all(redis)
        assert set(asyncio.run(there.among([ONE]))) == set()
        (write_again,) = returned
        write_again()
        assert set(asyncio.run(here.among([ONE]))) == {ONE}
        assert set(asyncio.run(there.among([ONE]))) == {ONE}


def test_without_redis_a_process_knows_its_own() -> None:
    """Nothing waits for it."""
    with connected("127.0.0.1:1", "signalbox-test:") as redis:
        sessions = SharedEndedSessions(redis)
        asyncio.run(sessions.end(ONE, LATER))
        assert set(asyncio.run(sessions.among([ONE, OTHER]))) == {ONE}
