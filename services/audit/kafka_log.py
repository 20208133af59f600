"""The records of topics as they stand: committed ones only, read by kafka-python, the client that writes none of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError

from services.audit.commits import KeptRecord, Place
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
    """A reader of this Kafka. Raises `KafkaUnreachable`, also later when Kafka stops answering."""
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


def _end(consumer: Any, place: TopicPartition) -> int:
    return int(consumer.end_offsets([place])[place])


class LogReader:
    """Reads partitions from their beginning to where they end now."""

    def __init__(self, kafka: KafkaSettings, consumer: Any, undecided: Any) -> None:
        """`undecided` asks where partitions end, records of open transactions counted."""
        self._kafka = kafka
        self._consumer = consumer
        self._undecided = undecided

    def records(self, topic: Topic, partition: int | None = None) -> Iterator[KeptRecord]:
        """The committed records of one partition, or of all one after another, in order.

        A transaction whose end is told in one partition after another is waited for, and what stands behind one that stays
        open not read. Raises `KafkaUnreachable` when Kafka stops handing records out."""
        chosen = range(topic.partitions(self._kafka)) if partition is None else (partition,)
        for each in chosen:
            yield from self._partition(TopicPartition(topic.name_in(self._kafka), each))

    def end(self, topic: Topic, partition: int) -> int:
        """Where a partition ends now, behind everything that is committed."""
        return _end(self._consumer, TopicPartition(topic.name_in(self._kafka), partition))

    def count(self, topic: Topic) -> int:
        """Offsets in a topic: at least as many as records, since transactions leave marks of their own."""
        places = [
            TopicPartition(topic.name_in(self._kafka), each) for each in range(topic.partitions(self._kafka))
        ]
        ends, beginnings = self._consumer.end_offsets(places), self._consumer.beginning_offsets(places)
        return sum(int(ends[place]) - int(beginnings[place]) for place in places)

    def _decided_end(self, place: TopicPartition) -> int:
        """Where a partition ends when all that stands in it now is committed or given up, but not longer waited for than any
        transaction may be open."""
        wanted = _end(self._undecided, place)
        latest = time.monotonic() + OPEN_SECONDS
        while (end := _end(self._consumer, place)) < wanted and time.monotonic() < latest:
            time.sleep(POLL_MS / 1000)
        return end

    def _partition(self, place: TopicPartition) -> Iterator[KeptRecord]:
        consumer = self._consumer
        consumer.assign([place])
        consumer.seek_to_beginning(place)
        end = self._decided_end(place)
        moved = time.monotonic()
        while consumer.position(place) < end:
            before = consumer.position(place)
            for record in consumer.poll(timeout_ms=POLL_MS).get(place, ()):
                if record.offset < end:
                    at = Place(place.topic, place.partition, record.offset)
                    yield KeptRecord(at, record.key or b"", record.value)
            if consumer.position(place) > before:
                moved = time.monotonic()
            elif time.monotonic() - moved > STILL_SECONDS:
                raise KafkaUnreachable(
                    f"{place.topic} partition {place.partition}: nothing beyond offset {before} of {end} comes"
                )
