"""What tests of followers share: topics written to, handlers that take notes, waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic
from prometheus_client import CollectorRegistry

from devtools.brokers.kafka import KafkaServers
from services.common.faust.records import FollowedRecord, Handler
from services.common.faust.runner import FollowerApp
from services.common.kafka.administration import TopicsDiffer, check_topics
from services.common.kafka.clients import client_config, new_producer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import BOOKS_DEAD_LETTERS, EVENTS, GAME_STATUSES, LEDGER_EVENTS, Topic
from services.common.partitions import partition_of

TIMEOUT_SECONDS = 90.0
ANSWER_SECONDS = 60.0
FOLLOWED = (EVENTS, GAME_STATUSES, BOOKS_DEAD_LETTERS, LEDGER_EVENTS)


@contextmanager
def followed_topics(servers: KafkaServers) -> Iterator[KafkaSettings]:
    """New topics for what is followed, gone at the end: far quicker than all topics of a platform."""
    settings = servers.settings(f"t{uuid4().hex[:10]}.", partitions=3)
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


def eventually(condition: Callable[[], object], what: str) -> None:
    """Return as soon as the condition holds; fails the test when it does not in time."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end, f"not in time: {what}"
        time.sleep(0.02)


class Writer:
    """Writes records as rules does: by game, in transactions where wanted."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._kafka = kafka
        self._producer = new_producer(kafka)

    def write(self, values: list[tuple[str, bytes]], topic: Topic = EVENTS) -> None:
        """Records of (game, value), acknowledged."""
        self._produce(self._producer, values, topic)
        assert self._producer.flush(ANSWER_SECONDS) == 0

    def write_together(self, values: list[tuple[str, bytes]], name: str, *, is_kept: bool) -> None:
        """Records in one transaction, committed or taken back."""
        producer = new_producer(self._kafka, **{"transactional.id": self._kafka.topic_prefix + name})
        producer.init_transactions(ANSWER_SECONDS)
        producer.begin_transaction()
        self._produce(producer, values, EVENTS)
        producer.flush(ANSWER_SECONDS)
        if is_kept:
            producer.commit_transaction(ANSWER_SECONDS)
        else:
            producer.abort_transaction(ANSWER_SECONDS)

    def _produce(self, producer: object, values: list[tuple[str, bytes]], topic: Topic) -> None:
        for game, value in values:
            partition = partition_of(game, topic.partitions(self._kafka))
            producer.produce(topic.name_in(self._kafka), value, game.encode(), partition)  # type: ignore[attr-defined]


class Notes:
    """A handler that notes what it is given; `refuse` may raise for a record."""

    def __init__(self, refuse: Callable[[FollowedRecord], None] = lambda _record: None) -> None:
        self.seen: list[FollowedRecord] = []
        self.tried = 0
        self.refuse = refuse
        self._lock = threading.Lock()

    def __call__(self, record: FollowedRecord) -> None:
        """See `Handler`."""
        with self._lock:
            self.tried += 1
        self.refuse(record)
        with self._lock:
            self.seen.append(record)

    def values(self, game: str | None = None) -> list[bytes]:
        """Values in the order of handling, of one game or all."""
        with self._lock:
            return [each.value for each in self.seen if game in (None, each.key)]


@contextmanager
def follower(
    kafka: KafkaSettings,
    folder: Path,
    events: Handler,
    standings: Handler | None = None,
    name: str = "test.follower",
    registry: CollectorRegistry | None = None,
) -> Iterator[FollowerApp]:
    """A follower of rules.events, and of rules.game_statuses where a handler is given; stopped at the end."""
    app = FollowerApp(kafka, name, folder, registry)
    app.follow(EVENTS, BOOKS_DEAD_LETTERS, events)
    if standings is not None:
        app.follow(GAME_STATUSES, BOOKS_DEAD_LETTERS, standings)
    app.start()
    try:
        yield app
    finally:
        app.stop()
