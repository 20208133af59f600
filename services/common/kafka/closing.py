"""Closing a set of topics: a process that still has its settings can read and can write nothing, and no service starts on it.

A closed topic takes no batch larger than the marker of a transaction (`max.message.bytes`). So the brokers themselves refuse
every record, whatever process sends it and however long it was paused; what began before still ends.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from confluent_kafka import KafkaError, KafkaException, Message, Producer
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaError as AdministrationError

from services.common.kafka.administration import topic_states
from services.common.kafka.clients import (
    ANSWER_SECONDS,
    KafkaUnreachable,
    new_admin,
    new_transactional_producer,
)
from services.common.kafka.offsets import closed_topics
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import CLOSED_BYTES, SIZE, TOPICS, PartitionName, Topic

PROBE_ID = "close"
# Random, so that no compression brings it below the size that is let through.
PROBE_BYTES = 4 * CLOSED_BYTES
PROBE_KEY = b"close"
# Brokers learn of a setting one after another.
CHANGING_SECONDS = 30.0
AGAIN_SECONDS = 0.05
PROBES_AT_ONCE = 20


def close_topics(kafka: KafkaSettings, topics: Sequence[Topic] = TOPICS, *, is_proven: bool = True) -> None:
    """Close what is there of these topics; back when every partition has refused a record. May be repeated.

    Unless it `is_proven`, brokers may take a record that was on its way for some moments more.

    Raises `KafkaUnreachable`, also where a partition does not refuse."""
    there = [state.topic for state in topic_states(kafka, topics) if not state.is_missing]
    _set_size(kafka, there, lambda _topic: CLOSED_BYTES)
    if is_proven:
        _wait_until_refused(kafka, there)


def open_topics(kafka: KafkaSettings, topics: Sequence[Topic] = TOPICS) -> None:
    """Let these topics take records as declared; back when a broker says so. May be repeated. Raises `KafkaUnreachable`."""
    _set_size(kafka, topics, lambda topic: int(topic.config(kafka)[SIZE]))
    deadline = time.monotonic() + CHANGING_SECONDS
    while closed := closed_topics(kafka, topics):
        if time.monotonic() > deadline:
            raise KafkaUnreachable(f"topics that were opened still take no records: {', '.join(closed)}")
        time.sleep(AGAIN_SECONDS)


def _set_size(kafka: KafkaSettings, topics: Sequence[Topic], size_of: Callable[[Topic], int]) -> None:
    admin = new_admin(kafka)
    try:
        sizes = {topic.name_in(kafka): str(size_of(topic)) for topic in topics}
        changes = [
            ConfigResource(ConfigResourceType.TOPIC, name, {SIZE: size}) for name, size in sizes.items()
        ]
        answers = admin.alter_configs(changes).get("topic", {}) if changes else {}
    except AdministrationError as error:
        raise KafkaUnreachable(f"Kafka at {', '.join(kafka.servers)}: {error}") from error
    finally:
        admin.close()
    refused = [f"{name}: {answer}" for name, answer in answers.items() if answer != "OK"]
    if refused:
        raise KafkaUnreachable(f"Kafka at {', '.join(kafka.servers)}: {'; '.join(refused)}")


def _wait_until_refused(kafka: KafkaSettings, topics: Sequence[Topic]) -> None:
    """Raises `KafkaUnreachable` for those that take records all the time."""
    taking = {
        (topic.name_in(kafka), partition) for topic in topics for partition in range(topic.partitions(kafka))
    }
    deadline = time.monotonic() + CHANGING_SECONDS
    try:
        producer = new_transactional_producer(kafka, kafka.topic_prefix + PROBE_ID, log_level=0)
        producer.init_transactions(ANSWER_SECONDS)
        while taking:
            refused = _refusing(producer, taking)
            taking -= refused
            if refused:
                deadline = time.monotonic() + CHANGING_SECONDS
            elif time.monotonic() > deadline:
                raise KafkaUnreachable(f"topics cannot be closed, records are taken by {sorted(taking)}")
            else:
                time.sleep(AGAIN_SECONDS)
    except KafkaException as problem:
        raise KafkaUnreachable(f"Kafka at {', '.join(kafka.servers)}: {problem}") from problem


def _refusing(producer: Producer, partitions: set[PartitionName]) -> set[PartitionName]:
    """Which of these are seen to refuse a record. What is written is in a transaction that is aborted: nobody reads it."""
    refusing: set[PartitionName] = set()

    def answered(error: KafkaError | None, message: Message) -> None:
        if error is not None and error.code() == KafkaError.MSG_SIZE_TOO_LARGE:
            refusing.add((message.topic() or "", message.partition() or 0))

    producer.begin_transaction()
    try:
        for topic, partition in sorted(partitions)[:PROBES_AT_ONCE]:
            producer.produce(topic, os.urandom(PROBE_BYTES), PROBE_KEY, partition, on_delivery=answered)
    except KafkaException as problem:
        # After the first refusal, which may come before the last record was made, the client takes no more in this transaction.
        if problem.args[0].code() != KafkaError._STATE:
            raise
    producer.flush(ANSWER_SECONDS)
    producer.abort_transaction(ANSWER_SECONDS)
    return refusing
