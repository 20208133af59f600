"""Waits until the local copy of the log has everything that any replica has acknowledged."""

from __future__ import annotations

from services.common.errors import Unavailable
from services.common.kafka.clients import KafkaUnreachable
from services.common.kafka.copy import LogCopy
from services.common.kafka.partition_ends import PartitionEnds
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_EVENTS

SECONDS = 5.0
ONLY_PARTITION = 0


class CopyFreshness:
    """The `Freshness` port: asks Kafka where the log ends and waits for the copy to be there."""

    def __init__(self, kafka: KafkaSettings, copy: LogCopy) -> None:
        self._copy = copy
        self._partition = (LOBBY_EVENTS.name_in(kafka), ONLY_PARTITION)
        self._ends = PartitionEnds(kafka, LOBBY_EVENTS, f"lobby.fresh.{kafka.instance}")
        self._is_behind = False

    @property
    def is_current(self) -> bool:
        """False while the copy is known to lag. If Kafka does not answer, the last known value remains."""
        return not self._is_behind and self._copy.is_following

    def __call__(self) -> None:
        """See `Freshness`. Raises `Unavailable` when Kafka does not answer."""
        try:
            end = self._ends.of(ONLY_PARTITION, SECONDS)
        except KafkaUnreachable as problem:
            raise Unavailable(f"the log does not answer: {problem}") from problem
        self._is_behind = not self._copy.wait_for({self._partition: end}, SECONDS)
        if self._is_behind:
            raise Unavailable("the log is not read up to date yet; send the request again")

    def close(self) -> None:
        """Close the connection."""
        self._ends.close()
