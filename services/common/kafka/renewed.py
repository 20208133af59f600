"""A producer for good: one that is beyond repair is replaced, so that only what it had at hand has to be sent again."""

from __future__ import annotations

import threading
from typing import Any

from confluent_kafka import KafkaException

from services.common.kafka.clients import new_producer
from services.common.kafka.consuming import is_fatal
from services.common.kafka.settings import KafkaSettings
from services.common.telemetry.logs import get_logger
from services.common.telemetry.record_bytes import note_bytes


class RenewedProducer:
    """Used like a producer, by many threads."""

    def __init__(self, kafka: KafkaSettings, **options: Any) -> None:
        """`options` as for `new_producer`."""
        self._kafka = kafka
        self._options = options
        self._lock = threading.Lock()
        self._log = get_logger("kafka")
        self._producer = new_producer(kafka, **options)

    def produce(self, topic: str, value: bytes | None, key: bytes, partition: int, **options: Any) -> None:
        """As `Producer.produce`. One that fails for good is replaced before this raises what it said."""
        producer = self._producer
        try:
            producer.produce(topic, value, key, partition, **options)
            note_bytes("written", topic, key, value)
        except KafkaException as error:
            if is_fatal(error.args[0]):
                with self._lock:
                    if self._producer is producer:
                        self._log.error("a producer is replaced", problem=str(error))
                        self._producer = new_producer(self._kafka, **self._options)
                # What it still had is reported as not delivered.
                producer.purge()
                producer.flush(0)
            raise

    def poll(self, seconds: float) -> None:
        """As `Producer.poll`."""
        self._producer.poll(seconds)

    def flush(self, seconds: float) -> int:
        """As `Producer.flush`."""
        return self._producer.flush(seconds)
