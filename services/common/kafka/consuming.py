"""Reading records with a consumer of `confluent-kafka`. A consumer that can never deliver again is reported to its reader,
which makes a new one, instead of being polled for ever."""

from __future__ import annotations

from confluent_kafka import Consumer, KafkaError, KafkaException, Message

from services.common.errors import SignalboxError
from services.common.kafka.topics import RecordPosition
from services.common.telemetry.record_bytes import note_bytes


class ClientFailed(SignalboxError):
    """The client failed permanently; only a new client can continue. The message holds the library's reason."""


def is_fatal(error: KafkaError) -> bool:
    """Whether the client that reports `error` is of no use any more.

    The library marks the cause itself as fatal, but a later call on the same client gets the code `_FATAL` alone, whose
    `fatal()` is False."""
    return error.fatal() or error.code() == KafkaError._FATAL


def poll_messages(consumer: Consumer, seconds: float, more: int, more_seconds: float = 0.0) -> list[Message]:
    """The next messages, those with a passing error among them: waits `seconds` for the first and `more_seconds` for up to
    `more` others. Raises `ClientFailed`."""
    first = consumer.poll(seconds)
    if first is None:
        return []
    messages = [first, *consumer.consume(more, more_seconds)] if more else [first]
    for message in messages:
        error = message.error()
        if error is None:
            note_bytes("read", message.topic() or "", message.key(), message.value())
        elif is_fatal(error):
            raise ClientFailed(f"consumer: {error}")
    return messages


def position_of(message: Message) -> RecordPosition:
    """Where a record is, or the end of a partition that it reports."""
    topic, partition, offset = message.topic(), message.partition(), message.offset()
    if topic is None or partition is None or offset is None:
        raise KafkaException("a message without topic, partition or offset")
    return topic, partition, offset
