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
from services.lobby.cluster.replica import LobbyReplica
from tests.lobby.kafka_topics import OF_A_REPLICA, own_topics
from tests.lobby.test_cluster_lobby import TIMING, Cluster, ended, playing, status, until
from tests.redis_connections import connected
from tests.watching import pulled

pytestmark = pytest.mark.integration

SECONDS = 60.0
NEVER_SECONDS = 3_600.0


class Watcher:
    """Watches a player's games at a replica, in a thread of its own; `seen` has game and sequence of every summary."""

    def __init__(self, replica: LobbyReplica, player_id: str) -> None:
        self.seen: list[tuple[str, int]] = []
        self._watch = pulled(replica.lobby.watching.watch(player_id))
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()

    def _follow(self) -> None:
        for summary in self._watch:
            self.seen.append((summary.game_id, summary.sequence))

    def ends(self) -> bool:
        """Whether the stream has ended."""
        self._thread.join(SECONDS)
        return not self._thread.is_alive()


@contextmanager
def redis_and_replicas(
    kafka_servers: KafkaServers, folder: Path, watch_poll_seconds: float
) -> Iterator[tuple[RedisServer, Cluster]]:
    """A Redis to be killed, and two replicas with connections of their own, as in two processes."""
    with (
        own_topics(kafka_servers, *OF_A_REPLICA) as kafka,
        open_redis(folder / "redis", is_own=True) as server,
        connected(server.address, "x:") as first,
        connected(server.address, "x:") as second,
    ):
        cluster = Cluster(kafka, folder, first, replace(TIMING, watch_poll_seconds=watch_poll_seconds))
        cluster.open("a")
        cluster.redis = second
        cluster.open("b")
        try:
            yield server, cluster
        finally:
            for name in list(cluster.replicas):
                cluster.stop(name)


def test_a_notification_reaches_watchers_of_other_replicas(
    kafka_servers: KafkaServers, tmp_path: Path
) -> None:
    """Without polling: over Redis each change reaches the watchers of both replicas, whichever of them followed it.
    Streams end with their replica."""
    with redis_and_replicas(kafka_servers, tmp_path, NEVER_SECONDS) as (_, cluster):
        replicas = list(cluster.replicas.values())
        for replica in replicas:
            cache, notifier = replica._cache, replica._shared_notifier
            assert cache is not None
            assert notifier is not None
            until(lambda s=cache: s.is_filled)  # type: ignore[misc]
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
