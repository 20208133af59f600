"""Static members of the owners' group that Kafka fences: each restarts, and every game continues."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from confluent_kafka.admin import AdminClient
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaNode, KafkaServers
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka
from services.common.kafka.clients import client_config, new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import COMMANDS
from services.rules.cluster.group import GROUP
from tests.brokers import need
from tests.rules.cluster.harness import (
    PARTITIONS,
    SECONDS,
    SESSION_MS,
    ClusterHarness,
    Table,
    check_nothing_lost,
    new_table,
    new_topics,
)
from tests.waiting import until

pytestmark = pytest.mark.integration
ROUNDS_MAX = 20
MOVES_AFTERWARDS = 3
# Of a broker that is killed and started again while members join.
AWAY_SECONDS = 0.6
RECOVERY_SECONDS = 120.0


@pytest.fixture
def three_brokers(tmp_path: Path) -> Iterator[KafkaServers]:
    """A Kafka of three brokers for this test alone."""
    try:
        servers = open_kafka(tmp_path / "kafka", brokers=3, is_own=True)
    except BrokersMissing as error:
        need(str(error))
    with servers:
        yield servers


def fencings(cluster: ClusterHarness) -> float:
    """How often the owners were fenced and began anew."""
    return sum(
        each.get_sample_value("signalbox_owner_fenced_total") or 0.0 for each in cluster.registries.values()
    )


def test_a_fenced_member_begins_anew(cluster: ClusterHarness) -> None:
    """Another process with the name of this replica takes its place; the replica takes it back and carries commands out."""
    replica = cluster.open("a")
    until(lambda: len(replica.owned) == PARTITIONS)
    table = new_table(cluster.gateway)
    table.move()
    impostor = new_consumer(
        replace(cluster.kafka, instance="impostor"),
        GROUP,
        **{
            "group.instance.id": cluster.kafka.topic_prefix + "a",
            "partition.assignment.strategy": "cooperative-sticky",
            "session.timeout.ms": SESSION_MS,
        },
    )
    impostor.subscribe([COMMANDS.name_in(cluster.kafka)])
    end = time.monotonic() + SECONDS
    while not fencings(cluster):
        assert time.monotonic() < end, "the member was not fenced"
        impostor.poll(0.1)
    impostor.close()
    until(lambda: len(replica.owned) == PARTITIONS)
    table.move()
    check_nothing_lost(cluster, [table])


@pytest.mark.soak
def test_the_coordinator_moves_until_members_are_fenced(three_brokers: KafkaServers, tmp_path: Path) -> None:
    """Owners whose group's coordinator is killed again and again, until Kafka fences them by their own names: they
    restart, all partitions have an owner, and every game goes on."""
    with new_topics(three_brokers) as kafka:
        cluster = ClusterHarness(kafka, tmp_path)
        owners = [cluster.open(name) for name in ("a", "b")]
        tables = [new_table(cluster.gateway) for _ in range(4)]
        is_over = Event()
        with ThreadPoolExecutor(len(tables)) as pool:
            playing = [pool.submit(play_until, table, is_over) for table in tables]
            rounds = 0
            while not fencings(cluster):
                rounds += 1
                assert rounds <= ROUNDS_MAX, "no member was fenced"
                coordinator = coordinator_of(kafka, three_brokers)
                coordinator.kill()
                time.sleep(AWAY_SECONDS)
                coordinator.start()
            is_over.set()
            for each in playing:
                each.result()
        until(lambda: sum(len(each.owned) for each in owners) == PARTITIONS, RECOVERY_SECONDS)
        for table in tables:
            for _ in range(MOVES_AFTERWARDS):
                table.move()
        check_nothing_lost(cluster, tables)
        cluster.close()


def play_until(table: Table, is_over: Event) -> None:
    """Move after move."""
    while not is_over.is_set():
        table.move()


def coordinator_of(kafka: KafkaSettings, servers: KafkaServers) -> KafkaNode:
    """The broker that coordinates the owners' group now."""
    admin = AdminClient(client_config(kafka))
    end = time.monotonic() + RECOVERY_SECONDS
    while True:
        (described,) = admin.describe_consumer_groups([kafka.topic_prefix + GROUP]).values()
        problem = described.exception()
        if problem is None:
            number = described.result().coordinator.id
            return next(node for node in servers.nodes if node.node_id == number)
        assert time.monotonic() < end, f"no coordinator: {problem}"
        time.sleep(0.1)
