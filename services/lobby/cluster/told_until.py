"""Up to which time the standings of a game have been followed, by whichever replica."""

from __future__ import annotations

import threading
import time
from functools import partial

from confluent_kafka import KafkaError, KafkaException, TopicPartition

from services.common.errors import Unavailable
from services.common.kafka.clients import new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import STANDINGS, partition_of

ANSWER_SECONDS = 5.0
POLL_SECONDS = 0.5
BEFORE_ANY_TIME = 0
# Mostly nothing is left, and the broker tells the end of a partition only after this long.
END_TOLD_MS = 10


class ToldUntil:
    """Asks Kafka how far the followers' group has come, without joining it.

    What the group has committed was followed. The first standing behind that tells the time up to which everything is
    known; where there is none, everything is known up to the moment of asking."""

    def __init__(self, kafka: KafkaSettings, group: str) -> None:
        self._kafka = kafka
        self._topic = STANDINGS.name_in(kafka)
        self._lock = threading.Lock()
        options = {"enable.partition.eof": True, "fetch.wait.max.ms": END_TOLD_MS}
        self._new_consumer = partial(new_consumer, kafka, group, **options)
        self._consumer = self._new_consumer()

    def of_game(self, game_id: str) -> int:
        """Milliseconds since 1970 UTC: the game's standings written before have been followed. Raises `Unavailable`."""
        return self.of_partition(partition_of(game_id, STANDINGS.partitions(self._kafka)))

    def of_all(self) -> int:
        """The same for all games. Raises `Unavailable`."""
        return min(self.of_partition(each) for each in range(STANDINGS.partitions(self._kafka)))

    def of_partition(self, partition: int) -> int:
        """The same for all games of one partition. Raises `Unavailable`."""
        asked_ms = time.time_ns() // 1_000_000
        with self._lock:
            try:
                first_ms = self._first_not_followed_ms(partition)
            except (KafkaException, ClientFailed) as problem:
                self._renew()
                raise Unavailable(f"Kafka does not tell how far the lobby has come: {problem}") from problem
        return asked_ms if first_ms is None else min(first_ms, asked_ms)

    def close(self) -> None:
        """Hang up."""
        with self._lock:
            self._consumer.close()

    def _renew(self) -> None:
        """A client that failed may never answer again, or only with what it knew before."""
        self._consumer.close()
        self._consumer = self._new_consumer()

    def _first_not_followed_ms(self, partition: int) -> int | None:
        consumer, place = self._consumer, TopicPartition(self._topic, partition)
        committed = consumer.committed([place], ANSWER_SECONDS)[0].offset
        lowest, _ = consumer.get_watermark_offsets(place, ANSWER_SECONDS)
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
