"""All there is of one key, for tools and tests."""

from __future__ import annotations

from collections.abc import Iterator

from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition

from services.common.kafka.clients import ANSWER_SECONDS, new_consumer
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import Topic
from services.common.partitions import partition_of


def records_of_key(kafka: KafkaSettings, topic: Topic, key: str) -> Iterator[Message]:
    """All committed records with this key, as many as there are now. Raises `KafkaException` when Kafka is silent."""
    start = TopicPartition(topic.name_in(kafka), partition_of(key, topic.partitions(kafka)), 0)
    consumer = new_consumer(kafka, "reader", **{"enable.partition.eof": True})
    try:
        consumer.assign([start])
        while True:
            message = consumer.poll(ANSWER_SECONDS)
            if message is None:
                raise KafkaException(KafkaError(KafkaError._TIMED_OUT))
            problem = message.error()
            if problem is not None:
                if problem.code() == KafkaError._PARTITION_EOF:
                    return
                raise KafkaException(problem)
            if message.key() == key.encode():
                yield message
    finally:
        consumer.close()
