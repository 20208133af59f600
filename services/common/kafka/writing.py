"""One record on its own, in the log for good before anything else is done."""

from __future__ import annotations

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable
from services.common.kafka.renewed import RenewedProducer

# Failures come back with each record; nobody polls such a producer for lines in between.
ONE_BY_ONE = {"message.timeout.ms": int(ANSWER_SECONDS * 1000), "log_level": 0}


class NotWritten(KafkaUnreachable):
    """Kafka did not take a record, or did not say so in time; it may be written again."""


def write_record(
    producer: Producer | RenewedProducer, topic: str, partition: int, key: str, value: bytes | None
) -> None:
    """Write and wait until it is in the log. `producer` is made with `ONE_BY_ONE`. Raises `NotWritten`."""
    answers: list[KafkaError | None] = []

    def answered(error: KafkaError | None, _message: Message) -> None:
        answers.append(error)

    try:
        producer.produce(topic, value, key.encode(), partition, on_delivery=answered)
        producer.flush(ANSWER_SECONDS + 1)
    except (KafkaException, BufferError) as error:
        raise NotWritten(f"topic {topic}: {error}") from error
    if answers != [None]:
        raise NotWritten(f"topic {topic}: {answers[0] if answers else 'no answer'}")
