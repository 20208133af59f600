"""Backfill: the latest statuses of the games of a partition that the consumer group has committed already.

The group does not receive them again, so a replica that lost its summaries reads them here. Statuses that the group has not
committed are left to it: handled out of order they would count thinking time for the wrong players.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TypeAlias

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from services.common.errors import Unavailable
from services.common.kafka.clients import new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import GAME_STATUSES

ANSWER_SECONDS = 5.0
POLL_SECONDS = 0.5
Key: TypeAlias = bytes | str | None


def consumed_records(kafka: KafkaSettings, group: str, partition: int) -> Iterator[tuple[bytes, Key]]:
    """The values and keys of the records of a partition of `rules.game_statuses` that `group` has committed. Raises
    `Unavailable`."""
    consumer = new_consumer(kafka, group, **{"enable.partition.eof": True})
    try:
        asked = TopicPartition(GAME_STATUSES.name_in(kafka), partition)
        (committed,) = consumer.committed([asked], ANSWER_SECONDS)
        if committed.offset > 0:
            yield from _below(consumer, committed)
    except KafkaException as problem:
        raise Unavailable(f"the statuses of games cannot be read: {problem}") from problem
    finally:
        consumer.close()


def _below(consumer: Consumer, end: TopicPartition) -> Iterator[tuple[bytes, Key]]:
    lowest, _ = consumer.get_watermark_offsets(end, ANSWER_SECONDS)
    consumer.assign([TopicPartition(end.topic, end.partition, lowest)])
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        message = consumer.poll(POLL_SECONDS)
        if message is None:
            continue
        error, offset, value = message.error(), message.offset(), message.value()
        if error is not None and error.code() != KafkaError._PARTITION_EOF:
            raise KafkaException(error)
        if error is not None or offset is None or offset >= end.offset:
            return
        deadline = time.monotonic() + ANSWER_SECONDS
        if value:
            yield value, message.key()
    raise Unavailable("the statuses of games cannot be read in time")
