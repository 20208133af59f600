"""The progress of the consumer group of statuses."""

from __future__ import annotations

import time
from statistics import median

import pytest

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.topics import GAME_STATUSES
from services.lobby.cluster.consumer_progress import ConsumerProgress
from tests.lobby.kafka_topics import own_topics

pytestmark = pytest.mark.integration

QUESTIONS = 40
# A broker that waits for news holds an answer back for half a second.
SECONDS_MOST = 0.25


def test_a_partition_with_nothing_left_answers_at_once(kafka_servers: KafkaServers) -> None:
    """Many games are asked for one after the other; the broker must not hold every answer back for news."""
    with own_topics(kafka_servers, GAME_STATUSES) as kafka:
        progress = ConsumerProgress(kafka, "lobby.results")
        took = []
        for _ in range(QUESTIONS):
            began = time.monotonic()
            assert progress.of_partition(0) > 0
            took.append(time.monotonic() - began)
        progress.close()
    assert median(took) < SECONDS_MOST
