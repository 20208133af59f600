"""The Kafka into which a backup is restored: what is in it, and writing what is missing.

Each partition gets a given sequence of records. What is there already must be its beginning, so that a restore that was cut off
goes on, and nothing is written over another platform.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from confluent_kafka import KafkaError, KafkaException, Message
from kafka.errors import KafkaError as AdministrationError

from services.backup.contents import TOPICS, Source, names_in
from services.backup.format import BackedUpRecord, Content, record_of
from services.backup.prepared import Filled
from services.backup.reading import read_between
from services.common.errors import SignalboxError
from services.common.kafka.administration import topic_states
from services.common.kafka.clients import KafkaUnreachable, new_admin, new_producer
from services.common.kafka.offsets import committed_ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import TOPICS as ALL_TOPICS, PartitionName, Topic
from services.common.process import crashpoints

DELIVERY_SECONDS = 60.0
LINGER_MS = 20
FULL_QUEUE_SECONDS = 1.0
NOTHING: Mapping[PartitionName, int] = MappingProxyType({})


class NotEmpty(SignalboxError):
    """Kafka has something that is not of this backup. Nothing was written over it."""


def check_unused(kafka: KafkaSettings) -> None:
    """Raises `NotEmpty` where topics that no backup has have records, or consumer groups of the platform are known, whose
    offsets would be wrong. Raises `KafkaUnreachable`."""
    others = [topic for topic in ALL_TOPICS if topic not in TOPICS]
    used = _with_records(kafka, others)
    groups = _groups(kafka)
    if used or groups:
        found = [
            *(f"topic {name} has records" for name in used),
            *(f"consumer group {name}" for name in groups),
        ]
        raise NotEmpty(f"Kafka at {', '.join(kafka.servers)} is not empty: {'; '.join(found)}")


def _with_records(kafka: KafkaSettings, topics: Sequence[Topic]) -> list[str]:
    there = [state.topic for state in topic_states(kafka, topics) if not state.is_missing]
    return sorted({name for (name, _), end in committed_ends(kafka, there).items() if end}) if there else []


def _groups(kafka: KafkaSettings) -> list[str]:
    own = tuple({f"{kafka.topic_prefix}{topic.name.partition('.')[0]}." for topic in ALL_TOPICS})
    admin = new_admin(kafka)
    try:
        return sorted(name for each in admin.list_groups() if (name := each["group_id"]).startswith(own))
    except AdministrationError as error:
        raise KafkaUnreachable(f"Kafka at {', '.join(kafka.servers)}: {error}") from error
    finally:
        admin.close()


def scan(
    kafka: KafkaSettings,
    topics: Sequence[Topic],
    starts: Mapping[PartitionName, int] = NOTHING,
    ends: Mapping[PartitionName, int] | None = None,
) -> Iterable[tuple[Source, BackedUpRecord]]:
    """The committed records of these topics, all or between these offsets. Raises `KafkaUnreachable`."""
    names = names_in(kafka)
    for message in read_between(kafka, starts, committed_ends(kafka, topics) if ends is None else ends):
        source = names[message.topic() or "", message.partition() or 0]
        yield source, record_of(message, source[0])


def filled_now(kafka: KafkaSettings, topics: Sequence[Topic], before: Filled) -> Filled:
    """What partitions have that have any of these records, when `before` is known. Raises `KafkaUnreachable`."""
    ends = committed_ends(kafka, topics)
    content = dict(before.content)
    for source, record in scan(kafka, topics, before.ends, ends):
        content[source] = content.get(source, Content()).with_record(record)
    return Filled(ends, content)


class RecordWriter:
    """Writes records into given partitions, in order."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._servers = ", ".join(kafka.servers)
        self._names = {source: name for name, source in names_in(kafka).items()}
        self._problem: KafkaError | None = None
        options = {
            "linger.ms": LINGER_MS,
            "enable.gapless.guarantee": True,
            "delivery.timeout.ms": int(DELIVERY_SECONDS * 1000),
        }
        self._producer = new_producer(kafka, **options)

    def write(self, source: Source, record: BackedUpRecord) -> None:
        """Write a record at the end of a partition. Raises `KafkaUnreachable`."""
        crashpoints.reach("restore.before-write")
        topic, partition = self._names[source]
        while True:
            self._raise_problem()
            try:
                self._producer.produce(
                    topic,
                    record.value,
                    record.key,
                    partition,
                    timestamp=record.timestamp_ms,
                    headers=list(record.headers),
                    on_delivery=self._delivered,
                )
            except BufferError:
                self._producer.poll(FULL_QUEUE_SECONDS)
            except KafkaException as problem:
                raise KafkaUnreachable(f"Kafka at {self._servers}: {problem}") from problem
            else:
                self._producer.poll(0)
                return

    def finish(self) -> None:
        """Come back when everything is written. Raises `KafkaUnreachable`."""
        if self._producer.flush(DELIVERY_SECONDS):
            raise KafkaUnreachable(f"Kafka at {self._servers} does not take records")
        self._raise_problem()

    def _delivered(self, error: KafkaError | None, _message: Message) -> None:
        if error is not None:
            self._problem = self._problem or error

    def _raise_problem(self) -> None:
        if self._problem is not None:
            raise KafkaUnreachable(f"Kafka at {self._servers}: {self._problem}")


class Filling:
    """Brings partitions to their sequences of records. What they have beyond `after` must be the beginning of what is added."""

    def __init__(
        self, present: Mapping[Source, Content], after: Mapping[Source, Content], writer: RecordWriter | None
    ) -> None:
        """`present`: what partitions have already. `after`: what they have before the first record that is added. Without a
        `writer` it only compares what is there."""
        self._present = present
        self._writer = writer
        self.content: dict[Source, Content] = dict(after)
        """What partitions have when all records are written that were added so far."""

    def add(self, source: Source, record: BackedUpRecord) -> None:
        """The next record of a partition. Raises `NotEmpty` if another one is there, and `KafkaUnreachable`."""
        content = self.content.get(source, Content()).with_record(record)
        self.content[source] = content
        present = self._present.get(source, Content())
        if content.records == present.records and content.digest != present.digest:
            raise _other_content(source)
        if content.records > present.records and self._writer is not None:
            self._writer.write(source, record)

    def finish(self) -> None:
        """Come back when everything is written. Raises `NotEmpty` for records beyond the last one added, `KafkaUnreachable`."""
        for source, present in self._present.items():
            if present.records > self.content.get(source, Content()).records:
                raise _other_content(source)
        if self._writer is not None:
            self._writer.finish()


def _other_content(source: Source) -> NotEmpty:
    return NotEmpty(
        f"Kafka is not empty: {source[0]}, partition {source[1]}, has other records than the backup"
    )
