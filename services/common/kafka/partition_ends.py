"""Where the partitions of a topic end, asked again and again over one connection, or a new one after every failure: a client
may use outdated leaders for minutes after brokers were lost."""

from __future__ import annotations

import threading
import time

from confluent_kafka import Consumer, KafkaException, TopicPartition

from services.common.kafka.clients import KafkaUnreachable, new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic


class PartitionEnds:
    """Safe to use from many threads, who are answered one after another. `close` ends it."""

    def __init__(self, kafka: KafkaSettings, topic: Topic, group: str, counts_open: bool = True) -> None:
        """`counts_open` False: only what no open transaction holds back, as far as any reader can get."""
        self._kafka = kafka
        self._isolation = "read_uncommitted" if counts_open else "read_committed"
        self._group = group
        self._name = topic.name_in(kafka)
        self._lock = threading.Lock()
        self._consumer: Consumer | None = None

    def of(self, partition: int, seconds: float) -> int:
        """The offset after the last record. Raises `KafkaUnreachable` when Kafka does not say so in time.

        The time counts from the call: waiting for others who ask is part of it."""
        target = TopicPartition(self._name, partition)
        deadline = time.monotonic() + seconds
        ends = None
        if self._lock.acquire(timeout=seconds):
            try:
                left = deadline - time.monotonic()
                ends = self._connected().get_watermark_offsets(target, left) if left > 0 else None
            except KafkaException as problem:
                self._disconnect()
                raise KafkaUnreachable(f"{self._name} partition {partition}: {problem}") from problem
            finally:
                self._lock.release()
        if ends is None or ends[1] < 0:
            raise KafkaUnreachable(f"{self._name} partition {partition}: no answer within {seconds:g} s")
        return ends[1]

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._disconnect()

    def _connected(self) -> Consumer:
        if self._consumer is None:
            self._consumer = new_consumer(self._kafka, self._group, **{"isolation.level": self._isolation})
        return self._consumer

    def _disconnect(self) -> None:
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            consumer.close()
