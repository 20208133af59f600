"""Counts what a message holds before it is parsed: an element of two bytes takes fifty times as much once it is parsed, and
more as a Python object."""

from __future__ import annotations

from typing import cast

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from services.common.errors import InvalidRequest

# Of the wire format: https://protobuf.dev/programming-guides/encoding
VARINT, FIXED64, LENGTH, GROUP_START, GROUP_END, FIXED32 = range(6)
GROUPS = (GROUP_START, GROUP_END)
FIXED_BYTES = {FIXED32: 4, FIXED64: 8}
VARINT_BYTES_MAX = 10
FIRST_CONTINUED = 0x80
CONTINUED = bytes(range(FIRST_CONTINUED, 0x100))
SMALLEST_ELEMENT_BYTES = 2
# The parser takes no deeper ones.
DEPTH_MAX = 100
ANY = "google.protobuf.Any"
ANY_TYPE, ANY_VALUE = 1, 2
NUMBERS = frozenset(
    {
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
        FieldDescriptor.CPPTYPE_DOUBLE,
        FieldDescriptor.CPPTYPE_FLOAT,
        FieldDescriptor.CPPTYPE_BOOL,
        FieldDescriptor.CPPTYPE_ENUM,
    }
)


def check_elements(data: bytes, kind: type[Message], most: int) -> None:
    """Raise `InvalidRequest` if the bytes of a message of this `kind` hold more than `most` fields and items, those of its
    parts and of messages packed in an `Any` included. Looks at no more than that, and not at all at a message too small to
    hold so many. Bytes that are no such message are left to the parser."""
    if len(data) > most * SMALLEST_ELEMENT_BYTES:
        descriptor = cast("Descriptor", kind.DESCRIPTOR)
        _Count(data, most, descriptor.name).message(0, len(data), descriptor, 0)


class _Count:
    """One message's count."""

    def __init__(self, data: bytes, most: int, name: str) -> None:
        self._data = data
        self._most = most
        self._left = most
        self._name = name

    def message(self, at: int, end: int, kind: Descriptor | None, depth: int) -> None:
        """Count the message in this part of the bytes; one of an unknown kind has no parts."""
        if depth > DEPTH_MAX:
            return
        packed: dict[int, tuple[int, int]] = {}
        while at < end:
            self._take(1)
            tag, at = self._varint(at, end)
            wire = tag & 7
            if wire == LENGTH:
                size, start = self._varint(at, end)
                at = start + size
                if at > end:
                    return
                field = None if kind is None else kind.fields_by_number.get(tag >> 3)
                if field is None:
                    continue
                if field.message_type is not None:
                    self.message(start, at, field.message_type, depth + 1)
                elif field.cpp_type in NUMBERS:
                    self._take(_number_count(self._data[start:at], field))
                elif kind is not None and kind.full_name == ANY:
                    packed[field.number] = (start, at)
            elif wire == VARINT:
                _, at = self._varint(at, end)
            elif wire in FIXED_BYTES:
                at += FIXED_BYTES[wire]
            elif wire not in GROUPS:
                return
        if ANY_TYPE in packed and ANY_VALUE in packed:
            start, stop = packed[ANY_TYPE]
            self.message(*packed[ANY_VALUE], _kind_of(self._data[start:stop]), depth + 1)

    def _take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise InvalidRequest(
                f"{self._name} holds more than {self._most} fields and items, which is the most that is taken"
            )

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        """A number and where it ends."""
        value = 0
        for shift in range(0, 7 * VARINT_BYTES_MAX, 7):
            if at >= end:
                break
            byte = self._data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < FIRST_CONTINUED:
                return value, at
        return value, end


def _number_count(numbers: bytes, field: FieldDescriptor) -> int:
    """How many numbers a packed field holds: each ends with a byte that is not continued."""
    if field.cpp_type in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        return len(numbers) // FIXED_BYTES[FIXED32]
    return len(numbers.translate(None, CONTINUED))


def _kind_of(type_url: bytes) -> Descriptor | None:
    try:
        name = type_url.rpartition(b"/")[2].decode()
        found: Descriptor = descriptor_pool.Default().FindMessageTypeByName(name)
    except (KeyError, UnicodeDecodeError):
        return None
    return found
