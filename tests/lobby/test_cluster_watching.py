"""A player watches at one replica of the lobby; another may be the one that follows the game. Redis only makes it quick."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.opening import open_redis
from devtools.brokers.redis import RedisServer
from services.common.errors import Unavailable
from services.common.kafka.topics import LOBBY_SUMMARIES
from services.common.settings.service import LobbySummaries
from services.lobby.adapters.redis_lists import RedisPages
from services.lobby.cluster.replica import LobbyReplica
from services.lobby.domain.tables import TableState
from tests.lobby.kafka_topics import OF_A_REPLICA, own_topics
from tests.lobby.test_cluster_lobby import TIMING, Cluster, ended, playing, status, table_at
from tests.redis_connections import connected
from tests.waiting import until
from tests.watching import pulled

pytestmark = pytest.mark.integration

SECONDS = 60.0
NEVER_SECONDS = 3_600.0


class Watcher:
    """Watches a player's games at a replica, in a thread of its own; `seen` has game and sequence of every summary, `problem`
    how it was ended."""

    def __init__(self, replica: LobbyReplica, player_id: str) -> None:
        self.seen: list[tuple[str, int]] = []
        self.problem: Unavailable | None = None
        self._watch = pulled(replica.lobby.watching.watch(player_id))
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()

    def _follow(self) -> None:
        try:
            for summary in self._watch:
                self.seen.append((summary.game_id, summary.sequence))
        except Unavailable as problem:
            self.problem = problem

    def ends(self) -> bool:
        """Whether the stream has ended."""
        self._thread.join(SECONDS)
        return not self._thread.is_alive()


@contextmanager
def redis_and_replicas(
    kafka_servers: KafkaServers, folder: Path, watch_poll_seconds: float, keeps: LobbySummaries = "all"
) -> Iterator[tuple[RedisServer, Cluster]]:
    """A Redis to be killed, and two replicas with connections of their own, as in two processes."""
    with (
        own_topics(kafka_servers, *OF_A_REPLICA) as kafka,
        open_redis(folder / "redis", is_own=True) as server,
        connected(server.address, "x:") as first,
        connected(server.address, "x:") as second,
    ):
        cluster = Cluster(kafka, folder, first, replace(TIMING, watch_poll_seconds=watch_poll_seconds), keeps)
        cluster.open("a")
        cluster.redis = second
        cluster.open("b")
        try:
            yield server, cluster
        finally:
            for name in list(cluster.replicas):
                cluster.stop(name)


def lists_are_whole(cluster: Cluster) -> bool:
    """Whether Redis has every game."""
    assert cluster.redis is not None
    return RedisPages(cluster.redis, LOBBY_SUMMARIES.partitions(cluster.kafka)).is_filled


@pytest.mark.parametrize("keeps", ["all", "followed"])
def test_a_notification_reaches_watchers_of_other_replicas(
    kafka_servers: KafkaServers, tmp_path: Path, keeps: LobbySummaries
) -> None:
    """Without polling: over Redis each change reaches the watchers of both replicas, whichever of them followed it.
    Streams end with their replica."""
    with redis_and_replicas(kafka_servers, tmp_path, NEVER_SECONDS, keeps) as (_, cluster):
        replicas = list(cluster.replicas.values())
        until(lambda: lists_are_whole(cluster))
        for replica in replicas:
            notifier = replica._shared_notifier
            assert notifier is not None
            assert notifier.wait_subscribed(SECONDS)
        tables = [playing(cluster, f"Rung {number}") for number in range(4)]
        cluster.write(*(status(table, 2) for table in tables))
        watchers = [(table, Watcher(replica, table.seats[1])) for table in tables for replica in replicas]
        for table, watcher in watchers:
            until(lambda t=table, w=watcher: w.seen == [(t.game_id, 2)])  # type: ignore[misc]
        cluster.write(*(status(table, 3, acting_players=table.seats[1:]) for table in tables))
        for table, watcher in watchers:
            until(lambda t=table, w=watcher: (t.game_id, 3) in w.seen)  # type: ignore[misc]
        cluster.write(*(ended(table, 4) for table in tables))
        for table, watcher in watchers:
            until(lambda t=table, w=watcher: (t.game_id, 4) in w.seen)  # type: ignore[misc]
            assert watcher.seen == [(table.game_id, sequence) for sequence in (2, 3, 4)]
        for replica in replicas:
            replica.end_streams()
        assert all(watcher.ends() for _, watcher in watchers)


def test_without_redis_a_change_comes_later(kafka_servers: KafkaServers, tmp_path: Path) -> None:
    """With Redis emptied, down and up again every change still reaches the watchers of both replicas."""
    with redis_and_replicas(kafka_servers, tmp_path, 0.5) as (redis, cluster):
        replicas = list(cluster.replicas.values())
        tables = [playing(cluster, f"Unheard {number}") for number in range(4)]
        watchers = [(table, Watcher(replica, table.seats[0])) for table in tables for replica in replicas]
        for sequence, disturb in enumerate((redis.flush, redis.kill, redis.start), start=2):
            disturb()
            cluster.write(
                *(status(table, sequence, acting_players=[table.seats[sequence % 2]]) for table in tables)
            )
            for table, watcher in watchers:
                until(lambda t=table, w=watcher, s=sequence: (t.game_id, s) in w.seen)  # type: ignore[misc]
        for table, watcher in watchers:
            assert watcher.seen == [(table.game_id, sequence) for sequence in (2, 3, 4)]
        for replica in replicas:
            replica.end_streams()
        assert all(watcher.ends() for _, watcher in watchers)


def test_lists_that_are_in_redis_alone_say_so_without_it(kafka_servers: KafkaServers, tmp_path: Path) -> None:
    """Lists and watches are UNAVAILABLE, games are followed all the same; once Redis is back, emptied, nothing is missing."""
    with redis_and_replicas(kafka_servers, tmp_path, 0.5, "followed") as (redis, cluster):
        replicas = list(cluster.replicas.values())
        tables = [playing(cluster, f"Unlit {number}") for number in range(4)]
        cluster.write(*(status(table, 2) for table in tables))
        until(lambda: lists_are_whole(cluster) and len(replicas[0].lists.recent(10)) == len(tables))
        watchers = [Watcher(replica, tables[0].seats[0]) for replica in replicas]
        redis.kill()
        cluster.write(*(ended(table, 3) for table in tables))
        for replica, watcher in zip(replicas, watchers, strict=True):
            until(lambda r=replica: all(table_at(r, table).state is TableState.FINISHED for table in tables))  # type: ignore[misc]
            assert watcher.ends()
            assert watcher.problem is not None
            with pytest.raises(Unavailable, match="Redis"):
                replica.lists.of_player(tables[0].seats[0], False, 10)
            assert not replica.lists.is_complete
        redis.start()
        redis.flush()
        for replica in replicas:
            until(lambda r=replica: r.lists.is_complete)  # type: ignore[misc]
            assert {summary.sequence for summary in replica.lists.recent(10)} == {3}
            assert len(replica.lists.recent(10)) == len(tables)


def test_replicas_keep_what_they_follow(kafka_servers: KafkaServers, tmp_path: Path) -> None:
    """Between them they have every game once. One that goes leaves its games to the other, whose clocks go on, and gets some
    back when it returns, with what happened meanwhile."""
    with redis_and_replicas(kafka_servers, tmp_path, NEVER_SECONDS, "followed") as (_, cluster):
        first, second = cluster.replicas["a"], cluster.replicas["b"]
        tables = [playing(cluster, f"Kept {number}", 3_600) for number in range(6)]
        until(lambda: first._summaries.followed and second._summaries.followed)
        cluster.write(*(status(table, 2) for table in tables))
        until(lambda: len(first.lists.recent(10)) == len(tables))

        def kept(replica: LobbyReplica) -> set[str]:
            return {summary.game_id for summary in replica._summaries.stored.timed()}

        everything = {table.game_id for table in tables}
        until(lambda: kept(first) | kept(second) == everything)
        assert not kept(first) & kept(second)
        cluster.stop("a")
        until(lambda: kept(second) == everything)
        cluster.write(*(status(table, 3, acting_players=table.seats[1:]) for table in tables))
        until(lambda: {summary.sequence for summary in second.lists.recent(10)} == {3})
        first = cluster.open("a")
        until(lambda: first._summaries.followed and not kept(first) & kept(second))
        assert kept(first) | kept(second) == everything
        for game_id in kept(first):
            assert first._summaries.stored.get(game_id) == first.lists.get(game_id)


def test_one_replica_keeps_everything_and_another_what_it_follows(
    kafka_servers: KafkaServers, tmp_path: Path
) -> None:
    """As while the setting is changed: both list every game, and a turn that takes too long is recorded once, whichever of them
    follows the game."""
    with redis_and_replicas(kafka_servers, tmp_path, NEVER_SECONDS) as (_, cluster):
        cluster.stop("b")
        cluster.keeps = "followed"
        replicas = cluster.replicas["a"], cluster.open("b")
        until(lambda: all(replica._summaries.followed for replica in replicas))
        tables = [playing(cluster, f"Both {number}", 1) for number in range(6)]
        cluster.write(*(status(table, 2) for table in tables))
        for replica in replicas:
            until(lambda r=replica: r.lists.is_complete and len(r.lists.recent(10)) == len(tables))  # type: ignore[misc]
            until(lambda r=replica: all(table_at(r, table).overdue for table in tables))  # type: ignore[misc]
        for table in tables:
            types = [record.type for record in replicas[0]._log.read(f"lobby.table.{table.table_id}")]
            assert types.count("turn_overdue") == 1
