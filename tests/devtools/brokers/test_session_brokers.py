"""The brokers that all tests of a session share."""

from __future__ import annotations

import pytest

from devtools.brokers.redis import RedisServer
from services.common.kafka.clients import new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import TOPICS

pytestmark = pytest.mark.integration


def test_topics_of_a_test_are_there(kafka: KafkaSettings) -> None:
    """Each topic stands under the test's prefix with its number of partitions."""
    consumer = new_consumer(kafka, "looker")
    found = consumer.list_topics(timeout=60).topics
    consumer.close()
    ours = {
        name: len(about.partitions) for name, about in found.items() if name.startswith(kafka.topic_prefix)
    }
    assert ours == {topic.name_in(kafka): topic.partitions(kafka) for topic in TOPICS}


def test_redis_keeps_what_a_test_puts_under_its_prefix(redis_server: RedisServer, redis_prefix: str) -> None:
    """A key under the prefix can be read again."""
    with redis_server.client() as client:
        client.set(f"{redis_prefix}key", "value")
        assert client.get(f"{redis_prefix}key") == b"value"
