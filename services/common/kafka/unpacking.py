"""Reads values of records that are packed: compressed each by itself, after a dictionary of what most records have and the
record's own key.

A packed value is a byte that says so and names the dictionary, then a raw deflate stream. No message begins with such a byte,
since its wire type is none (7), so that values without it are read as they are: decision 48.
"""

from __future__ import annotations

import zlib
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from types import MappingProxyType
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from services.common.kafka.topics import RECORD_BYTES_MAX

# Digests of the files `dictionary_N.bin`, which never change once a release has them: a new one gets the next number, up to 31.
DICTIONARIES = MappingProxyType({1: "55f172955212fe38d4f5c8a9e762dc61"})
DIGEST_BYTES = 16
PACKED, NUMBER_SHIFT = 7, 3
RAW_DEFLATE = -15
# No value is larger before it is packed: senders are refused what Kafka would not take as it is.
UNPACKED_BYTES_MAX = RECORD_BYTES_MAX

Read = TypeVar("Read", bound=Message)


class UnreadableValue(DecodeError):
    """A packed value that cannot be unpacked; the message says why."""


class UnknownDictionary(UnreadableValue):
    """A value packed by a newer version of the platform."""


def message_in(kind: type[Read], value: bytes | None, key: bytes | str | None) -> Read:
    """The message in the value of a record with this key, packed or not. Raises `DecodeError`."""
    return kind.FromString(unpacked(value or b"", key))


def readable(value: bytes | None, key: bytes | None) -> bytes | None:
    """A value unpacked, or as it is where that cannot be done: who reads the message in it finds out why."""
    try:
        return unpacked(value or b"", key)
    except UnreadableValue:
        return value


def unpacked(value: bytes, key: bytes | str | None) -> bytes:
    """A value as it was before it was packed; one that is not packed is the same. Raises `UnreadableValue`."""
    if not is_packed(value):
        return value
    number = value[0] >> NUMBER_SHIFT
    if number not in DICTIONARIES:
        raise UnknownDictionary(
            f"packed with dictionary {number}: written by a newer version, this one knows up to {max(DICTIONARIES)}"
        )
    stream = zlib.decompressobj(RAW_DEFLATE, zdict=dictionary(number) + bytes_of(key))
    try:
        plain = stream.decompress(value[1:], UNPACKED_BYTES_MAX + 1)
    except zlib.error as error:
        raise UnreadableValue(f"packed, but not as dictionary {number} would: {error}") from error
    if len(plain) > UNPACKED_BYTES_MAX:
        raise UnreadableValue(f"packed, and more than {UNPACKED_BYTES_MAX} bytes when unpacked")
    if not stream.eof or stream.unused_data:
        raise UnreadableValue(
            "packed, and cut off" if not stream.eof else "packed, and goes on behind its end"
        )
    return plain


def bytes_of(key: bytes | str | None) -> bytes:
    """A record's key as it is stored."""
    return key.encode() if isinstance(key, str) else key or b""


def is_packed(value: bytes) -> bool:
    """Whether a value begins as packed ones do."""
    return bool(value) and value[0] & PACKED == PACKED


@cache
def dictionary(number: int) -> bytes:
    """The dictionary of this number. Raises `ValueError` where the installed file is another one: it would unpack to nonsense."""
    content = (files(__package__) / f"dictionary_{number}.bin").read_bytes()
    found = blake2b(content, digest_size=DIGEST_BYTES).hexdigest()
    if found != DICTIONARIES[number]:
        raise ValueError(f"dictionary {number} has digest {found}, not {DICTIONARIES[number]}: install again")
    return content
