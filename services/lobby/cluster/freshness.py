"""Knowing everything that any replica of the lobby has acknowledged."""

from __future__ import annotations

import threading

from confluent_kafka import KafkaException, TopicPartition

from services.common.errors import Unavailable
from services.common.kafka.clients import new_consumer
from services.common.kafka.copy import LogCopy
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_EVENTS

SECONDS = 5.0
ONLY_PARTITION = 0


class CopyFreshness:
    """The `Freshness` port: asks Kafka where the log ends and waits for the copy to be there."""

    def __init__(self, kafka: KafkaSettings, copy: LogCopy) -> None:
        self._copy = copy
        self._place = (LOBBY_EVENTS.name_in(kafka), ONLY_PARTITION)
        self._lock = threading.Lock()
        self._consumer = new_consumer(kafka, f"lobby.fresh.{kafka.instance}")
        self._is_behind = False

    @property
    def is_current(self) -> bool:
        """False while the copy is shown to be far behind. While Kafka does not answer nothing can be shown."""
        return not self._is_behind and self._copy.is_following

    def __call__(self) -> None:
        """See `Freshness`. Raises `Unavailable` when Kafka does not answer."""
        try:
            with self._lock:
                _, end = self._consumer.get_watermark_offsets(TopicPartition(*self._place), SECONDS)
        except KafkaException as problem:
            raise Unavailable(f"the log does not answer: {problem}") from problem
        self._is_behind = not self._copy.wait_for({self._place: end}, SECONDS)
        if self._is_behind:
            raise Unavailable("the log is not read up to date yet; send the request again")

    def close(self) -> None:
        """Hang up."""
        with self._lock:
            self._consumer.close()
