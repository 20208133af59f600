"""Packs values of records before they are produced: see `unpacking`."""

from __future__ import annotations

import re
import zlib
from functools import cache

from google.protobuf.message import Message

from services.common.kafka.packed_ids import bytes_of_id
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.unpacking import (
    ID,
    ID_MARK,
    IDS_MAX,
    NO_IDS,
    NUMBER_SHIFT,
    PACKED,
    RAW_DEFLATE,
    UNPACKED_BYTES_MAX,
    dictionary,
    ids_in,
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
    ids, rest = without_ids(value, key)
    stream = _beginning().copy()
    found = FIRST_BYTE + ids + stream.compress(rest) + stream.flush()
    return found if len(found) < len(value) or is_packed(value) else value


def without_ids(value: bytes, key: bytes) -> tuple[bytes, bytes]:
    """The ids of a value that the key does not have, with their number before them, and the rest of it."""
    if ID_MARK in value:
        return bytes([NO_IDS]), value
    known = ids_in(key)[:IDS_MAX]
    numbers = {each: number for number, each in enumerate(known)}

    def numbered(found: re.Match[bytes]) -> bytes:
        name = found[0]
        if name not in numbers:
            if len(numbers) >= IDS_MAX:
                return name
            numbers[name] = len(numbers)
        return ID_MARK + bytes([numbers[name]])

    rest = ID.sub(numbered, value)
    listed = list(numbers)[len(known) :]
    return b"".join((bytes([len(listed)]), *map(bytes_of_id, listed))), rest


@cache
def _beginning() -> zlib._Compress:
    """A stream that has taken the dictionary; copies of it need not."""
    return zlib.compressobj(LEVEL, zlib.DEFLATED, RAW_DEFLATE, zdict=dictionary(DICTIONARY))
