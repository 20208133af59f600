"""Reads the committed records of topics with kafka-python, a client that writes none of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError

from services.audit.commits import RecordPosition, StoredRecord
from services.common.kafka.clients import KafkaUnreachable, admin_config
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import RECORD_BYTES_MAX, Topic

RECORDS_PER_POLL = 5000
POLL_MS = 50
BOOTSTRAP_MS = 10_000
STILL_SECONDS = 30.0
OPEN_SECONDS = 15.0
FETCH_BYTES = 2 * RECORD_BYTES_MAX


@contextmanager
def reading(kafka: KafkaSettings) -> Iterator[LogReader]:
    """A reader of this Kafka. Raises `KafkaUnreachable`, also while reading."""
    servers = ", ".join(kafka.servers)
    try:
        with ExitStack() as closing:
            consumer = _consumer(kafka, "read_committed")
            closing.callback(consumer.close)
            undecided = _consumer(kafka, "read_uncommitted")
            closing.callback(undecided.close)
            yield LogReader(kafka, consumer, undecided)
    except KafkaError as error:
        raise KafkaUnreachable(f"Kafka at {servers}: {error}") from error


def _consumer(kafka: KafkaSettings, isolation_level: str) -> Any:
    return KafkaConsumer(
        **admin_config(kafka),
        isolation_level=isolation_level,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        max_poll_records=RECORDS_PER_POLL,
        fetch_max_wait_ms=POLL_MS,
        bootstrap_timeout_ms=BOOTSTRAP_MS,
        max_partition_fetch_bytes=FETCH_BYTES,
    )


def _end(consumer: Any, topic_partition: TopicPartition) -> int:
    return int(consumer.end_offsets([topic_partition])[topic_partition])


class LogReader:
    """Reads partitions from their beginning to their current end."""

    def __init__(self, kafka: KafkaSettings, consumer: Any, undecided: Any) -> None:
        """`undecided`: a consumer that also sees records of open transactions, to find the end of partitions."""
        self._kafka = kafka
        self._consumer = consumer
        self._undecided = undecided

    def records(self, topic: Topic, partition: int | None = None, start: int = 0) -> Iterator[StoredRecord]:
        """The committed records of one partition, or of all one after another, in order, from the offset `start` on.

        Waits for open transactions to end; records after one that stays open are not read. Raises `KafkaUnreachable` when
        Kafka returns no further records."""
        chosen = range(topic.partitions(self._kafka)) if partition is None else (partition,)
        for each in chosen:
            yield from self._partition(TopicPartition(topic.name_in(self._kafka), each), start)

    def end(self, topic: Topic, partition: int) -> int:
        """The end offset of a partition, after its last committed record."""
        return _end(self._consumer, TopicPartition(topic.name_in(self._kafka), partition))

    def count(self, topic: Topic) -> int:
        """Number of offsets in a topic: at least the number of records, since transactions add markers."""
        topic_partitions = [
            TopicPartition(topic.name_in(self._kafka), each) for each in range(topic.partitions(self._kafka))
        ]
        ends, beginnings = (
            self._consumer.end_offsets(topic_partitions),
            self._consumer.beginning_offsets(topic_partitions),
        )
        return sum(
            int(ends[topic_partition]) - int(beginnings[topic_partition])
            for topic_partition in topic_partitions
        )

    def _decided_end(self, topic_partition: TopicPartition) -> int:
        """The end offset once all current transactions are committed or aborted; waits no longer than a transaction may
        stay open."""
        wanted = _end(self._undecided, topic_partition)
        latest = time.monotonic() + OPEN_SECONDS
        while (end := _end(self._consumer, topic_partition)) < wanted and time.monotonic() < latest:
            time.sleep(POLL_MS / 1000)
        return end

    def _partition(self, topic_partition: TopicPartition, start: int) -> Iterator[StoredRecord]:
        consumer = self._consumer
        consumer.assign([topic_partition])
        if start:
            consumer.seek(topic_partition, start)
        else:
            consumer.seek_to_beginning(topic_partition)
        end = self._decided_end(topic_partition)
        advanced_at = time.monotonic()
        while consumer.position(topic_partition) < end:
            before = consumer.position(topic_partition)
            for record in consumer.poll(timeout_ms=POLL_MS).get(topic_partition, ()):
                if record.offset < end:
                    at = RecordPosition(topic_partition.topic, topic_partition.partition, record.offset)
                    yield StoredRecord(at, record.key or b"", record.value)
            if consumer.position(topic_partition) > before:
                advanced_at = time.monotonic()
            elif time.monotonic() - advanced_at > STILL_SECONDS:
                raise KafkaUnreachable(
                    f"{topic_partition.topic} partition {topic_partition.partition}: no record after offset {before} of {end}"
                )
