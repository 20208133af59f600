"""The rate limit of one process and the one in Redis keep one contract."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from devtools.brokers.opening import open_redis
from services.common.grpc.rate_limit import KEYS_MAX, Allowance, MemoryRateLimit, RateLimit
from services.common.redis.rate_limit import RedisRateLimit
from tests.redis_connections import connected, wait_until

SLOW = Allowance(per_second=0.01, burst=3)
FAST = Allowance(per_second=20.0, burst=1)


class RateLimitContract:
    """Needs a fixture `limit` under which nothing was counted."""

    def test_a_burst_passes_and_no_more(self, limit: RateLimit) -> None:
        """Three at once, then one in a hundred seconds; a rejected call uses nothing up."""
        assert [limit.take("ann", SLOW) for _ in range(3)] == [0.0, 0.0, 0.0]
        for _ in range(3):
            assert 90 < limit.take("ann", SLOW) <= 100

    def test_keys_do_not_share(self, limit: RateLimit) -> None:
        """Somebody else's calls are not counted."""
        for _ in range(4):
            limit.take("ann", SLOW)
        assert limit.take("bob", SLOW) == 0.0

    def test_waiting_helps(self, limit: RateLimit) -> None:
        """After the returned time it may be done again."""
        assert limit.take("ann", FAST) == 0.0
        wait_until(lambda: limit.take("ann", FAST) == 0.0)

    def test_no_more_pass_than_time_allows(self, limit: RateLimit) -> None:
        """Many threads at once get the burst and what the time between yields, and that they do get."""
        allowance = Allowance(per_second=200.0, burst=5)
        began = time.monotonic()
        with ThreadPoolExecutor(4) as threads:
            waits = list(threads.map(lambda _: limit.take("ann", allowance), range(400)))
        passed = sum(wait == 0.0 for wait in waits)
        most = 5 + (time.monotonic() - began) * 200 + 1
        assert 5 <= passed <= most


class TestMemoryRateLimit(RateLimitContract):
    """In a dict."""

    @pytest.fixture
    def limit(self) -> RateLimit:
        """Nothing counted."""
        return MemoryRateLimit()

    def test_memory_is_bounded(self) -> None:
        """However many keys are tried, only the latest are kept."""
        limit = MemoryRateLimit()
        for number in range(KEYS_MAX + 10):
            limit.take(str(number), SLOW)
        assert len(limit._buckets) == KEYS_MAX

    def test_a_clock_that_goes_back_lets_nobody_wait_longer(self) -> None:
        """The time before the jump is counted anew."""
        now = [1000.0]
        limit = MemoryRateLimit(lambda: now[0])
        for _ in range(3):
            limit.take("ann", SLOW)
        now[0] = 10.0
        assert 90 < limit.take("ann", SLOW) <= 100
        now[0] = 110.0
        assert limit.take("ann", SLOW) == 0.0


@pytest.mark.integration
class TestRedisRateLimit(RateLimitContract):
    """In Redis."""

    @pytest.fixture
    def limit(self, redis_address: str, redis_prefix: str) -> Iterator[RateLimit]:
        """Nothing counted."""
        with connected(redis_address, redis_prefix) as connection:
            yield RedisRateLimit(connection)

    def test_replicas_count_together(self, limit: RateLimit, redis_address: str, redis_prefix: str) -> None:
        """What passed at one replica is used up at the other."""
        with connected(redis_address, redis_prefix) as connection:
            other = RedisRateLimit(connection)
            assert [limit.take("ann", SLOW), other.take("ann", SLOW), limit.take("ann", SLOW)] == [0.0] * 3
            assert other.take("ann", SLOW) > 0

    def test_a_foreign_value_holds_nobody_up(
        self, limit: RateLimit, redis_address: str, redis_prefix: str
    ) -> None:
        """Whatever stands where the bucket belongs, somebody new may begin."""
        with connected(redis_address, redis_prefix) as connection:
            connection.ask(lambda redis: redis.set(connection.key("rate", "ann"), b"soap"), None)
            connection.ask(lambda redis: redis.lpush(connection.key("rate", "bob"), b"soap"), None)
            assert limit.take("ann", SLOW) == 0.0
            assert limit.take("bob", SLOW) == 0.0

    def test_idle_buckets_go(self, limit: RateLimit, redis_address: str, redis_prefix: str) -> None:
        """A bucket stays in Redis no longer than it takes to fill."""
        limit.take("ann", SLOW)
        with connected(redis_address, redis_prefix) as connection:
            left = connection.ask(lambda redis: redis.pttl(connection.key("rate", "ann")), None)
            assert left is not None
            assert 0 < left <= 101_000


@pytest.mark.integration
def test_without_redis_every_process_counts_for_itself(tmp_path: Path) -> None:
    """Flushed, scripts forgotten, killed: nothing fails, and a limit stays a limit."""
    with (
        open_redis(tmp_path / "redis", is_own=True) as server,
        connected(server.address, "x:") as connection,
    ):
        limit = RedisRateLimit(connection)
        for _ in range(3):
            assert limit.take("ann", SLOW) == 0.0
        server.flush()
        assert limit.take("ann", SLOW) == 0.0
        with server.client() as client:
            client.script_flush()
        assert limit.take("ann", SLOW) == 0.0
        server.kill()
        assert [limit.take("ann", SLOW) for _ in range(3)] == [0.0] * 3
        assert limit.take("ann", SLOW) > 0
        server.start()
        wait_until(lambda: connection.is_up)
        assert limit.take("ann", SLOW) == 0.0
