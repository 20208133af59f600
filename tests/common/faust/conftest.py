"""A few new topics for each test: far quicker than all topics of a platform."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from services.common.kafka.administration import TopicsDiffer, check_topics
from services.common.kafka.clients import client_config
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import BOOKS_PARKED, EVENTS, LEDGER_EVENTS, STANDINGS, Topic
from services.host.brokers.kafka import KafkaServers

from .desk import eventually

FOLLOWED = (EVENTS, STANDINGS, BOOKS_PARKED, LEDGER_EVENTS)


@pytest.fixture
def kafka(kafka_servers: KafkaServers) -> Iterator[KafkaSettings]:
    """A Kafka with new topics for what is followed."""
    settings = kafka_servers.settings(f"t{uuid4().hex[:10]}.", partitions=3)
    admin = AdminClient(client_config(settings))
    topics = [_new(settings, each) for each in FOLLOWED]
    for made in admin.create_topics(topics, operation_timeout=30).values():
        made.result()
    eventually(lambda: not _missing(settings), "the new topics")
    yield settings
    for gone in admin.delete_topics([each.topic for each in topics]).values():
        gone.exception()


def _missing(settings: KafkaSettings) -> bool:
    try:
        check_topics(settings, FOLLOWED)
    except TopicsDiffer:
        return True
    return False


def _new(settings: KafkaSettings, topic: Topic) -> NewTopic:
    return NewTopic(
        topic.name_in(settings),
        topic.partitions(settings),
        settings.replication,
        config=topic.config(settings),
    )
