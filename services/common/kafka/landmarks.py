"""Whether Kafka still has the log that a file was made from: the last record taken from each partition must be where it was.

Brokers whose disks were put back to an earlier state go on from there, and in time have other records at the same offsets.
What comes before an unchanged record is unchanged as well, since such brokers lose the end of a log and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from confluent_kafka import KafkaError, KafkaException, Message, TopicPartition

from services.common.errors import SignalboxError
from services.common.kafka.clients import ANSWER_SECONDS, KafkaUnreachable, new_consumer
from services.common.kafka.consuming import ClientFailed, poll_messages
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import PartitionName

DIGEST_BYTES = 7
POLL_SECONDS = 0.2
NOTHING_THERE = (
    KafkaError._PARTITION_EOF,
    KafkaError._AUTO_OFFSET_RESET,
    KafkaError.OFFSET_OUT_OF_RANGE,
)


class LogDiverged(SignalboxError):
    """Kafka has lost records that a copy has, while the process ran: it has to start again, without them."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """A record by which a partition is recognised: its offset and a digest of its value."""

    offset: int
    digest: int


def landmark(offset: int, value: bytes | None) -> Landmark:
    """The landmark that this record is."""
    return Landmark(offset, int.from_bytes(blake2b(value or b"", digest_size=DIGEST_BYTES).digest(), "big"))


def lost_landmarks(kafka: KafkaSettings, landmarks: Mapping[PartitionName, Landmark]) -> list[PartitionName]:
    """The partitions in which Kafka has another record there, or none. Raises `KafkaUnreachable`."""
    options = {
        "isolation.level": "read_uncommitted",
        "enable.partition.eof": True,
        "auto.offset.reset": "error",
        "queued.min.messages": 1,
    }
    consumer = new_consumer(kafka, f"copy.{kafka.instance}", **options)
    found: dict[PartitionName, bool] = {}
    left = ANSWER_SECONDS
    try:
        consumer.assign([TopicPartition(*name, each.offset) for name, each in landmarks.items()])
        while len(found) < len(landmarks):
            if left <= 0:
                raise KafkaUnreachable(f"the log cannot be compared within {ANSWER_SECONDS:g} s")
            begun = time.monotonic()
            for message in poll_messages(consumer, POLL_SECONDS, 0):
                name = (message.topic() or "", message.partition() or 0)
                if (
                    name in landmarks
                    and name not in found
                    and (is_it := _is(message, landmarks[name])) is not None
                ):
                    found[name] = is_it
            # A process that was paused did not wait for an answer meanwhile.
            left -= min(time.monotonic() - begun, 2 * POLL_SECONDS)
    except (KafkaException, ClientFailed) as problem:
        raise KafkaUnreachable(f"the log cannot be compared: {problem}") from problem
    finally:
        consumer.close()
    return sorted(name for name, is_it in found.items() if not is_it)


def _is(message: Message, wanted: Landmark) -> bool | None:
    """Whether this record is the landmark; None for a passing error."""
    error = message.error()
    if error is not None:
        return False if error.code() in NOTHING_THERE else None
    return landmark(message.offset() or 0, message.value()) == wanted
