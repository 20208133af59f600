"""Reads the committed records of many partitions at once, up to given ends."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition

from services.common.kafka.clients import KafkaUnreachable, new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import PartitionName

GROUP = "backup"
POLL_SECONDS = 0.2
BATCH = 1000
# Longer than any transaction may stay open: records after one are not readable before it is decided.
STILL_SECONDS = 60.0


def read_between(
    kafka: KafkaSettings, starts: Mapping[PartitionName, int], ends: Mapping[PartitionName, int]
) -> Iterator[Message]:
    """The committed records from `starts` up to `ends`, in order within each partition. Waits for transactions that are open
    below the ends.

    Raises `KafkaUnreachable` when nothing more comes."""
    missing = {name for name, end in ends.items() if starts.get(name, 0) < end}
    if not missing:
        return
    consumer = new_consumer(kafka, GROUP, **{"enable.partition.eof": True, "auto.offset.reset": "error"})
    silent = 0.0
    try:
        consumer.assign([TopicPartition(*name, starts.get(name, 0)) for name in missing])
        while missing:
            began = time.monotonic()
            messages = poll_messages(consumer, POLL_SECONDS, BATCH)
            # Without the time that is spent on the records, in which nobody asks for more.
            silent += time.monotonic() - began
            for message in messages:
                reached = _reached(message)
                if reached is None:
                    continue
                silent = 0.0
                name = message.topic() or "", message.partition() or 0
                if reached >= ends[name]:
                    missing.discard(name)
                if message.error() is None and reached <= ends[name]:
                    yield message
            if silent > STILL_SECONDS:
                raise KafkaUnreachable(f"no record in {STILL_SECONDS:g} s, missing of {sorted(missing)}")
    except (KafkaException, ClientFailed) as problem:
        raise KafkaUnreachable(f"Kafka at {', '.join(kafka.servers)}: {problem}") from problem
    finally:
        consumer.close()


def _reached(message: Message) -> int | None:
    """The offset up to which its partition has been read with this message; None for an error that passes.

    Raises what no other try mends."""
    error = message.error()
    offset = message.offset() or 0
    if error is None:
        return offset + 1
    if error.code() in (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE):
        raise KafkaException(error)
    return offset if error.code() == KafkaError._PARTITION_EOF else None
