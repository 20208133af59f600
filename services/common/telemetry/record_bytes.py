"""How many bytes of Kafka's records a process reads and writes: what grows or falls with the number of replicas."""

from __future__ import annotations

from typing import Literal

from prometheus_client import Counter

Direction = Literal["read", "written"]

RECORD_BYTES = Counter(
    "signalbox_kafka_record_bytes",
    "Bytes of keys and values of Kafka's records, before compression, by direction (read, written) and topic",
    ("direction", "topic"),
    registry=None,
)
"""Of this process, whichever of its clients reads or writes; `Telemetry` shows it."""


def note_bytes(direction: Direction, topic: str, key: bytes | None, value: bytes | None) -> None:
    """One record was handed over by a client of Kafka, or to one."""
    RECORD_BYTES.labels(direction, topic).inc(len(key or b"") + len(value or b""))
