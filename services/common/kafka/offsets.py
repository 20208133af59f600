"""Offsets of topics and consumer groups, and the identity of a topic that was created anew under the same name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

from confluent_kafka import (
    Consumer,
    IsolationLevel,
    KafkaError,
    KafkaException,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, ConfigResource, OffsetSpec

from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable, client_config, new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.kept_clients import KEPT
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import CLOSED_BYTES, SIZE, PartitionName, Topic

RETRY_SECONDS = 0.05
NEWS_SECONDS = 5.0
POLL_SECONDS = 0.5
# The end of a partition is reported only after this wait.
END_WAIT_MS = 10
# One that is connected answers in milliseconds; a new one is asked where it does not.
KEPT_CLIENT_SECONDS = 1.0
# What goes wrong is raised; nobody polls such a client for lines in between.
SILENT = {"log_level": 0}
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
Question: TypeAlias = Callable[[AdminClient, float], Answer]
"""Asks a client, for so many seconds at most."""


def beginnings(kafka: KafkaSettings, topics: Sequence[Topic]) -> dict[PartitionName, int]:
    """The first offset of every partition. Raises `KafkaUnreachable`."""
    return _offsets(kafka, topics, OffsetSpec.earliest())


def ends(kafka: KafkaSettings, topics: Sequence[Topic]) -> dict[PartitionName, int]:
    """The offset after the last record of every partition, including open transactions. Raises `KafkaUnreachable`."""
    return _offsets(kafka, topics, OffsetSpec.latest())


def committed_ends(kafka: KafkaSettings, topics: Sequence[Topic]) -> dict[PartitionName, int]:
    """As `ends`, up to the first open transaction: as far as a reader can get. Raises `KafkaUnreachable`."""
    return _offsets(kafka, topics, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)


class OffsetReader:
    """Asks again and again about one Kafka: about topics as the functions of this module do, about each consumer group by a
    client of its own. After a failure they are made anew: a client may use outdated leaders for minutes after brokers were
    lost. For one thread; `close` ends it.

    Groups are asked about by a consumer that does not join: the library's `list_consumer_group_offsets` ends the process by a
    segmentation fault when a broker is lost meanwhile (seen with confluent-kafka 2.16.1)."""

    def __init__(self, kafka: KafkaSettings) -> None:
        """Connects at the first question."""
        self._kafka = kafka
        self._consumers: dict[str, Consumer] = {}

    def beginnings(self, topics: Sequence[Topic]) -> dict[PartitionName, int]:
        """The first offset of every partition. Raises `KafkaUnreachable`."""
        with self._renewed_after_failure():
            return beginnings(self._kafka, topics)

    def ends(self, topics: Sequence[Topic]) -> dict[PartitionName, int]:
        """See the function of this name."""
        with self._renewed_after_failure():
            return ends(self._kafka, topics)

    def committed_ends(self, topics: Sequence[Topic]) -> dict[PartitionName, int]:
        """See the function of this name."""
        with self._renewed_after_failure():
            return committed_ends(self._kafka, topics)

    def group_offsets(self, group: str, topic: Topic) -> dict[PartitionName, int]:
        """The next offset of a consumer group (named without the platform's prefix) in every partition; 0 where it has
        committed nothing. Raises `KafkaUnreachable`."""
        name = topic.name_in(self._kafka)
        wanted = [TopicPartition(name, partition) for partition in range(topic.partitions(self._kafka))]
        with self._renewed_after_failure():
            try:
                committed = self._consumer(group).committed(wanted, ANSWER_SECONDS)
            except KafkaException as problem:
                raise KafkaUnreachable(f"offsets of the group {group} in {name}: {problem}") from problem
            failed = [each.error for each in committed if each.error is not None]
            if failed:
                raise KafkaUnreachable(f"offsets of the group {group} in {name}: {failed[0]}")
        return {(name, each.partition): max(each.offset, 0) for each in committed}

    def has_committed_records(self, group: str, topic: Topic, partition: int, offset: int) -> bool:
        """Whether a consumer group at this offset gets a record before the end, asked without joining it. Markers of transactions
        are none, nor is what was written in one that was aborted or is open. Raises `KafkaUnreachable`."""
        place = TopicPartition(topic.name_in(self._kafka), partition, offset)
        with self._renewed_after_failure():
            try:
                consumer = self._consumer(group)
                consumer.assign([place])
                found = _has_record(consumer)
                consumer.unassign()
            except (KafkaException, ClientFailed) as problem:
                raise KafkaUnreachable(
                    f"records of {place.topic} partition {partition}: {problem}"
                ) from problem
            if found is None:
                waited = f"no answer in {ANSWER_SECONDS:.0f} s"
                raise KafkaUnreachable(f"records of {place.topic} partition {partition}: {waited}")
            return found

    def close(self) -> None:
        """Disconnect. May be called again; the next question connects anew."""
        consumers, self._consumers = self._consumers, {}
        for consumer in consumers.values():
            consumer.close()

    @contextmanager
    def _renewed_after_failure(self) -> Iterator[None]:
        try:
            yield
        except KafkaUnreachable:
            self.close()
            raise

    def _consumer(self, group: str) -> Consumer:
        if group not in self._consumers:
            options = {"enable.partition.eof": True, "fetch.wait.max.ms": END_WAIT_MS} | SILENT
            self._consumers[group] = new_consumer(self._kafka, group, **options)
        return self._consumers[group]


def _has_record(consumer: Consumer) -> bool | None:
    """Whether the partition assigned has a record from there on; None when no answer comes in time."""
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        for message in poll_messages(consumer, POLL_SECONDS, 0):
            error = message.error()
            if error is None:
                return True
            if error.code() == KafkaError._PARTITION_EOF:
                return False
    return None


def closed_topics(kafka: KafkaSettings, topics: Sequence[Topic]) -> list[str]:
    """Those of these topics that take no records any more (`closing.py`), by their names in Kafka. Raises `KafkaUnreachable`."""
    names = [topic.name_in(kafka) for topic in topics]
    if not names:
        return []

    def sizes(admin: AdminClient, seconds: float) -> dict[str, int]:
        resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]
        asked = admin.describe_configs(resources, request_timeout=seconds)
        return {each.name: int(future.result()[SIZE].value) for each, future in asked.items()}

    found = _answered(kafka, sizes, names)
    return sorted(name for name, size in found.items() if size <= CLOSED_BYTES)


def identity_of(kafka: KafkaSettings, topics: Sequence[Topic]) -> str:
    """An identity of these topics that topics created anew do not share. Raises `KafkaUnreachable`."""
    names = [topic.name_in(kafka) for topic in topics]

    def describe(admin: AdminClient, seconds: float) -> str:
        described = admin.describe_topics(TopicCollection(names), request_timeout=seconds)
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

    def ask(admin: AdminClient, seconds: float) -> dict[PartitionName, int]:
        asked = admin.list_offsets(wanted, isolation_level=isolation, request_timeout=seconds)
        found = {(each.topic, each.partition): future.result().offset for each, future in asked.items()}
        if any(offset < 0 for offset in found.values()):
            # The client's word for an answer that names no offset, as seen where leaders had just changed.
            raise KafkaException(KafkaError(KafkaError.OFFSET_NOT_AVAILABLE))
        return found

    return _answered(kafka, ask, [topic.name_in(kafka) for topic in topics])


def _answered(kafka: KafkaSettings, question: Question[Answer], names: Sequence[str]) -> Answer:
    """Kafka's answer, by the client that the process keeps, or by a new one, which it keeps from then on."""
    kept = KEPT.client(kafka)
    if kept is not None:
        try:
            return question(kept, KEPT_CLIENT_SECONDS)
        except KafkaException:
            # It may use outdated leaders for minutes.
            KEPT.drop(kept)
    client = AdminClient(client_config(kafka) | SILENT)
    answer = _asked_again(kafka, question, names, client)
    KEPT.keep(kafka, client)
    return answer


def _asked_again(
    kafka: KafkaSettings, question: Question[Answer], names: Sequence[str], client: AdminClient
) -> Answer:
    """Retried while a topic is so new that not every broker knows it, or has no leader."""
    end = time.monotonic() + NEWS_SECONDS
    while True:
        try:
            return question(client, ANSWER_SECONDS)
        except KafkaException as problem:
            if problem.args[0].code() not in NOT_YET or time.monotonic() > end:
                where = ", ".join(kafka.servers)
                raise KafkaUnreachable(f"Kafka at {where}, topics {', '.join(names)}: {problem}") from problem
            time.sleep(RETRY_SECONDS)
