"""The cache of one routing process and the one in Redis keep one contract; a wrong value in Redis does no harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import pytest
from prometheus_client import CollectorRegistry

from devtools.brokers.opening import open_redis
from services.common.redis.connection import RedisConnection
from services.routing.adapters import redis_cache
from services.routing.adapters.layered_cache import LayeredSolutionCache
from services.routing.adapters.memory_cache import MemorySolutionCache
from services.routing.adapters.redis_cache import KEPT_SECONDS, RedisSolutionCache, solver_version
from services.routing.domain.numbering import cache_key
from services.routing.domain.solution import RouteSolution, Run
from services.routing.domain.solver import solve
from services.routing.metrics import RoutingMetrics
from services.routing.ports import SolutionCache
from services.routing.questions import Question
from services.routing.service import ProvenAnswers
from tests.redis_connections import connected, wait_until
from tests.routing.service.serving import easy_problem

RUN = Run("4", ("a", "b"), ("s",), ("E4",), 90, 10, ("a", "b"), 20, ("4", "5"))
SOLUTION = RouteSolution((RUN,), 90, 10, True, 90, 17)


def write(connection: RedisConnection, place: str, value: bytes) -> None:
    """Put a value where an answer belongs."""
    assert connection.ask(lambda redis: bool(redis.set(place, value)), otherwise=False)


class SolutionCacheContract:
    """Needs an empty fixture `cache`."""

    def test_what_was_kept_comes_back(self, cache: SolutionCache) -> None:
        """An answer keeps every field, under its own key only; a later one takes its place."""
        assert cache.get("k1") is None
        cache.put("k1", SOLUTION)
        assert cache.get("k1") == SOLUTION
        assert cache.get("k2") is None
        other = msgspec.structs.replace(SOLUTION, runs=(), revenue=0)
        cache.put("k1", other)
        assert cache.get("k1") == other


class TestMemorySolutionCache(SolutionCacheContract):
    """In a dict."""

    @pytest.fixture
    def cache(self) -> SolutionCache:
        """Empty."""
        return MemorySolutionCache(10)


@pytest.fixture
def connection(redis_address: str, redis_prefix: str) -> Iterator[RedisConnection]:
    """A way to Redis."""
    with connected(redis_address, redis_prefix) as connection:
        yield connection


@pytest.mark.integration
class TestRedisSolutionCache(SolutionCacheContract):
    """In Redis."""

    @pytest.fixture
    def cache(self, connection: RedisConnection) -> SolutionCache:
        """Empty."""
        return RedisSolutionCache(connection)

    def test_damage_is_a_miss(self, cache: SolutionCache, connection: RedisConnection) -> None:
        """Cut short, one bit turned, something else, somebody else's: all of it is unknown."""
        place = connection.key("route", solver_version(), "k1")
        cache.put("k1", SOLUTION)
        right = cast("bytes", connection.ask(lambda redis: redis.get(place), None))
        cache.put("k2", SOLUTION)
        of_another = cast(
            "bytes",
            connection.ask(lambda redis: redis.get(connection.key("route", solver_version(), "k2")), None),
        )
        turned = [right[:at] + bytes([right[at] ^ 1]) + right[at + 1 :] for at in range(len(right))]
        for value in (b"", b"soap", right[:-1], right + b"\0", of_another, *turned):
            write(connection, place, value)
            assert cache.get("k1") is None
        write(connection, place, right)
        assert cache.get("k1") == SOLUTION
        connection.ask(lambda redis: redis.delete(place), None)
        connection.ask(lambda redis: redis.lpush(place, right), None)
        assert cache.get("k1") is None

    def test_unproven_answers_do_not_come_out(self, cache: SolutionCache) -> None:
        """Whatever wrote it, it is not taken for proven."""
        cache.put("k1", msgspec.structs.replace(SOLUTION, proven=False))
        assert cache.get("k1") is None

    def test_time_and_size_are_bounded(
        self, cache: SolutionCache, connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An answer is kept for a week, a huge one not at all."""
        cache.put("k1", SOLUTION)
        left = connection.ask(lambda redis: redis.ttl(connection.key("route", solver_version(), "k1")), None)
        assert left is not None
        assert KEPT_SECONDS - 60 < left <= KEPT_SECONDS
        cache.put("k2", msgspec.structs.replace(SOLUTION, runs=(RUN,) * 2_000))
        assert cache.get("k2") is None

    def test_another_solver_has_its_own_answers(
        self, cache: SolutionCache, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What another version of the solver answered is unknown."""
        cache.put("k1", SOLUTION)
        monkeypatch.setattr(redis_cache, "solver_version", lambda: "another")
        assert cache.get("k1") is None

    def test_a_wrong_answer_in_whole_shape_is_not_given(self, cache: SolutionCache) -> None:
        """The service checks what it takes from Redis: a false revenue counts as unknown, and is mended."""
        problem = easy_problem(5)
        registry = CollectorRegistry()
        known = ProvenAnswers(cache, RoutingMetrics(registry))
        question = Question(problem, *cache_key(problem), "ann", 0.0)
        right = solve(problem)
        wrong = msgspec.structs.replace(right, revenue=right.revenue + 10)
        cache.put(question.key, question.names.numbered(wrong))
        assert known.find(question) is None
        assert registry.get_sample_value("signalbox_routing_failed_checks_total") == 1
        known.keep(question, right)
        assert known.find(question) == right


@pytest.mark.integration
def test_replicas_share_and_forget_without_harm(tmp_path: Path) -> None:
    """One replica's answer is the other's; flushed it stays where it was used; killed nothing is known or fails."""
    with (
        open_redis(tmp_path / "redis", is_own=True) as server,
        connected(server.address, "x:") as connection,
    ):
        far = RedisSolutionCache(connection)
        first = LayeredSolutionCache(MemorySolutionCache(5), far)
        second = LayeredSolutionCache(MemorySolutionCache(5), far)
        first.put("k1", SOLUTION)
        assert second.get("k1") == SOLUTION
        server.flush()
        assert far.get("k1") is None
        assert second.get("k1") == SOLUTION
        server.kill()
        assert far.get("k1") is None
        far.put("k2", SOLUTION)
        assert first.get("k1") == SOLUTION
        server.start()
        wait_until(lambda: connection.is_up)
        far.put("k2", SOLUTION)
        assert second.get("k2") == SOLUTION
