"""Replicas of the rules service on a real Kafka, with the smallest title."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.common.kafka.settings import KafkaSettings
from services.host.brokers.kafka import KafkaServers
from tests.rules.cluster.house import House, new_topics


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
def house(own_kafka: KafkaSettings, tmp_path: Path) -> Iterator[House]:
    """Opens replicas for this test."""
    house = House(own_kafka, tmp_path)
    yield house
    house.close()


@pytest.fixture(scope="module")
def shared_house(shared_kafka: KafkaSettings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One replica, called "a", for the tests of this module; each plays games of its own."""
    house = House(replace(shared_kafka, instance="shared"), tmp_path_factory.mktemp("copies"))
    house.open("a")
    yield house
    house.close()
