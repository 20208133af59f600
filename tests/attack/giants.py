"""Small compressed messages that unpack to as many elements as the message limit allows, for every repeated field."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.descriptor import FieldDescriptor as Field

from tests.attack.surface import FieldPath, Method, all_methods, is_map, is_repeated

UNPACKED_BYTES = 4_000_000
LENGTH_DELIMITED = 2
PACKED_TYPES = frozenset((Field.CPPTYPE_INT32, Field.CPPTYPE_INT64, Field.CPPTYPE_ENUM, Field.CPPTYPE_BOOL))


def giants() -> list[tuple[Method, bytes]]:
    """A request for each repeated field of each method that does not stream."""
    return [
        (method, _nested(path))
        for method in all_methods()
        if not method.is_stream
        for path in _shortest(method.field_paths())
    ]


def _shortest(paths: list[FieldPath]) -> Iterator[FieldPath]:
    """The paths to repeated fields; each field once, by its shortest path."""
    seen = set()
    for path in sorted(paths, key=len):
        field = path[-1]
        if (is_repeated(field) or is_map(field)) and field.full_name not in seen:
            seen.add(field.full_name)
            yield path


def _nested(path: FieldPath) -> bytes:
    *outer, field = path
    if field.cpp_type in PACKED_TYPES:
        content = _field(field.number, bytes(UNPACKED_BYTES))
    else:
        element = _varint(field.number << 3 | LENGTH_DELIMITED) + b"\0"
        content = element * (UNPACKED_BYTES // len(element))
    for each in reversed(outer):
        content = _field(each.number, content)
    return content


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | LENGTH_DELIMITED) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])
