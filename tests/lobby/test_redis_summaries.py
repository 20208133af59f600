"""Summaries of games in Redis: quick lists that may be lost."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_redis
from devtools.brokers.redis import RedisServer
from services.common.redis.connection import RedisConnection
from services.common.redis.settings import RedisSettings
from services.common.telemetry.logs import configure_logging
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.redis_summaries import RedisSummaries
from services.lobby.domain.games import GameSummary
from services.lobby.ports import GameSummaries, PageCursor
from tests.brokers import need
from tests.contracts.game_summaries_contract import GameSummariesContract, ids, summary
from tests.redis_connections import connected, forget_all

pytestmark = pytest.mark.integration

SECONDS = 60.0


class Unlisted(MemorySummaries):
    """A store whose lists must not be needed."""

    def recent(
        self, most: int, before: PageCursor | None = None, only_listed: bool = False
    ) -> list[GameSummary]:
        """Not asked."""
        raise AssertionError("asked the store")

    def of_player(
        self, player_id: str, only_waiting: bool, most: int, before: PageCursor | None = None
    ) -> list[GameSummary]:
        """Not asked."""
        raise AssertionError("asked the store")


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that happens beside the test."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "does not happen"
        time.sleep(0.01)


@pytest.fixture
def connection(redis_address: str, redis_prefix: str) -> Iterator[RedisConnection]:
    """The way to the Redis of the session, below a prefix of this test."""
    with connected(redis_address, redis_prefix) as connection:
        assert connection.is_up
        yield connection


class TestRedisSummaries(GameSummariesContract):
    """Lists come from Redis alone."""

    @pytest.fixture
    def summaries(self, connection: RedisConnection) -> GameSummaries:
        """None, and Redis knows that there are none."""
        summaries = RedisSummaries(connection, Unlisted())
        summaries._stored_pages = lambda: iter(())  # type: ignore[method-assign]
        assert summaries.fill()
        assert summaries.is_filled
        return summaries


def test_an_emptied_redis_costs_time_alone(connection: RedisConnection) -> None:
    """Lists come from the store at once and are right, and it is filled again; then they come from it again."""
    store = MemorySummaries()
    summaries = RedisSummaries(connection, store)
    for number in range(450):
        summaries.put(summary(f"g{number:03}", time_ms=1_000 + number))
    summaries.mark_complete()
    summaries.start()
    until(lambda: summaries.is_filled)
    before = summaries.recent(1_000)
    assert len(before) == 450
    forget_all(connection)
    assert summaries.recent(1_000) == before
    assert summaries.of_player("ann", True, 1_000) == before
    assert summaries.is_complete
    until(lambda: summaries.is_filled)
    store.recent = lambda *_: []  # type: ignore[method-assign]
    assert summaries.recent(1_000) == before
    summaries.close()


def test_a_redis_emptied_while_it_is_filled_is_not_taken_for_full(connection: RedisConnection) -> None:
    """The filling replica notices and fills it again."""
    summaries = RedisSummaries(connection, MemorySummaries())
    for number in range(3):
        summaries.put(summary(f"g{number}"))
    pages = summaries._stored_pages

    def emptied_in_between():  # type: ignore[no-untyped-def]
        yield from pages()
        forget_all(connection)

    summaries._stored_pages = emptied_in_between  # type: ignore[method-assign]
    assert not summaries.fill()
    assert not summaries.is_filled
    assert len(summaries.recent(10)) == 3
    summaries._stored_pages = pages  # type: ignore[method-assign]
    assert summaries.fill()
    assert summaries.is_filled


def test_one_replica_fills_and_lists_come_from_the_store_meanwhile(connection: RedisConnection) -> None:
    """It waits for what other replicas have put; if that fails, Redis stays unfilled and it tries again."""
    store = MemorySummaries()
    store.put(summary("g1"))
    late = iter((False, True))

    def wait_current() -> bool:
        assert not another.fill()
        assert not another.is_filled
        assert ids(another.recent(10)) == []
        return next(late)

    another = RedisSummaries(connection, MemorySummaries())
    assert another.fill()
    summaries = RedisSummaries(connection, store, wait_current)
    assert not summaries.fill()
    assert not summaries.is_filled
    assert summaries.fill()
    assert ids(another.recent(10)) == ["g1"]


def test_lists_of_one_replica_are_those_of_the_other(connection: RedisConnection) -> None:
    """A summary put by one is on the list of the other, which has not read it; an older one changes nothing."""
    first, second = (
        RedisSummaries(connection, MemorySummaries()),
        RedisSummaries(connection, MemorySummaries()),
    )
    assert first.fill()
    first.put(summary("g1"))
    assert ids(second.recent(10)) == ["g1"]
    first.put(summary("g1", 9, acting_players=("bob",)))
    second.put(summary("g1", 5))
    assert ids(second.of_player("bob", True, 10)) == ["g1"]
    assert second.of_player("ann", True, 10) == []


def test_a_summary_that_was_lost_alone_is_noticed(connection: RedisConnection) -> None:
    """Redis evicted a key because its memory was full: the list comes from the store."""
    summaries = RedisSummaries(connection, MemorySummaries())
    summaries.put(summary("g1"))
    assert summaries.fill()
    connection.ask(lambda redis: redis.delete(connection.key("summaries", "summary", "g1")), otherwise=None)
    assert ids(summaries.recent(10)) == ["g1"]


def test_a_summary_whose_keeper_died_before_redis_had_it_is_written(connection: RedisConnection) -> None:
    """By a replica that puts the same sequence again, never by an older one; and by every replica that starts."""
    store = MemorySummaries()
    first, second = RedisSummaries(connection, store), RedisSummaries(connection, store)
    assert first.fill()
    store.put(summary("g1", 2))
    assert not second.put(summary("g1", 1))
    assert first.recent(10) == [summary("g1", 2)]
    store.put(summary("g2"))
    assert first.is_filled
    assert ids(first.recent(10)) == ["g1"]
    store.mark_complete()
    second.start()
    until(lambda: second.is_filled)
    store.recent = lambda *_: []  # type: ignore[method-assign]
    assert ids(first.recent(10)) == ["g2", "g1"]
    second.close()


@pytest.mark.parametrize("gone", [("summary", "g1"), ("for", "ann"), ("of", "ann"), ("all",)])
def test_what_was_lost_alone_is_made_again(connection: RedisConnection, gone: tuple[str, ...]) -> None:
    """Filling mends lists of games that have not moved on since, and a game that moves on waits for nobody it waited for."""
    store = MemorySummaries()
    summaries = RedisSummaries(connection, store)
    summaries.put(summary("g1"))
    summaries.put(summary("g2"))
    assert summaries.fill()
    connection.ask(lambda redis: redis.delete(connection.key("summaries", *gone)), otherwise=None)
    if gone[0] != "summary":
        assert summaries.fill()
        assert (
            ids(summaries.of_player("ann", True, 10))
            == ids(summaries.of_player("ann", False, 10))
            == ["g2", "g1"]
        )
    summaries.put(summary("g1", 2, time_ms=2_000, acting_players=("bob",)))
    assert summaries.is_filled
    assert summaries.of_player("ann", True, 10) == store.of_player("ann", True, 10) == [summary("g2")]
    assert ids(summaries.recent(10)) == ["g1", "g2"]


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis to be killed and configured."""
    try:
        server = open_redis(tmp_path / "redis", is_own=True)
    except BrokersMissing as missing:
        need(str(missing))
    with server:
        yield server


def test_a_redis_that_may_evict_any_key_is_not_filled(own_redis: RedisServer) -> None:
    """Its lists cannot be trusted: they come from the store at every replica, and the log says so once."""
    lines = io.StringIO()
    configure_logging("info", lines)
    with connected(own_redis.address, "x:") as connection, own_redis.client() as client:
        store = MemorySummaries()
        summaries, other = RedisSummaries(connection, store), RedisSummaries(connection, store)
        summaries.put(summary("g1"))
        assert summaries.fill()
        client.config_set("maxmemory-policy", "allkeys-lru")
        assert not summaries.fill()
        assert not summaries.fill()
        client.delete("x:summaries:all")
        assert not summaries.is_filled
        assert not other.is_filled
        assert ids(summaries.recent(10)) == ids(other.recent(10)) == ["g1"]
        client.config_set("maxmemory-policy", "volatile-lru")
        assert summaries.fill()
        store.recent = lambda *_: []  # type: ignore[method-assign]
        assert ids(summaries.recent(10)) == ["g1"]
    reported = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [each["policy"] for each in reported if "policy" in each] == ["allkeys-lru"]


def test_a_full_redis_gives_no_old_lists(own_redis: RedisServer) -> None:
    """It refuses summaries: lists come from the store at every replica, until it has room again."""
    with connected(own_redis.address, "x:") as connection, own_redis.client() as client:
        store = MemorySummaries()
        summaries, other = RedisSummaries(connection, store), RedisSummaries(connection, store)
        summaries.put(summary("g1"))
        assert summaries.fill()
        client.config_set("maxmemory", "1")
        summaries.put(summary("g1", 2, acting_players=("bob",)))
        assert not summaries.fill()
        assert ids(other.of_player("bob", True, 10)) == ids(summaries.of_player("bob", True, 10)) == ["g1"]
        assert not other.is_filled
        client.config_set("maxmemory", "0")
        assert summaries.fill()
        assert other.is_filled
        assert ids(other.of_player("bob", True, 10)) == ["g1"]


def test_without_redis_everything_is_answered(own_redis: RedisServer) -> None:
    """Dead when a summary is put and when lists are asked for: nothing is missing; when it comes back it is filled."""
    connection = RedisConnection(RedisSettings(address=own_redis.address))
    connection.start()
    summaries = RedisSummaries(connection, MemorySummaries())
    summaries.mark_complete()
    summaries.start()
    until(lambda: summaries.is_filled)
    own_redis.flush()
    until(lambda: summaries.is_filled)
    own_redis.kill()
    summaries.put(summary("g1"))
    assert ids(summaries.recent(10)) == ids(summaries.of_player("ann", True, 10)) == ["g1"]
    assert not summaries.is_filled
    own_redis.start()
    until(lambda: summaries.is_filled)
    assert ids(summaries.recent(10)) == ["g1"]
    summaries.close()
    connection.close()
