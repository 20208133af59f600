"""A topic read from its beginning, or from where a reader was, and then on, in a thread of its own, by everybody who wants to
know all of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Message, TopicPartition

from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable, new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.offsets import ends
from services.common.kafka.progress import OwnReader
from services.common.kafka.renewed import RenewedProducer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic
from services.common.kafka.writing import ONE_BY_ONE, write_record
from services.common.partitions import partition_of
from services.common.process.threads import ServiceThread
from services.common.settings.service import SettingsError
from services.common.telemetry.logs import get_logger

POLL_SECONDS = 0.2
RETRY_SECONDS = 0.5
TOGETHER_MAX = 1000
# So much comes without the lag of a reader who has one.
GATHERED_BYTES = 64 * 1024


class TailRecord(NamedTuple):
    """A committed record of the topic."""

    partition: int
    offset: int
    key: str
    value: bytes | None


TakeRecords = Callable[[Sequence[TailRecord]], None]


def one_by_one(take: Callable[[str, bytes | None], None]) -> TakeRecords:
    """For a reader who wants key and value of each record."""

    def take_each(records: Sequence[TailRecord]) -> None:
        for record in records:
            take(record.key, record.value)

    return take_each


class TopicTail:
    """Every committed record of a topic, brought to `take` in the order of its partition; records of its own can be
    written as well."""

    def __init__(
        self,
        kafka: KafkaSettings,
        topic: Topic,
        take: TakeRecords,
        start: Mapping[int, int] | None = None,
        lag_ms: int = 0,
    ) -> None:
        """`take` is given records in the thread of the tail and must not raise. `start`: the partitions to be read at first,
        each from its next offset; all from their beginning unless given. `lag_ms`: how much later records may come, so that
        many come at once: that costs brokers and reader much less."""
        self._kafka = kafka
        self._topic = topic
        self._name = topic.name_in(kafka)
        self._take = take
        self._gathering = {"fetch.min.bytes": GATHERED_BYTES, "fetch.wait.max.ms": lag_ms} if lag_ms else {}
        self._next = dict.fromkeys(range(topic.partitions(kafka)), 0) if start is None else dict(start)
        self._wanted: Mapping[int, int] | None = None
        self._moved = threading.Condition()
        self._is_closed = False
        self._thread: ServiceThread | None = None
        self._log = get_logger("kafka")

    def start(self) -> None:
        """Begin to read. Errors of making a client are raised here, not in the thread."""
        self._thread = ServiceThread(f"tail {self._topic.name}", self._read, self._new_consumer())
        self._thread.start()

    @cached_property
    def _producer(self) -> RenewedProducer:
        """Made by the first who writes: most tails are only read."""
        return RenewedProducer(self._kafka, **ONE_BY_ONE)

    def progress_reader(self) -> OwnReader:
        """How far the topic is read."""
        return OwnReader(f"tail of {self._topic.name}", self._topic, lambda: dict(self._next))

    def read_only(self, start: Mapping[int, int]) -> None:
        """Read these partitions from now on, and no other: from the given offsets those that are not read already."""
        with self._moved:
            asked_before = self._wanted or {}
            self._wanted = {each: asked_before.get(each, offset) for each, offset in start.items()}

    def wait_current(self, seconds: float = ANSWER_SECONDS) -> None:
        """Wait until all that was in the topic at the call was taken, of the partitions to be read. Raises
        `KafkaUnreachable` when it takes longer."""
        found = ends(self._kafka, [self._topic])
        wanted = {name[1]: end for name, end in found.items()}
        with self._moved:
            reached = self._moved.wait_for(lambda: self._is_closed or self._has_reached(wanted), seconds)
        if not reached:
            raise KafkaUnreachable(f"topic {self._name} was not read to its end within {seconds:g} s")

    def _has_reached(self, wanted: Mapping[int, int]) -> bool:
        return self._wanted is None and all(at >= wanted[each] for each, at in self._next.items())

    def is_current_within(self, seconds: float) -> bool:
        """`wait_current`; False when it takes longer or Kafka does not answer."""
        try:
            self.wait_current(seconds)
        except KafkaUnreachable:
            return False
        return True

    def write(self, key: str, value: bytes | None) -> None:
        """A record, in the log for good when this returns. Raises `NotWritten`."""
        partition = partition_of(key, self._topic.partitions(self._kafka))
        write_record(self._producer, self._name, partition, key, value)

    def close(self) -> None:
        """Stop reading. May be called again."""
        with self._moved:
            self._is_closed = True
            self._moved.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _new_consumer(self) -> Consumer:
        # Offsets are never committed under this group.
        options = {"enable.partition.eof": True} | self._gathering
        return new_consumer(self._kafka, f"{self._topic.name}.tail", **options)

    def _read(self, consumer: Consumer | None) -> None:
        """Read on, with a new consumer whenever one fails."""
        while not self._is_closed:
            try:
                self._read_with_one(consumer or self._new_consumer())
            except (KafkaException, ClientFailed, SettingsError) as problem:
                self._log.error(
                    "the topic is read on with a new client", topic=self._name, problem=str(problem)
                )
                time.sleep(RETRY_SECONDS)
            consumer = None

    def _read_with_one(self, consumer: Consumer) -> None:
        try:
            self._assign(consumer)
            while not self._is_closed:
                if self._wanted is not None:
                    self._assign(consumer)
                self._note(poll_messages(consumer, POLL_SECONDS, TOGETHER_MAX - 1))
        finally:
            consumer.close()

    def _assign(self, consumer: Consumer) -> None:
        with self._moved:
            if self._wanted is not None:
                self._next = {each: self._next.get(each, offset) for each, offset in self._wanted.items()}
                self._wanted = None
            begins = [
                TopicPartition(self._name, each, offset or OFFSET_BEGINNING)
                for each, offset in self._next.items()
            ]
        consumer.assign(begins)

    def _note(self, messages: Sequence[Message]) -> None:
        records: list[TailRecord] = []
        reached: dict[int, int] = {}
        for message in messages:
            error, partition, offset = message.error(), message.partition() or 0, message.offset() or 0
            if error is None:
                key = (message.key() or b"").decode("utf-8", "replace")
                records.append(TailRecord(partition, offset, key, message.value()))
            elif error.code() != KafkaError._PARTITION_EOF:
                # The library logs it and continues when it can.
                continue
            reached[partition] = offset + (error is None)
        if records:
            self._take(records)
        with self._moved:
            self._next.update((each, at) for each, at in reached.items() if each in self._next)
            self._moved.notify_all()
