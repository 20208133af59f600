"""A few topics of their own for tests: far quicker than all topics of a platform."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from confluent_kafka.admin import AdminClient, NewTopic

from devtools.brokers.kafka import KafkaServers
from services.common.kafka.clients import client_config
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import (
    GAME_STATUSES,
    LEDGER_EVENTS,
    LOBBY_DEAD_LETTERS,
    LOBBY_EVENTS,
    LOBBY_SUMMARIES,
    Topic,
)

LEADER_SECONDS = 60.0
OF_A_REPLICA = (GAME_STATUSES, LEDGER_EVENTS, LOBBY_EVENTS, LOBBY_SUMMARIES, LOBBY_DEAD_LETTERS)
"""What a replica of the lobby reads and writes."""


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
    _await_leaders(admin, [each.topic for each in wanted])
    try:
        yield kafka
    finally:
        for gone in admin.delete_topics([each.topic for each in wanted]).values():
            gone.exception()


def _await_leaders(admin: AdminClient, names: list[str]) -> None:
    """Topics just made have none for a moment."""
    end = time.monotonic() + LEADER_SECONDS
    while time.monotonic() < end:
        known = admin.list_topics(timeout=LEADER_SECONDS).topics
        found = [known[name] for name in names if name in known]
        if len(found) == len(names) and all(
            topic.partitions and all(each.leader >= 0 for each in topic.partitions.values())
            for topic in found
        ):
            return
    raise TimeoutError(f"no leaders: {names}")
