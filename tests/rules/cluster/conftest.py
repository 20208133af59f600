"""Replicas of the rules service on a real Kafka, with the smallest title."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.settings import KafkaSettings
from tests.rules.cluster.harness import ClusterHarness, new_topics


@pytest.fixture
def own_kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with empty topics of rules for this test alone."""
    with new_topics(kafka_servers) as kafka:
        yield kafka


@pytest.fixture(scope="module")
def shared_kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with topics of rules for the tests of this module."""
    with new_topics(kafka_servers) as kafka:
        yield kafka


@pytest.fixture
def cluster(own_kafka: KafkaSettings, tmp_path: Path) -> Iterator[ClusterHarness]:
    """Opens replicas for this test."""
    cluster = ClusterHarness(own_kafka, tmp_path)
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def shared_cluster(
    shared_kafka: KafkaSettings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ClusterHarness]:
    """One replica, called "a", for the tests of this module; each plays games of its own."""
    cluster = ClusterHarness(replace(shared_kafka, instance="shared"), tmp_path_factory.mktemp("copies"))
    cluster.open("a")
    yield cluster
    cluster.close()
