"""Messages that are small on their way and large when they are unpacked, or that hold as much as a method takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import grpc
from google.protobuf.descriptor import FieldDescriptor as Field

from tests.attack.surface import FieldPath, Method, all_methods, is_map, is_repeated

UNPACKED_BYTES = 4_000_000
# Of tags and lengths around the field that is filled.
ENVELOPE_BYTES = 64
LENGTH_DELIMITED = 2
PACKED_TYPES = frozenset((Field.CPPTYPE_INT32, Field.CPPTYPE_INT64, Field.CPPTYPE_ENUM, Field.CPPTYPE_BOOL))

Giant = tuple[Method, bytes]


def empty_elements(size: Callable[[Method], int]) -> list[Giant]:
    """A request full of empty elements for each repeated field of each method that does not stream."""
    return [
        (method, _around(path, _elements(path[-1], size(method))))
        for method in _methods()
        for path in _shortest(method, lambda field: is_repeated(field) or is_map(field))
    ]


def long_strings(size: Callable[[Method], int]) -> list[Giant]:
    """A request with one long text for each field that holds a text, of each method that does not stream."""
    return [
        (method, _around(path, _field(path[-1].number, b"x" * size(method))))
        for method in _methods()
        for path in _shortest(method, lambda field: field.cpp_type == Field.CPPTYPE_STRING)
    ]


def unpacked(_method: Method) -> int:
    """Just below the largest message that the host takes at all."""
    return UNPACKED_BYTES


def fitting(method: Method) -> int:
    """As much as the method takes."""
    return method.limits.bytes - ENVELOPE_BYTES


# How the calls are compressed, and what they carry.
GIANTS: dict[str, tuple[grpc.Compression, Callable[[], list[Giant]]]] = {
    "giant-gzip": (grpc.Compression.Gzip, lambda: empty_elements(unpacked)),
    "giant-plain": (grpc.Compression.NoCompression, lambda: empty_elements(unpacked)),
    "giant-elements": (grpc.Compression.NoCompression, lambda: empty_elements(fitting)),
    "giant-strings": (grpc.Compression.NoCompression, lambda: long_strings(fitting)),
}


def _methods() -> Iterator[Method]:
    return (method for method in all_methods() if not method.is_stream)


def _shortest(method: Method, is_wanted: Callable[[Field], bool]) -> Iterator[FieldPath]:
    """The paths to such fields; each field once, by its shortest path."""
    seen = set()
    for path in sorted(method.field_paths(), key=len):
        field = path[-1]
        if is_wanted(field) and field.full_name not in seen:
            seen.add(field.full_name)
            yield path


def _elements(field: Field, size: int) -> bytes:
    if field.cpp_type in PACKED_TYPES:
        return _field(field.number, bytes(size))
    element = _varint(field.number << 3 | LENGTH_DELIMITED) + b"\0"
    return element * (size // len(element))


def _around(path: FieldPath, content: bytes) -> bytes:
    for each in reversed(path[:-1]):
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
