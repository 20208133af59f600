"""How far the followers of standings have come."""

from __future__ import annotations

import time

import pytest

from services.common.kafka.topics import STANDINGS
from services.host.brokers.kafka import KafkaServers
from services.lobby.cluster.told_until import ToldUntil
from tests.lobby.kafka_topics import own_topics

pytestmark = pytest.mark.integration

QUESTIONS = 60
SECONDS = 20.0


def test_a_partition_with_nothing_left_answers_at_once(kafka_servers: KafkaServers) -> None:
    """Many games are asked for one after the other; the broker must not hold every answer back for news."""
    with own_topics(kafka_servers, STANDINGS) as kafka:
        told = ToldUntil(kafka, "lobby.results")
        began = time.monotonic()
        assert all(told.of_partition(0) > 0 for _ in range(QUESTIONS))
        took = time.monotonic() - began
        told.close()
    assert took < SECONDS
