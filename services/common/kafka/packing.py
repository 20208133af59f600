"""Packs values of records before they are produced: see `unpacking`."""

from __future__ import annotations

import zlib
from functools import cache

from google.protobuf.message import Message

from services.common.kafka.settings import KafkaSettings
from services.common.kafka.unpacking import (
    NUMBER_SHIFT,
    PACKED,
    RAW_DEFLATE,
    UNPACKED_BYTES_MAX,
    dictionary,
    is_packed,
)

# The one that is written.
DICTIONARY = 1
LEVEL = 6
FIRST_BYTE = bytes([DICTIONARY << NUMBER_SHIFT | PACKED])


def value_of(kafka: KafkaSettings, key: str, message: Message) -> bytes:
    """The value of a record with this key and message, packed where this platform packs."""
    return stored(kafka, key, message.SerializeToString())


def stored(kafka: KafkaSettings, key: str, value: bytes) -> bytes:
    """A value as it is produced under this key, packed where this platform packs."""
    return packed(value, key.encode()) if kafka.packs_values else value


def packed(value: bytes, key: bytes) -> bytes:
    """A value packed, or as it is where that would not be smaller, or Kafka has to refuse it for its size."""
    if len(value) > UNPACKED_BYTES_MAX:
        return value
    stream = _beginning().copy()
    # Readers have the key already: only what is written behind it is kept.
    stream.compress(key)
    stream.flush(zlib.Z_SYNC_FLUSH)
    found = FIRST_BYTE + stream.compress(value) + stream.flush()
    return found if len(found) < len(value) or is_packed(value) else value


@cache
def _beginning() -> zlib._Compress:
    """A stream that has taken the dictionary; copies of it need not."""
    return zlib.compressobj(LEVEL, zlib.DEFLATED, RAW_DEFLATE, zdict=dictionary(DICTIONARY))
