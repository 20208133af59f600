"""Wake-ups, presence and wrong passwords over all replicas of the lobby, in Redis."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from devtools.brokers.opening import open_redis
from services.common.clock import ManualClock
from services.common.redis.connection import RedisConnection
from services.lobby.adapters.redis_attempt_limit import RedisAttemptLimit
from services.lobby.adapters.redis_presence import RedisPresence
from services.lobby.adapters.redis_wake_ups import RedisWakeUps
from services.lobby.ports import AttemptLimiter, Presence, WakeUps
from tests.contracts.attempt_limiter_contract import SLOW, AttemptLimiterContract
from tests.contracts.wake_ups_contract import PresenceContract, WakeUpsContract
from tests.redis_connections import connected, wait_until

pytestmark = pytest.mark.integration


@pytest.fixture
def connection(redis_address: str, redis_prefix: str) -> Iterator[RedisConnection]:
    """A way to Redis."""
    with connected(redis_address, redis_prefix) as connection:
        yield connection


class TestRedisWakeUps(WakeUpsContract):
    """In a sorted set."""

    @pytest.fixture
    def wake_ups(self, connection: RedisConnection) -> WakeUps:
        """None set."""
        return RedisWakeUps(connection)

    def test_two_replicas_never_get_the_same(self, wake_ups: WakeUps) -> None:
        """Asked for at the same time, each key is handed out once."""
        for number in range(200):
            wake_ups.set(f"g{number}", number)
        with ThreadPoolExecutor(2) as threads:
            taken = list(threads.map(lambda _: wake_ups.due(1_000, 10), range(40)))
        keys = [key for batch in taken for key in batch]
        assert sorted(keys) == sorted(f"g{number}" for number in range(200))


class TestRedisPresence(PresenceContract):
    """In keys that go by themselves."""

    @pytest.fixture
    def presence(self, connection: RedisConnection, clock: ManualClock) -> Presence:
        """Nobody seen."""
        return RedisPresence(connection, clock)

    def test_replicas_see_each_others_players(
        self, presence: Presence, connection: RedisConnection, clock: ManualClock
    ) -> None:
        """Who was seen at one is online for the other."""
        presence.seen("ann")
        assert RedisPresence(connection, clock).online(["bob", "ann"]) == {"ann"}


class TestRedisAttemptLimit(AttemptLimiterContract):
    """In keys that go by themselves."""

    @pytest.fixture
    def limiter(self, connection: RedisConnection) -> AttemptLimiter:
        """No attempts."""
        return RedisAttemptLimit(connection)

    def test_replicas_count_together(self, limiter: AttemptLimiter, connection: RedisConnection) -> None:
        """Going from one replica to the other gives a guesser nothing; at once or one after the other."""
        other = RedisAttemptLimit(connection)
        with ThreadPoolExecutor(8) as threads:
            waits = list(threads.map(lambda n: (limiter, other)[n % 2].begin("ann", SLOW), range(64)))
        assert waits.count(0) == SLOW.free
        assert RedisAttemptLimit(connection).begin("ann", SLOW) > 0
        other.take_back("ann", SLOW)
        assert limiter.begin("ann", SLOW) == 0

    def test_names_are_not_sent_to_redis(self, limiter: AttemptLimiter, connection: RedisConnection) -> None:
        """A password typed into the name field is not stored in Redis, and the counts go by themselves."""
        limiter.begin("correct horse battery", SLOW)
        keys = connection.ask(lambda redis: redis.keys(connection.key("*")), otherwise=None)
        assert keys is not None
        assert len(keys) == 1
        assert b"horse" not in keys[0]
        left_ms = connection.ask(lambda redis: redis.pttl(keys[0]), otherwise=0)
        assert 0 < left_ms <= SLOW.forget_ms

    def test_a_foreign_value_counts_as_no_attempt(
        self, limiter: AttemptLimiter, connection: RedisConnection
    ) -> None:
        """What cannot be read is replaced."""
        limiter.begin("ann", SLOW)
        keys = connection.ask(lambda redis: redis.keys(connection.key("*")), otherwise=None)
        assert keys is not None
        connection.ask(lambda redis: redis.set(keys[0], b"soap"), otherwise=None)
        assert RedisAttemptLimit(connection).begin("ann", SLOW) == 0


def test_redis_may_lose_everything_and_go_down(tmp_path: Path, clock: ManualClock) -> None:
    """After FLUSHALL, and without Redis, each port still answers: what this replica saw itself, and no wake-ups."""
    with (
        open_redis(tmp_path / "redis", is_own=True) as server,
        connected(server.address, "x:") as connection,
    ):
        wake_ups = RedisWakeUps(connection)
        presence = RedisPresence(connection, clock)
        limiter = RedisAttemptLimit(connection)
        for disturb in (server.flush, server.kill):
            wake_ups.set("g1", 1_000)
            presence.seen("ann")
            for _ in range(SLOW.free):
                limiter.begin("ann", SLOW)
            disturb()
            assert wake_ups.due(2_000) == []
            assert presence.online(["ann", "bob"]) == {"ann"}
            assert limiter.begin("ann", SLOW) > 0
            limiter.forget("bob")
            assert limiter.begin("bob", SLOW) == 0
        wake_ups.set("g2", 1_000)
        wake_ups.drop("g2")
        limiter.forget("ann")
        assert limiter.begin("ann", SLOW) == 0
        server.start()
        wait_until(lambda: connection.is_up)
        wake_ups.set("g3", 1_000)
        assert wake_ups.due(2_000) == ["g3"]
