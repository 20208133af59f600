"""Summaries of games in Redis: quick lists that may be lost."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_redis
from devtools.brokers.redis import RedisServer
from services.common.errors import Unavailable
from services.common.partitions import partition_of
from services.common.redis.connection import RedisConnection
from services.common.redis.settings import RedisSettings
from services.common.telemetry.logs import configure_logging
from services.lobby.adapters import redis_summaries
from services.lobby.adapters.memory_summaries import MemorySummaries
from services.lobby.adapters.redis_lists import CachedLists, RedisPages, SharedLists
from services.lobby.adapters.redis_summaries import RedisSummaries
from services.lobby.domain.games import GameSummary
from services.lobby.ports import GameSummaries, PageCursor
from tests.brokers import need
from tests.contracts.game_summaries_contract import GameSummariesContract, ids, summary
from tests.redis_connections import connected, forget_all
from tests.waiting import until

pytestmark = pytest.mark.integration

SECONDS = 60.0


class Replica:
    """A replica of the lobby: what it stores, and lists as a cache (`cached`) and as the only ones (`shared`)."""

    def __init__(
        self,
        connection: RedisConnection,
        store: MemorySummaries | None = None,
        mine: tuple[int, ...] = (0,),
        partitions: int = 1,
    ) -> None:
        self.store = store or MemorySummaries()
        self.mine = frozenset(mine)
        self.summaries = RedisSummaries(connection, self.store, partitions, lambda: self.mine)
        self.pages = RedisPages(connection, partitions)
        self.cached = CachedLists(self.pages, self.store)
        self.shared = SharedLists(self.pages)

    @property
    def is_filled(self) -> bool:
        """Whether lists are whole in Redis."""
        return self.pages.is_filled


class ListedInRedis(RedisSummaries):
    """Summaries whose lists are read in Redis."""

    def __init__(self, connection: RedisConnection) -> None:
        super().__init__(connection, MemorySummaries(), 1, lambda: frozenset((0,)))
        self.get = (lists := SharedLists(RedisPages(connection, 1))).get  # type: ignore[method-assign]
        self.of_player, self.recent = lists.of_player, lists.recent  # type: ignore[method-assign]


@pytest.fixture
def connection(redis_address: str, redis_prefix: str) -> Iterator[RedisConnection]:
    """The way to the Redis of the session, below a prefix of this test."""
    with connected(redis_address, redis_prefix) as connection:
        assert connection.is_up
        yield connection


class TestListsInRedis(GameSummariesContract):
    """Whatever is read comes from Redis alone."""

    @pytest.fixture
    def summaries(self, connection: RedisConnection) -> GameSummaries:
        """None, and Redis knows that there are none."""
        summaries = ListedInRedis(connection)
        assert summaries.look()
        return summaries


def in_partition(number: int, of: int, count: int = 1) -> list[str]:
    """Games of a partition."""
    found = [f"g{each}" for each in range(100 * of) if partition_of(f"g{each}", of) == number]
    return found[:count]


def test_an_emptied_redis_costs_time_alone(connection: RedisConnection) -> None:
    """Where all is stored, lists come from there at once and are right, and it is filled again; then they come from it again."""
    replica = Replica(connection)
    for number in range(450):
        replica.summaries.put(summary(f"g{number:03}", time_ms=1_000 + number))
    replica.summaries.mark_complete()
    replica.summaries.start()
    until(lambda: replica.is_filled)
    before = replica.cached.recent(1_000)
    assert len(before) == 450
    forget_all(connection)
    assert replica.cached.recent(1_000) == before
    assert replica.cached.of_player("ann", True, 1_000) == before
    assert replica.cached.is_complete
    until(lambda: replica.is_filled)
    replica.store.recent = lambda *_: []  # type: ignore[method-assign]
    assert replica.cached.recent(1_000) == replica.shared.recent(1_000) == before
    replica.summaries.close()


def test_a_redis_emptied_while_it_is_filled_is_not_taken_for_full(connection: RedisConnection) -> None:
    """The filling replica notices and fills it again."""
    replica = Replica(connection)
    for number in range(3):
        replica.summaries.put(summary(f"g{number}"))
    recent = replica.store.recent

    def emptied_in_between(most: int, before: PageCursor | None = None) -> list[GameSummary]:
        page = recent(most, before)
        if not page:
            forget_all(connection)
        return page

    replica.store.recent = emptied_in_between  # type: ignore[assignment]
    assert not replica.summaries.look()
    assert not replica.is_filled
    replica.store.recent = recent  # type: ignore[method-assign]
    assert len(replica.cached.recent(10)) == 3
    assert replica.summaries.look()
    assert replica.is_filled
    assert len(replica.shared.recent(10)) == 3


def test_each_replica_fills_what_it_follows(connection: RedisConnection) -> None:
    """Lists are whole once every partition is vouched for; until then those that nobody else has are there and incomplete."""
    (first_game,), (second_game,) = in_partition(0, 2), in_partition(1, 2)
    first, second = Replica(connection, mine=(0,), partitions=2), Replica(connection, mine=(1,), partitions=2)
    first.store.put(summary(first_game))
    second.store.put(summary(second_game))
    second.store.put(summary(in_partition(0, 2, 2)[1]))
    assert first.summaries.look()
    assert not first.is_filled
    assert not first.shared.is_complete
    assert ids(second.shared.recent(10)) == [first_game]
    assert set(ids(second.cached.recent(10))) == {second_game, in_partition(0, 2, 2)[1]}
    assert second.summaries.look()
    assert first.shared.is_complete
    assert set(ids(first.shared.recent(10))) == {first_game, second_game}
    assert first.shared.get(second_game) == summary(second_game)
    assert first.shared.get("other") is None


def test_lists_of_one_replica_are_those_of_the_other(connection: RedisConnection) -> None:
    """A summary put by one is on the list of the other, which has not read it; an older one changes nothing."""
    first, second = Replica(connection), Replica(connection, mine=())
    assert first.summaries.look()
    first.summaries.put(summary("g1"))
    assert ids(second.cached.recent(10)) == ids(second.shared.recent(10)) == ["g1"]
    first.summaries.put(summary("g1", 9, acting_players=("bob",)))
    second.summaries.put(summary("g1", 5))
    assert ids(second.shared.of_player("bob", True, 10)) == ["g1"]
    assert second.shared.of_player("ann", True, 10) == []


def test_a_summary_that_was_lost_alone_is_noticed(connection: RedisConnection) -> None:
    """Redis evicted a key because its memory was full: the list comes from the store, and Redis is filled again."""
    replica = Replica(connection)
    replica.summaries.put(summary("g1"))
    assert replica.summaries.look()
    connection.ask(lambda redis: redis.delete(connection.key("summaries", "summary", "g1")), otherwise=None)
    assert ids(replica.cached.recent(10)) == ["g1"]
    assert replica.shared.recent(10) == []
    assert not replica.shared.is_complete
    assert replica.summaries.look()
    assert ids(replica.shared.recent(10)) == ["g1"]
    assert replica.shared.is_complete


def test_a_summary_whose_keeper_died_before_redis_had_it_is_written(connection: RedisConnection) -> None:
    """By a replica that puts the same sequence again, never by an older one; and by every replica that takes its partition over,
    while nobody has to do without the lists."""
    first, second = Replica(connection), Replica(connection, mine=())
    assert first.summaries.look()
    for replica in (first, second):
        replica.store.put(summary("g1", 2))
    assert not second.summaries.put(summary("g1", 1))
    assert first.shared.recent(10) == [summary("g1", 2)]
    second.store.put(summary("g2"))
    assert second.summaries.look()
    assert first.is_filled
    assert ids(first.shared.recent(10)) == ["g1"]
    first.mine, second.mine = second.mine, first.mine
    second.summaries.start()
    until(lambda: ids(first.shared.recent(10)) == ["g2", "g1"])
    assert first.is_filled
    second.summaries.close()


def test_a_partition_without_a_follower_is_not_vouched_for(
    connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A while after the last look of its follower, which may be dead or without a way to Redis; others do not vouch for it."""
    monkeypatch.setattr(redis_summaries, "VOUCHED_MS", 2_500)
    first, second = Replica(connection, mine=(0,), partitions=2), Replica(connection, mine=(1,), partitions=2)
    assert first.summaries.look() and second.summaries.look()
    assert first.is_filled
    second.summaries.start()
    until(lambda: not second.is_filled)
    assert first.summaries.look()
    assert second.is_filled
    second.summaries.close()


def test_a_follower_that_lost_redis_alone_fills_it_before_it_vouches(connection: RedisConnection) -> None:
    """What it put meanwhile is not there: lists are incomplete for all until it is."""
    follower, other = Replica(connection), Replica(connection, mine=())
    assert follower.summaries.look()
    ask = connection.ask
    connection.ask = lambda work, otherwise: otherwise  # type: ignore[method-assign]
    follower.summaries.put(summary("g1"))
    connection.ask = ask  # type: ignore[method-assign]
    assert other.shared.recent(10) == []
    assert follower.summaries.look()
    assert ids(other.shared.recent(10)) == ["g1"]


@pytest.mark.parametrize("gone", [("summary", "g1"), ("for", "ann"), ("of", "ann"), ("all",)])
def test_what_was_lost_alone_is_made_again(connection: RedisConnection, gone: tuple[str, ...]) -> None:
    """Filling mends lists of games that have not moved on since, and a game that moves on waits for nobody it waited for."""
    replica = Replica(connection)
    replica.summaries.put(summary("g1"))
    replica.summaries.put(summary("g2"))
    assert replica.summaries.look()
    connection.ask(lambda redis: redis.delete(connection.key("summaries", *gone)), otherwise=None)
    if gone[0] != "summary":
        assert Replica(connection, replica.store).summaries.look()
        assert (
            ids(replica.shared.of_player("ann", True, 10))
            == ids(replica.shared.of_player("ann", False, 10))
            == ["g2", "g1"]
        )
    replica.summaries.put(summary("g1", 2, time_ms=2_000, acting_players=("bob",)))
    assert replica.is_filled
    assert replica.shared.of_player("ann", True, 10) == [summary("g2")]
    assert replica.store.of_player("ann", True, 10) == [summary("g2")]
    assert ids(replica.shared.recent(10)) == ["g1", "g2"]


def test_an_unreadable_summary_is_left_out(connection: RedisConnection) -> None:
    """Of a newer version, or damaged: the store has it, where there is one; other games are listed."""
    replica = Replica(connection)
    for game_id in ("g1", "g2"):
        replica.summaries.put(summary(game_id))
    assert replica.summaries.look()
    key = connection.key("summaries", "summary", "g1")
    connection.ask(lambda redis: redis.hset(key, "summary", b"\xff\xff\xff"), otherwise=None)
    assert ids(replica.shared.recent(10)) == ["g2"]
    assert replica.shared.get("g1") is None
    assert ids(replica.cached.recent(10)) == ["g2", "g1"]
    replica.summaries.put(summary("g1", 2))
    assert replica.shared.get("g1") == summary("g1", 2)


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
        replica, other = Replica(connection, store), Replica(connection, store)
        replica.summaries.put(summary("g1"))
        assert replica.summaries.look()
        client.config_set("maxmemory-policy", "allkeys-lru")
        assert not replica.summaries.look()
        assert not replica.summaries.look()
        client.delete("x:summaries:all")
        assert not other.is_filled
        assert ids(replica.cached.recent(10)) == ids(other.cached.recent(10)) == ["g1"]
        assert not other.shared.is_complete
        client.config_set("maxmemory-policy", "volatile-lru")
        assert replica.summaries.look()
        store.recent = lambda *_: []  # type: ignore[method-assign]
        assert ids(replica.cached.recent(10)) == ["g1"]
    reported = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [each["policy"] for each in reported if "policy" in each] == ["allkeys-lru"]


def test_a_full_redis_gives_no_old_lists(own_redis: RedisServer) -> None:
    """It refuses summaries: lists come from the store at every replica, until it has room again."""
    with connected(own_redis.address, "x:") as connection, own_redis.client() as client:
        store = MemorySummaries()
        replica, other = Replica(connection, store), Replica(connection, store)
        replica.summaries.put(summary("g1"))
        assert replica.summaries.look()
        client.config_set("maxmemory", "1")
        replica.summaries.put(summary("g1", 2, acting_players=("bob",)))
        assert not other.is_filled
        assert not replica.summaries.look()
        assert ids(other.cached.of_player("bob", True, 10)) == ["g1"]
        assert ids(replica.cached.of_player("bob", True, 10)) == ["g1"]
        client.config_set("maxmemory", "0")
        assert replica.summaries.look()
        assert other.is_filled
        assert ids(other.shared.of_player("bob", True, 10)) == ["g1"]


def test_without_redis_everything_is_answered_where_it_is_stored(own_redis: RedisServer) -> None:
    """Dead when a summary is put and when lists are asked for: nothing is missing; when it comes back it is filled. Where
    lists are in Redis alone they are UNAVAILABLE meanwhile."""
    connection = RedisConnection(RedisSettings(address=own_redis.address))
    connection.start()
    replica = Replica(connection)
    replica.summaries.mark_complete()
    replica.summaries.start()
    until(lambda: replica.is_filled)
    own_redis.flush()
    until(lambda: replica.is_filled)
    own_redis.kill()
    replica.summaries.put(summary("g1"))
    assert ids(replica.cached.recent(10)) == ids(replica.cached.of_player("ann", True, 10)) == ["g1"]
    assert replica.cached.get("g1") == summary("g1")
    assert not replica.is_filled
    asked = (
        lambda: replica.shared.recent(10),
        lambda: replica.shared.of_player("ann", True, 10),
        lambda: replica.shared.get("g1"),
    )
    for ask in asked:
        with pytest.raises(Unavailable, match="Redis"):
            ask()
    own_redis.start()
    until(lambda: replica.is_filled)
    assert ids(replica.shared.recent(10)) == ["g1"]
    replica.summaries.close()
    connection.close()
