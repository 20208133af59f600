"""A few topics of their own for tests: far quicker than all topics of a platform."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from confluent_kafka.admin import AdminClient, NewTopic

from services.common.kafka.clients import client_config
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic
from services.host.brokers.kafka import KafkaServers


@contextmanager
def own_topics(servers: KafkaServers, *topics: Topic, partitions: int = 2) -> Iterator[KafkaSettings]:
    """These topics under a new prefix; gone at the end."""
    kafka = servers.settings(f"t{uuid4().hex[:10]}.", partitions=partitions)
    admin = AdminClient(client_config(kafka))
    wanted = [
        NewTopic(each.name_in(kafka), each.partitions(kafka), config=each.config(kafka)) for each in topics
    ]
    for made in admin.create_topics(wanted).values():
        made.result()
    try:
        yield kafka
    finally:
        for gone in admin.delete_topics([each.topic for each in wanted]).values():
            gone.exception()
