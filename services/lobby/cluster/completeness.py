"""Of which partitions every game has its summary in `lobby.summaries`: known to all replicas, and over restarts of all of them.

It is noted in the offsets of a consumer group of its own, with the identity of the topic: who loses the topic loses the notes.
A game's first summary is in the topic before its status counts as consumed, so what is complete once stays so. Kafka forgets
the notes of a platform that stood still for a week (`offsets.retention.minutes`); then games are looked for once more."""

from __future__ import annotations

from collections.abc import Collection

from confluent_kafka import KafkaException, TopicPartition

from services.common.errors import Unavailable
from services.common.kafka.clients import new_consumer
from services.common.kafka.offsets import identity_of
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import LOBBY_SUMMARIES

GROUP = "lobby.summaries"
ANSWER_SECONDS = 5.0
# Says nothing; an offset has to be some number.
OFFSET = 1


class Completeness:
    """The notes of all replicas."""

    def __init__(self, kafka: KafkaSettings) -> None:
        """Raises `KafkaUnreachable`."""
        self._kafka = kafka
        self._topic = LOBBY_SUMMARIES.name_in(kafka)
        self._identity = identity_of(kafka, [LOBBY_SUMMARIES])
        self.partitions: frozenset[int] = frozenset()
        """Those known to be complete."""

    def look(self) -> None:
        """Learn what others noted. Raises `Unavailable`."""
        asked = [TopicPartition(self._topic, each) for each in range(LOBBY_SUMMARIES.partitions(self._kafka))]
        consumer = new_consumer(self._kafka, GROUP)
        try:
            found = consumer.committed(asked, ANSWER_SECONDS)
        except KafkaException as problem:
            raise Unavailable(f"which summaries are complete cannot be read: {problem}") from problem
        finally:
            consumer.close()
        noted = {each.partition for each in found if each.metadata == self._identity}
        self.partitions |= noted

    def note(self, partitions: Collection[int]) -> None:
        """All games of these partitions have their summaries, from now on. Noted again they are kept for another week. Raises
        `Unavailable`."""
        notes = [
            TopicPartition(self._topic, each, OFFSET, metadata=self._identity) for each in sorted(partitions)
        ]
        consumer = new_consumer(self._kafka, GROUP)
        try:
            consumer.commit(offsets=notes, asynchronous=False)
        except KafkaException as problem:
            raise Unavailable(f"which summaries are complete cannot be noted: {problem}") from problem
        finally:
            consumer.close()
        self.partitions |= frozenset(partitions)
