"""A Kafka for followers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.settings import KafkaSettings

from .followers import followed_topics


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with new topics for what is followed."""
    with followed_topics(kafka_servers) as settings:
        yield settings
