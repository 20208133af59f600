"""Up to which time the consumer group has consumed the statuses of a game, on whichever replica."""

from __future__ import annotations

import threading
import time
from functools import partial

from confluent_kafka import KafkaError, KafkaException, TopicPartition

from services.common.errors import Unavailable
from services.common.kafka.clients import new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import GAME_STATUSES
from services.common.partitions import partition_of

ANSWER_SECONDS = 5.0
POLL_SECONDS = 0.5
BEFORE_ANY_TIME = 0
# Usually there is nothing left to read, and the broker reports the end of a partition only after this wait.
END_WAIT_MS = 10


class ConsumerProgress:
    """Asks Kafka for the progress of a consumer group, without joining it.

    Records below the committed offset have been consumed. The time of the first record at or after that offset is the time
    up to which everything has been consumed; if there is none, everything has been consumed up to now."""

    def __init__(self, kafka: KafkaSettings, group: str) -> None:
        self._kafka = kafka
        self._topic = GAME_STATUSES.name_in(kafka)
        self._lock = threading.Lock()
        options = {"enable.partition.eof": True, "fetch.wait.max.ms": END_WAIT_MS}
        self._new_consumer = partial(new_consumer, kafka, group, **options)
        self._consumer = self._new_consumer()

    def of_game(self, game_id: str) -> int:
        """The time before which all the game's statuses have been consumed, milliseconds since 1970 UTC. Raises `Unavailable`."""
        return self.of_partition(partition_of(game_id, GAME_STATUSES.partitions(self._kafka)))

    def of_partition(self, partition: int) -> int:
        """The same for all games of one partition. Raises `Unavailable`."""
        asked_ms = time.time_ns() // 1_000_000
        with self._lock:
            try:
                first_ms = self._first_unconsumed_ms(partition)
            except (KafkaException, ClientFailed) as problem:
                self._renew()
                raise Unavailable(
                    f"the progress of the consumer group cannot be read: {problem}"
                ) from problem
        return asked_ms if first_ms is None else min(first_ms, asked_ms)

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._consumer.close()

    def _renew(self) -> None:
        """A failed client may never answer again, or only with stale offsets."""
        self._consumer.close()
        self._consumer = self._new_consumer()

    def _first_unconsumed_ms(self, partition: int) -> int | None:
        consumer, asked = self._consumer, TopicPartition(self._topic, partition)
        committed = consumer.committed([asked], ANSWER_SECONDS)[0].offset
        lowest, _ = consumer.get_watermark_offsets(asked, ANSWER_SECONDS)
        consumer.assign([TopicPartition(self._topic, partition, max(committed, lowest))])
        try:
            end = time.monotonic() + ANSWER_SECONDS
            while time.monotonic() < end:
                for message in poll_messages(consumer, POLL_SECONDS, 0):
                    error = message.error()
                    if error is None:
                        return message.timestamp()[1]
                    if error.code() == KafkaError._PARTITION_EOF:
                        return None
            return BEFORE_ANY_TIME
        finally:
            consumer.unassign()
