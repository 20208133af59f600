"""Reads values of records that are packed: each by itself, with a dictionary of what most records have.

A packed value is a byte that says so and names the dictionary, how many ids follow, these ids as bytes, then a raw deflate
stream of the rest. In the rest each id is a mark and a number: the ids of the record's key come first, then those that follow.
No message begins with such a byte, since its wire type is none (7), so that values without it are read as they are: decision 48.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from types import MappingProxyType
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from services.common.kafka.packed_ids import ID_BYTES, ID_LENGTH, id_of_bytes
from services.common.kafka.topics import RECORD_BYTES_MAX

# Digests of the files `dictionary_N.bin`, which never change once a release has them: a new one gets the next number, up to 31.
DICTIONARIES = MappingProxyType({1: "7253b7244e2d60b519230dc3b6f5d13a"})
DIGEST_BYTES = 16
PACKED, NUMBER_SHIFT = 7, 3
RAW_DEFLATE = -15
# An id of a player, table or game: a letter, then 15 random bytes in base 32.
ID = re.compile(rb"[a-z][a-z2-7]{24}")
MARKED_LENGTH = 3
ID_MARK = b"\xfe\xf1"
MARKED = re.compile(rb"\xfe\xf1(.?)", re.DOTALL)
# So that the number of an id never begins a mark. This many where there are none, and what looks like a mark is none.
IDS_MAX, NO_IDS = 254, 255
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
        return value and unpacked(value, key)
    except UnreadableValue:
        return value


def unpacked(value: bytes, key: bytes | str | None) -> bytes:
    """A value as it was before it was packed; one that is not packed is the same. Raises `UnreadableValue`."""
    if not is_packed(value):
        return value
    number, count = value[0] >> NUMBER_SHIFT, value[1] if len(value) > 1 else 0
    if number not in DICTIONARIES:
        raise UnknownDictionary(
            f"packed with dictionary {number}: written by a newer version, this one knows up to {max(DICTIONARIES)}"
        )
    begin = 2 + (0 if count == NO_IDS else count * ID_BYTES)
    rest = _inflated(value[begin:], number)
    if count == NO_IDS:
        return rest
    listed = [id_of_bytes(value[at : at + ID_BYTES]) for at in range(2, begin, ID_BYTES)]
    return _with_ids(rest, [*ids_in(key), *listed])


def _inflated(content: bytes, number: int) -> bytes:
    stream = zlib.decompressobj(RAW_DEFLATE, zdict=dictionary(number))
    try:
        plain = stream.decompress(content, UNPACKED_BYTES_MAX + 1)
    except zlib.error as error:
        raise UnreadableValue(f"packed, but not as dictionary {number} would: {error}") from error
    _check_size(len(plain))
    if not stream.eof:
        raise UnreadableValue("packed, and cut off")
    if stream.unused_data:
        raise UnreadableValue("packed, and goes on behind its end")
    return plain


def _with_ids(rest: bytes, ids: list[bytes]) -> bytes:
    _check_size(len(rest) + rest.count(ID_MARK) * (ID_LENGTH - MARKED_LENGTH))

    def named(found: re.Match[bytes]) -> bytes:
        number = found[1][0] if found[1] else NO_IDS
        if number >= len(ids):
            raise UnreadableValue(f"packed, and names an id that is not there: {number} of {len(ids)}")
        return ids[number]

    return MARKED.sub(named, rest)


def _check_size(size: int) -> None:
    if size > UNPACKED_BYTES_MAX:
        raise UnreadableValue(f"packed, and more than {UNPACKED_BYTES_MAX} bytes when unpacked")


def ids_in(key: bytes | str | None) -> list[bytes]:
    """The ids in a record's key."""
    return list(dict.fromkeys(ID.findall(key.encode() if isinstance(key, str) else key or b"")))


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
