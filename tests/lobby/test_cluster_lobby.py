"""Two replicas of the lobby follow the games of a cluster: statuses come from Kafka as rules writes them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.auth.tokens import Principal
from services.common.clock import SystemClock
from services.common.errors import Unavailable
from services.common.eventlog.port import Appended, NewRecord
from services.common.kafka.clients import client_config, new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import GAME_STATUSES, LOBBY_SUMMARIES
from services.common.partitions import partition_of
from services.common.redis.connection import RedisConnection
from services.common.redis.settings import RedisSettings
from services.common.settings.service import LobbySummaries, Settings
from services.gen.signalbox.log.v1 import log_pb2 as pb
from services.lobby.adapters.redis_presence import RedisPresence
from services.lobby.adapters.redis_wake_ups import RedisWakeUps
from services.lobby.bootstrap_ports import GamePorts
from services.lobby.cluster.completing import Completing
from services.lobby.cluster.replica import LobbyReplica, ReplicaTiming, SharedParts
from services.lobby.directory import TABLE_STREAM
from services.lobby.domain.catalogue import TableChoices
from services.lobby.domain.games import GameSummary
from services.lobby.domain.players import Player
from services.lobby.domain.tables import Table, TableState
from tests.lobby.fakes import FixedCatalogue, PlainPasswords, RecordingStarter
from tests.lobby.kafka_topics import OF_A_REPLICA, own_topics
from tests.redis_connections import PATIENT_SECONDS, forget_all
from tests.waiting import until

pytestmark = pytest.mark.integration

SECONDS = 60.0
TIMING = ReplicaTiming(grace_ms=500, check_seconds=0.1, catch_up_seconds=0.5)


def now_ms() -> int:
    """The time of this machine."""
    return time.time_ns() // 1_000_000


class Cluster:
    """A topic of statuses, and replicas of the lobby that follow it."""

    def __init__(
        self,
        kafka: KafkaSettings,
        folder: Path,
        redis: RedisConnection | None,
        timing: ReplicaTiming = TIMING,
        keeps: LobbySummaries = "all",
    ) -> None:
        """`keeps`: which summaries replicas keep."""
        self.kafka = kafka
        self.keeps = keeps
        self.timing = timing
        self.redis = redis
        self.folder = folder
        self.starter = RecordingStarter()
        self.replicas: dict[str, LobbyReplica] = {}
        self.writer: Producer = new_producer(kafka, **{"transactional.id": kafka.topic_prefix + "rules"})
        self.writer.init_transactions()

    def open(self, name: str) -> LobbyReplica:
        """A started replica, with files of its own."""
        replica = LobbyReplica(
            Settings(database=self.folder / name / "signalbox.db", lobby_summaries=self.keeps),
            replace(self.kafka, instance=name),
            GamePorts(FixedCatalogue(), self.starter),
            Ed25519PrivateKey.generate(),
            CollectorRegistry(),
            passwords=PlainPasswords(),
            shared=self._shared(),
            timing=self.timing,
        )
        replica.start()
        self.replicas[name] = replica
        return replica

    def _shared(self) -> SharedParts:
        redis, clock = self.redis, SystemClock()
        if redis is None:
            return SharedParts()
        return SharedParts(redis, RedisWakeUps(redis), RedisPresence(redis, clock))

    def forget_redis(self) -> None:
        """What FLUSHALL does, to the keys of this cluster."""
        if self.redis is not None:
            forget_all(self.redis)

    def stop(self, name: str) -> None:
        """End a replica."""
        self.replicas.pop(name).stop()

    def write(self, *statuses: pb.GameStatus) -> None:
        """Commit these statuses in one transaction."""
        self.writer.begin_transaction()
        for each in statuses:
            partition = partition_of(each.game_id, GAME_STATUSES.partitions(self.kafka))
            value = each.SerializeToString()
            self.writer.produce(GAME_STATUSES.name_in(self.kafka), value, each.game_id.encode(), partition)
        self.writer.commit_transaction()


@pytest.fixture(scope="module", params=["alone", "with Redis", "lists in Redis"])
def way(request: pytest.FixtureRequest) -> str:
    """What the replicas share, and whether each keeps all summaries."""
    return str(request.param)


@pytest.fixture(scope="module")
def redis(request: pytest.FixtureRequest, way: str) -> Iterator[RedisConnection | None]:
    """What the replicas share, if anything."""
    if way == "alone":
        yield None
        return
    address = request.getfixturevalue("redis_address")
    settings = RedisSettings(
        address=address, key_prefix=f"t{uuid4().hex[:10]}:", timeout_seconds=PATIENT_SECONDS
    )
    connection = RedisConnection(settings)
    connection.start()
    yield connection
    forget_all(connection)
    connection.close()


@pytest.fixture(scope="module")
def cluster(
    kafka_servers: KafkaServers,
    redis: RedisConnection | None,
    way: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Cluster]:
    """Two replicas."""
    keeps: LobbySummaries = "followed" if way == "lists in Redis" else "all"
    with own_topics(kafka_servers, *OF_A_REPLICA) as kafka:
        cluster = Cluster(kafka, tmp_path_factory.mktemp("cluster"), redis, keeps=keeps)
        cluster.open("a")
        cluster.open("b")
        yield cluster
        for name in list(cluster.replicas):
            cluster.stop(name)


def playing(cluster: Cluster, name: str, turn_seconds: int = 0) -> Table:
    """A table of two whose game has begun."""
    return playing_at(cluster.replicas["a"], name, turn_seconds)


def playing_at(replica: LobbyReplica, name: str, turn_seconds: int = 0) -> Table:
    """The same at this replica."""
    lobby = replica.lobby
    people = []
    for each in (f"{name} One", f"{name} Two"):
        player = lobby.players.register("r-" + each.replace(" ", "-"), each, "correct horse", address="a")
        assert isinstance(player, Player)
        people.append(Principal(player.player_id, player.name))
    table = lobby.tables.create(people[0], "c", TableChoices("1824", 2), turn_seconds)
    assert isinstance(table, Table)
    lobby.tables.join(people[1], "j", table.table_id)
    started = lobby.tables.start(people[0], "s", table.table_id)
    assert isinstance(started, Table)
    return started


def status(table: Table, sequence: int, **more: Any) -> pb.GameStatus:
    """The first seat is asked."""
    reported: dict[str, Any] = {"acting_players": table.seats[:1], "recorded_time_ms": now_ms()} | more
    return pb.GameStatus(
        schema_version=1,
        game_id=table.game_id,
        sequence=sequence,
        title="1824",
        players=table.seats,
        **reported,
    )


def ended(table: Table, sequence: int) -> pb.GameStatus:
    """The game has ended."""
    results = [pb.PlayerResult(player=player, value=500) for player in table.seats]
    return status(table, sequence, acting_players=[], ending="bank_broken", results=results)


def table_at(replica: LobbyReplica, table: Table) -> Table:
    """The table as a replica knows it."""
    return replica.lobby.tables.get(table.table_id)


def summary_at(replica: LobbyReplica, table: Table) -> GameSummary | None:
    """The summary of its game as a replica knows it."""
    return replica.lists.get(table.game_id)


def test_lists_become_complete(cluster: Cluster) -> None:
    """Once everything from before the start has been followed, at both replicas."""
    for replica in cluster.replicas.values():
        assert replica.is_ready
        until(lambda replica=replica: replica.lists.is_complete)  # type: ignore[misc]


def test_results_and_summaries_reach_both_replicas(cluster: Cluster) -> None:
    """Of games in every partition; an end that is taken back reopens the table at both."""
    tables = [playing(cluster, f"Result {number}") for number in range(4)]
    cluster.write(*(status(table, 3) for table in tables))
    cluster.write(*(ended(table, 7) for table in tables))
    for replica in cluster.replicas.values():
        until(lambda r=replica: all(table_at(r, table).state is TableState.FINISHED for table in tables))  # type: ignore[misc]
        until(lambda r=replica: all(getattr(summary_at(r, table), "sequence", 0) == 7 for table in tables))  # type: ignore[misc]
    assert table_at(cluster.replicas["b"], tables[0]).results[0].value == 500
    cluster.write(status(tables[0], 8))
    for replica in cluster.replicas.values():
        until(lambda r=replica: table_at(r, tables[0]).state is TableState.PLAYING)  # type: ignore[misc]


def test_an_aborted_end_is_no_end(cluster: Cluster) -> None:
    """What rules did not commit is not followed."""
    table = playing(cluster, "Aborted")
    cluster.writer.begin_transaction()
    value = ended(table, 5).SerializeToString()
    partition = partition_of(table.game_id, GAME_STATUSES.partitions(cluster.kafka))
    cluster.writer.produce(GAME_STATUSES.name_in(cluster.kafka), value, table.game_id.encode(), partition)
    cluster.writer.flush()
    cluster.writer.abort_transaction()
    cluster.write(status(table, 6))
    until(lambda: summary_at(cluster.replicas["b"], table) is not None)
    assert table_at(cluster.replicas["b"], table).state is TableState.PLAYING


def test_a_turn_that_takes_too_long_is_recorded_once_by_all(cluster: Cluster) -> None:
    """Both run turn timers; the log has one event, after the grace period and never for a move made in time."""
    slow, quick = playing(cluster, "Slow", 1), playing(cluster, "Quick", 3_600)
    cluster.write(status(slow, 2), status(quick, 2))
    for replica in cluster.replicas.values():
        until(lambda r=replica: table_at(r, slow).overdue)  # type: ignore[misc]
    cluster.write(status(slow, 3, acting_players=slow.seats[1:]))
    for replica in cluster.replicas.values():
        until(lambda r=replica: len(table_at(r, slow).overdue) == 2)  # type: ignore[misc]
    stream = f"lobby.table.{slow.table_id}"
    for replica in cluster.replicas.values():
        types = [record.type for record in replica._log.read(stream)]
        assert types.count("turn_overdue") == 2
        assert table_at(replica, quick).overdue == ()


def test_forgotten_wake_ups_and_lists_cost_time_alone(cluster: Cluster) -> None:
    """Redis is emptied while a turn runs: the turn is recorded all the same, and no game is missing on any list."""
    table = playing(cluster, "Forgotten", 2)
    cluster.write(status(table, 2))
    replica = cluster.replicas["b"]
    for each in cluster.replicas.values():
        until(lambda r=each: summary_at(r, table) is not None)  # type: ignore[misc]
        until(lambda r=each: r.lists.is_complete)  # type: ignore[misc]
    cluster.forget_redis()
    for each in cluster.replicas.values():
        if cluster.keeps == "followed":
            until(lambda r=each: r.lists.is_complete)  # type: ignore[misc]
        listed = each.lists.of_player(table.seats[0], True, 10)
        assert [summary.game_id for summary in listed] == [table.game_id]
        assert each.lists.is_complete
    until(lambda: table_at(replica, table).overdue)
    assert table_at(replica, table).overdue[0].turn_count == 1


def test_an_unreadable_status_stops_its_game_alone(cluster: Cluster) -> None:
    """It becomes a dead letter with all later statuses of that game, whose turns are not timed any more; other games go
    on. The backfill of a new replica skips dead letters."""
    bad, good = playing(cluster, "Bad", 3_600), playing(cluster, "Good")
    future = status(bad, 4)
    future.schema_version = 99
    cluster.write(status(bad, 2), future, status(good, 4))
    cluster.write(ended(bad, 5), ended(good, 5))
    replica = cluster.replicas["a"]
    until(lambda: table_at(replica, good).state is TableState.FINISHED)
    until(lambda: len(replica._follower.dead_letters.records_of(bad.game_id)) == 2)
    assert replica._follower.dead_letters.games()[bad.game_id].startswith("NewerVersion: ")
    assert table_at(replica, bad).state is TableState.PLAYING
    for each in cluster.replicas.values():
        assert each._consumed_until(bad.game_id) == 0
    newcomer = cluster.open("d")
    until(lambda: newcomer.lists.is_complete)
    assert table_at(newcomer, bad).state is TableState.PLAYING
    assert getattr(summary_at(newcomer, bad), "sequence", 0) == 2
    cluster.stop("d")


def test_a_table_of_a_newer_version_stops_its_game_alone(cluster: Cluster) -> None:
    """Its statuses are dead letters of a newer version until a replica can read the table."""
    bad, good = playing(cluster, "Newer"), playing(cluster, "Older")
    log = cluster.replicas["a"]._log
    appended = log.append(TABLE_STREAM + bad.table_id, bad.version, [NewRecord("from_the_future", 1, b"")])
    assert isinstance(appended, Appended)
    cluster.write(status(bad, 4), ended(good, 4))
    for replica in cluster.replicas.values():
        until(lambda r=replica: table_at(r, good).state is TableState.FINISHED)  # type: ignore[misc]
        until(lambda r=replica: r._follower.dead_letters.is_blocked(bad.game_id))  # type: ignore[misc]
        assert replica._follower.dead_letters.games()[bad.game_id].startswith("NewerVersion: ")


def test_games_are_taken_over_with_a_current_copy_of_the_log_alone(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An end that is taken back would not reopen a table that is still played here."""
    replica = cluster.replicas["b"]
    before_reading = replica._follower._before_reading
    with monkeypatch.context() as status_still:
        status_still.setattr(replica._copy, "wait_for", lambda *_: False)
        with pytest.raises(Unavailable, match="the log"):
            before_reading(())


def test_another_replica_goes_on_with_the_clocks(cluster: Cluster) -> None:
    """One ends, even with its files: the other takes its games over, and nobody's thinking time is lost or doubled."""
    tables = [playing(cluster, f"Heir {number}") for number in range(4)]
    begin_ms = now_ms() - 100_000
    cluster.write(*(status(table, 2, recorded_time_ms=begin_ms) for table in tables))
    second_seat = [
        status(table, 3, recorded_time_ms=begin_ms + 40_000, acting_players=table.seats[1:])
        for table in tables
    ]
    cluster.write(*second_seat)
    until(
        lambda: all(getattr(summary_at(cluster.replicas["b"], table), "sequence", 0) == 3 for table in tables)
    )
    cluster.stop("a")
    cluster.write(*(status(table, 4, recorded_time_ms=begin_ms + 70_000) for table in tables))
    cluster.write(*second_seat)
    survivor = cluster.replicas["b"]
    until(lambda: all(getattr(summary_at(survivor, table), "sequence", 0) == 4 for table in tables))
    newcomer = cluster.open("c")
    for replica in (survivor, newcomer):
        for table in tables:
            summary = summary_at(replica, table)
            assert summary is not None
            assert [clock.used_ms for clock in summary.clocks] == [40_000, 30_000]
            assert summary.clocks[0].asked_since_ms == begin_ms + 70_000
    assert table_at(newcomer, tables[0]).state is TableState.PLAYING


def test_summaries_that_are_lost_are_made_again(cluster: Cluster) -> None:
    """With the topic of the summaries, and though no game moves on: from the latest status of each game."""
    table = playing_at(cluster.replicas["b"], "Lost")
    cluster.write(status(table, 5))
    until(lambda: getattr(summary_at(cluster.replicas["b"], table), "sequence", 0) == 5)
    for name in list(cluster.replicas):
        cluster.stop(name)
    topic = LOBBY_SUMMARIES.name_in(cluster.kafka)
    admin = AdminClient(client_config(cluster.kafka))
    admin.delete_topics([topic])[topic].result()
    until(lambda: topic not in admin.list_topics(timeout=SECONDS).topics)
    config = LOBBY_SUMMARIES.config(cluster.kafka)
    admin.create_topics([NewTopic(topic, LOBBY_SUMMARIES.partitions(cluster.kafka), config=config)])[
        topic
    ].result()
    replica = cluster.open("b")
    until(lambda: replica.lists.is_complete)
    summary = summary_at(replica, table)
    assert summary is not None
    assert (summary.sequence, summary.waits_for) == (5, table.seats[:1])


def test_overdue_turns_are_recorded_while_lists_are_completed(
    kafka_servers: KafkaServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One partition of the statuses may be blocked for long: turns are recorded in all others meanwhile."""
    monkeypatch.setattr(Completing, "_is_consumed", lambda *_: False)
    with own_topics(kafka_servers, *OF_A_REPLICA) as kafka:
        cluster = Cluster(kafka, tmp_path, None)
        replica = cluster.open("a")
        table = playing(cluster, "Meanwhile", 1)
        cluster.write(status(table, 2))
        until(lambda: table_at(replica, table).overdue)
        assert not replica.lists.is_complete
        cluster.stop("a")
