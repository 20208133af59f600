"""Brokers of our own: killed, started again, paused, with guarded doors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.brokers.kafka import KafkaServers
from devtools.brokers.kafka_properties import STRANGER
from devtools.brokers.missing import BrokersMissing
from devtools.brokers.opening import open_kafka, open_redis
from services.common.kafka.clients import new_consumer, new_producer
from services.common.kafka.settings import KafkaSettings
from tests.brokers import need

pytestmark = pytest.mark.integration
TOPIC = "kept"
SECONDS = 60.0


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaServers]:
    """Three brokers with a topic that all of them keep."""
    try:
        servers = open_kafka(tmp_path_factory.mktemp("three"), brokers=3)
    except BrokersMissing as error:
        need(str(error))
    with servers:
        create_topic(servers.settings())
        yield servers


def create_topic(settings: KafkaSettings) -> None:
    """The topic of these tests, one partition."""
    from confluent_kafka.admin import AdminClient
    from confluent_kafka.cimpl import NewTopic

    from services.common.kafka.clients import client_config

    topic = NewTopic(TOPIC, 1, settings.replication)
    admin = AdminClient(client_config(settings))
    for made in admin.create_topics([topic]).values():
        made.result(SECONDS)


def send(settings: KafkaSettings, value: bytes) -> None:
    """One acknowledged record."""
    producer = new_producer(settings)
    failures: list[object] = []
    producer.produce(TOPIC, value, on_delivery=lambda error, _: failures.append(error))
    producer.flush(SECONDS)
    assert failures == [None]


def read(settings: KafkaSettings, count: int) -> list[bytes]:
    """The first records of the topic."""
    from confluent_kafka import TopicPartition

    consumer = new_consumer(settings, "reader")
    consumer.assign([TopicPartition(TOPIC, 0, 0)])
    found: list[bytes] = []
    deadline = time.monotonic() + SECONDS
    while len(found) < count and time.monotonic() < deadline:
        found += [
            message.value() or b"" for message in consumer.consume(count, 1.0) if message.error() is None
        ]
    consumer.close()
    return found


def leader(settings: KafkaSettings) -> int:
    """The broker that leads the topic, as the cluster tells it; -1 for none."""
    consumer = new_consumer(settings, "looker")
    try:
        partitions = consumer.list_topics(TOPIC, timeout=SECONDS).topics[TOPIC].partitions
        # A broker that has just come up knows of none yet.
        return int(partitions[0].leader) if partitions else -1
    finally:
        consumer.close()


def wait_for(look: Callable[[], int], *unwanted: int) -> int:
    """What is seen as soon as it is none of these; fails after a minute."""
    deadline = time.monotonic() + SECONDS
    while (seen := look()) in unwanted:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return seen


@pytest.mark.soak
def test_three_brokers_elect_a_new_leader_and_lose_nothing(three: KafkaServers) -> None:
    """With the leader killed another one serves; back again, the killed one has all it had."""
    settings = three.settings()
    assert settings.replication == 3
    send(settings, b"before")
    first = wait_for(lambda: leader(settings), -1)
    killed = three.nodes[first - 1]
    killed.kill()
    assert not killed.is_running
    wait_for(lambda: leader(settings), -1, first)
    send(settings, b"without it")
    killed.start()
    assert (killed.data / f"{TOPIC}-0").is_dir()
    assert read(three.settings(servers=(killed.address,)), 2) == [b"before", b"without it"]


@pytest.mark.soak
def test_a_paused_leader_is_replaced(three: KafkaServers) -> None:
    """A leader that stands still is another one's follower when it goes on."""
    settings = three.settings()
    first = wait_for(lambda: leader(settings), -1)
    paused = three.nodes[first - 1]
    others = tuple(node.address for node in three.nodes if node is not paused)
    paused.pause()
    try:
        wait_for(lambda: leader(three.settings(servers=others)), -1, first)
    finally:
        paused.resume()
    send(settings, b"after the pause")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("protocol", "mechanism"), [("SASL_SSL", "SCRAM-SHA-512"), ("SASL_PLAINTEXT", "PLAIN")]
)
def test_guarded_doors_let_in_who_may(tmp_path: Path, protocol: str, mechanism: str) -> None:
    """With the password a client writes and reads; a stranger may do neither."""
    try:
        servers = open_kafka(tmp_path / "kafka", protocol=protocol, mechanism=mechanism)  # type: ignore[arg-type]
    except BrokersMissing as error:
        need(str(error))
    with servers:
        settings = servers.settings()
        assert (settings.protocol, settings.mechanism) == (protocol, mechanism)
        create_topic(settings)
        send(settings, b"guarded")
        assert read(settings, 1) == [b"guarded"]
        stranger = new_consumer(servers.settings(user=STRANGER), "stranger")
        assert TOPIC not in stranger.list_topics(timeout=SECONDS).topics
        stranger.close()


@pytest.mark.soak
def test_tls_asks_clients_for_their_certificate(tmp_path: Path) -> None:
    """With its own certificate a client comes in, without one it does not."""
    try:
        servers = open_kafka(tmp_path / "kafka", protocol="SSL")
    except BrokersMissing as error:
        need(str(error))
    with servers:
        create_topic(servers.settings())
        from confluent_kafka import KafkaException

        bare = new_consumer(servers.settings(certificate_file=None, key_file=None), "bare")
        with pytest.raises(KafkaException):
            bare.list_topics(timeout=3)
        bare.close()


def test_redis_is_killed_and_comes_back_empty(tmp_path: Path) -> None:
    """Password and TLS at its door; what was in it is gone with a kill."""
    try:
        server = open_redis(tmp_path / "redis", has_password=True, has_tls=True)
    except BrokersMissing as error:
        need(str(error))
    with server:
        with server.client() as client:
            client.set("key", "value")
        server.kill()
        server.start()
        with server.client() as client:
            assert client.get("key") is None
        bare = type(server)(server.address, access=type(server.access)(None, server.access.certificates))
        from redis import AuthenticationError

        with bare.client() as client, pytest.raises(AuthenticationError):
            client.get("key")
