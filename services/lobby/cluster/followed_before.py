"""The latest standings of all games, as far as the followers' group is done with them.

They never come to the group again, so whoever lost what was made of them reads them here. What the group is not done with
is left to it: taken out of turn it would put thinking time on the wrong players.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from services.common.errors import Unavailable
from services.common.kafka.clients import new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import STANDINGS

ANSWER_SECONDS = 5.0
POLL_SECONDS = 0.5


def followed_before(kafka: KafkaSettings, group: str) -> Iterator[bytes]:
    """The values of the records of `rules.standings` that `group` has committed. Raises `Unavailable`."""
    consumer = new_consumer(kafka, group, **{"enable.partition.eof": True})
    try:
        name = STANDINGS.name_in(kafka)
        places = [TopicPartition(name, partition) for partition in range(STANDINGS.partitions(kafka))]
        for place in consumer.committed(places, ANSWER_SECONDS):
            if place.offset > 0:
                yield from _below(consumer, place)
    except KafkaException as problem:
        raise Unavailable(f"Kafka does not tell how games stand: {problem}") from problem
    finally:
        consumer.close()


def _below(consumer: Consumer, end: TopicPartition) -> Iterator[bytes]:
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
            yield value
    raise Unavailable("Kafka does not tell how games stand in time")
