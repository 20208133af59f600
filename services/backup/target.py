"""The Kafka into which a backup is restored: what is in it, and writing what is missing.

Each partition gets a given sequence of records. What is there already must be its beginning, so that a restore that was cut off
goes on, and nothing is written over another platform.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from confluent_kafka import KafkaError, KafkaException, Message
from kafka.errors import KafkaError as AdministrationError

from services.backup.contents import TOPICS, Source, names_in
from services.backup.format import NO_RECORDS, BackedUpRecord, chained, record_of
from services.backup.reading import read_between
from services.common.errors import SignalboxError
from services.common.kafka.administration import topic_states
from services.common.kafka.clients import KafkaUnreachable, new_admin, new_producer
from services.common.kafka.offsets import committed_ends
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import TOPICS as ALL_TOPICS, Topic
from services.common.process import crashpoints

DELIVERY_SECONDS = 60.0
LINGER_MS = 20
FULL_QUEUE_SECONDS = 1.0


class NotEmpty(SignalboxError):
    """Kafka has something that is not of this backup. Nothing was written over it."""


@dataclass(frozen=True, slots=True)
class Content:
    """Records of a partition: how many, and their digest (`format.chained`)."""

    records: int = 0
    digest: str = NO_RECORDS

    def with_record(self, record: BackedUpRecord) -> Content:
        """With one more at the end."""
        return Content(self.records + 1, chained(self.digest, record))


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


def scan(kafka: KafkaSettings, topics: Sequence[Topic]) -> Iterable[tuple[Source, BackedUpRecord]]:
    """All committed records of these topics. Raises `KafkaUnreachable`."""
    names = names_in(kafka)
    for message in read_between(kafka, {}, committed_ends(kafka, topics)):
        source = names[message.topic() or "", message.partition() or 0]
        yield source, record_of(message, source[0])


def content_of(records: Iterable[tuple[Source, BackedUpRecord]]) -> dict[Source, Content]:
    """What partitions have that have any of these records."""
    found: dict[Source, Content] = {}
    for source, record in records:
        found[source] = found.get(source, Content()).with_record(record)
    return found


class Filling:
    """Brings partitions to their sequences of records. `present`: what they have already."""

    def __init__(self, kafka: KafkaSettings, present: Mapping[Source, Content], *, writes: bool) -> None:
        """Without `writes` it only compares what is there."""
        self._kafka = kafka
        self._names = {source: name for name, source in names_in(kafka).items()}
        self._present = present
        self._problem: KafkaError | None = None
        self.content: dict[Source, Content] = {}
        """What partitions have when all records are written that were added so far."""
        options = {
            "linger.ms": LINGER_MS,
            "enable.gapless.guarantee": True,
            "delivery.timeout.ms": int(DELIVERY_SECONDS * 1000),
        }
        self._producer = new_producer(kafka, **options) if writes else None

    def add(self, source: Source, record: BackedUpRecord) -> None:
        """The next record of a partition. Raises `NotEmpty` if another one is there, and `KafkaUnreachable`."""
        content = self.content.get(source, Content()).with_record(record)
        self.content[source] = content
        present = self._present.get(source, Content())
        if content.records == present.records and content.digest != present.digest:
            raise self._other_content(source)
        if content.records > present.records and self._producer is not None:
            self._write(source, record)

    def finish(self) -> None:
        """Come back when everything is written. Raises `NotEmpty` for records beyond the last one added, `KafkaUnreachable`."""
        for source, present in self._present.items():
            if present.records > self.content.get(source, Content()).records:
                raise self._other_content(source)
        if self._producer is not None and self._producer.flush(DELIVERY_SECONDS):
            raise KafkaUnreachable(f"Kafka at {', '.join(self._kafka.servers)} does not take records")
        self._raise_problem()

    def _write(self, source: Source, record: BackedUpRecord) -> None:
        assert self._producer is not None
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
                raise KafkaUnreachable(f"Kafka at {', '.join(self._kafka.servers)}: {problem}") from problem
            else:
                self._producer.poll(0)
                return

    def _delivered(self, error: KafkaError | None, _message: Message) -> None:
        if error is not None:
            self._problem = self._problem or error

    def _raise_problem(self) -> None:
        if self._problem is not None:
            raise KafkaUnreachable(f"Kafka at {', '.join(self._kafka.servers)}: {self._problem}")

    def _other_content(self, source: Source) -> NotEmpty:
        topic, partition = self._names[source]
        return NotEmpty(
            f"Kafka at {', '.join(self._kafka.servers)} is not empty: "
            f"{topic}, partition {partition}, has other records than the backup"
        )
