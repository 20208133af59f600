"""The progress of the consumer group of statuses."""

from __future__ import annotations

import time

import pytest

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.topics import GAME_STATUSES
from services.lobby.cluster.consumer_progress import ConsumerProgress
from tests.lobby.kafka_topics import own_topics

pytestmark = pytest.mark.integration

QUESTIONS = 60
SECONDS = 20.0


def test_a_partition_with_nothing_left_answers_at_once(kafka_servers: KafkaServers) -> None:
    """Many games are asked for one after the other; the broker must not hold every answer back for news."""
    with own_topics(kafka_servers, GAME_STATUSES) as kafka:
        progress = ConsumerProgress(kafka, "lobby.results")
        began = time.monotonic()
        assert all(progress.of_partition(0) > 0 for _ in range(QUESTIONS))
        took = time.monotonic() - began
        progress.close()
    assert took < SECONDS
