"""Which partition a key belongs to: for the topics of the log, and for callers that know which replica has which."""

from __future__ import annotations

from zlib import crc32


def partition_of(key: str, partitions: int) -> int:
    """The partition of a key, the same for every client: clients disagree about a default."""
    return partition_of_bytes(key.encode(), partitions)


def partition_of_bytes(key: bytes, partitions: int) -> int:
    """As `partition_of`, of a key as Kafka has it."""
    return crc32(key) % partitions
