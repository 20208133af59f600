"""Offsets of topics and consumer groups, and the identity of a topic that was created anew under the same name."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from confluent_kafka import (
    IsolationLevel,
    KafkaError,
    KafkaException,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, OffsetSpec

from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable, client_config, new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import PartitionName, Topic

RETRY_SECONDS = 0.05
NEWS_SECONDS = 5.0
POLL_SECONDS = 0.5
# The end of a partition is reported only after this wait.
END_WAIT_MS = 10
NOT_YET = (
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.UNKNOWN_TOPIC_OR_PART,
    KafkaError._NOENT,
    KafkaError.FENCED_LEADER_EPOCH,
    KafkaError.UNKNOWN_LEADER_EPOCH,
    KafkaError.OFFSET_NOT_AVAILABLE,
)
Answer = TypeVar("Answer")


def beginnings(kafka: KafkaSettings, topics: Sequence[Topic]) -> dict[PartitionName, int]:
    """The first offset of every partition. Raises `KafkaUnreachable`."""
    return _offsets(kafka, topics, OffsetSpec.earliest())


def ends(kafka: KafkaSettings, topics: Sequence[Topic]) -> dict[PartitionName, int]:
    """The offset after the last record of every partition, including open transactions. Raises `KafkaUnreachable`."""
    return _offsets(kafka, topics, OffsetSpec.latest())


def committed_ends(kafka: KafkaSettings, topics: Sequence[Topic]) -> dict[PartitionName, int]:
    """As `ends`, up to the first open transaction: as far as a reader can get. Raises `KafkaUnreachable`."""
    return _offsets(kafka, topics, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)


def group_offsets(kafka: KafkaSettings, group: str, topic: Topic) -> dict[PartitionName, int]:
    """The next offset of a consumer group (named without the platform's prefix) in every partition; 0 where it has
    committed nothing. Raises `KafkaUnreachable`.

    By a consumer that does not join: the library's `list_consumer_group_offsets` ends the process by a segmentation fault
    when a broker is lost meanwhile (seen with confluent-kafka 2.16.1)."""
    name = topic.name_in(kafka)
    wanted = [TopicPartition(name, partition) for partition in range(topic.partitions(kafka))]
    consumer = new_consumer(kafka, group)
    try:
        committed = consumer.committed(wanted, ANSWER_SECONDS)
    except KafkaException as problem:
        raise KafkaUnreachable(f"offsets of the group {group} in {name}: {problem}") from problem
    finally:
        consumer.close()
    failed = [each.error for each in committed if each.error is not None]
    if failed:
        raise KafkaUnreachable(f"offsets of the group {group} in {name}: {failed[0]}")
    return {(name, each.partition): max(each.offset, 0) for each in committed}


def has_committed_records(
    kafka: KafkaSettings, group: str, topic: Topic, partition: int, offset: int
) -> bool:
    """Whether a consumer group at this offset gets a record before the end, asked without joining it. Markers of transactions
    are none, nor is what was written in one that was aborted or is open. Raises `KafkaUnreachable`."""
    place = TopicPartition(topic.name_in(kafka), partition, offset)
    consumer = new_consumer(kafka, group, **{"enable.partition.eof": True, "fetch.wait.max.ms": END_WAIT_MS})
    deadline = time.monotonic() + ANSWER_SECONDS
    try:
        consumer.assign([place])
        while time.monotonic() < deadline:
            message = consumer.poll(POLL_SECONDS)
            if message is None:
                continue
            error = message.error()
            if error is None:
                return True
            if error.code() == KafkaError._PARTITION_EOF:
                return False
    except KafkaException as problem:
        raise KafkaUnreachable(f"records of {place.topic} partition {partition}: {problem}") from problem
    finally:
        consumer.close()
    raise KafkaUnreachable(
        f"records of {place.topic} partition {partition}: no answer in {ANSWER_SECONDS:.0f} s"
    )


def identity_of(kafka: KafkaSettings, topics: Sequence[Topic]) -> str:
    """An identity of these topics that topics created anew do not share. Raises `KafkaUnreachable`."""
    names = [topic.name_in(kafka) for topic in topics]

    def describe(admin: AdminClient) -> str:
        described = admin.describe_topics(TopicCollection(names), request_timeout=ANSWER_SECONDS)
        return " ".join(f"{name}:{future.result().topic_id}" for name, future in sorted(described.items()))

    return _answered(kafka, describe, names)


def _offsets(
    kafka: KafkaSettings,
    topics: Sequence[Topic],
    spec: OffsetSpec,
    isolation: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
) -> dict[PartitionName, int]:
    wanted = {
        TopicPartition(topic.name_in(kafka), partition): spec
        for topic in topics
        for partition in range(topic.partitions(kafka))
    }

    def ask(admin: AdminClient) -> dict[PartitionName, int]:
        found = admin.list_offsets(wanted, isolation_level=isolation, request_timeout=ANSWER_SECONDS)
        return {(each.topic, each.partition): future.result().offset for each, future in found.items()}

    return _answered(kafka, ask, [topic.name_in(kafka) for topic in topics])


def _answered(
    kafka: KafkaSettings, question: Callable[[AdminClient], Answer], names: Sequence[str]
) -> Answer:
    """Kafka's answer; retried while a topic is so new that not every broker knows it, or has no leader."""
    admin = AdminClient(client_config(kafka))
    end = time.monotonic() + NEWS_SECONDS
    while True:
        try:
            return question(admin)
        except KafkaException as problem:
            if problem.args[0].code() not in NOT_YET or time.monotonic() > end:
                where = ", ".join(kafka.servers)
                raise KafkaUnreachable(f"Kafka at {where}, topics {', '.join(names)}: {problem}") from problem
            time.sleep(RETRY_SECONDS)
