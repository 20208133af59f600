"""Values as messages whose fields have the same names, and back.

A field of a message that is a text where the value has a struct is a document: the struct as canonical JSON, whose digest is
published. The names of an enumeration are those of the values, in capitals behind its prefix.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

UNSPECIFIED = "UNSPECIFIED"

Value = TypeVar("Value", bound=msgspec.Struct)
Wire = TypeVar("Wire", bound=Message)


def message_of(value: msgspec.Struct, kind: type[Wire], **more: Any) -> Wire:
    """The message of a value; `more` are fields that it has not."""
    fields = {
        field.name: _to_wire(getattr(value, field.name), field)
        for field in _fields(kind.DESCRIPTOR)
        if field.name not in more
    }
    return kind(**fields, **more)


def record_name(kind: type[msgspec.Struct]) -> str:
    """The name under which an event is stored, as `round_proposed`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def struct_of(message: Message, decoder: msgspec.json.Decoder[Value]) -> Value:
    """The value of a message; the `decoder` of its type has to be made at module level. Raises `msgspec.DecodeError`."""
    return decoder.decode(msgspec.json.encode(_plain(message, decoder.type)))


def document(value: msgspec.Struct) -> str:
    """A value as canonical JSON: equal values give equal texts, fields in the order of the struct.

    Where a table has numbers as keys, as in a charter, all keys are sorted as texts instead."""
    try:
        return msgspec.json.encode(value, order="deterministic").decode()
    except TypeError:
        plain = msgspec.to_builtins(value, str_keys=True)
        return msgspec.json.encode(plain, order="deterministic").decode()


def enum_name(kind: EnumDescriptor, value: str) -> str:
    """The name of a value in an enumeration."""
    return str(kind.values[0].name).removesuffix(UNSPECIFIED) + value.upper()


def enum_value(kind: EnumDescriptor, number: int) -> str:
    """The value of a number in an enumeration: empty for the unspecified one, "unknown" for one that is not there."""
    known = kind.values_by_number.get(number)
    if known is None:
        return "unknown"
    if number == 0:
        return ""
    prefix = str(kind.values[0].name).removesuffix(UNSPECIFIED)
    return str(known.name).removeprefix(prefix).lower()


def _fields(descriptor: Any) -> Sequence[FieldDescriptor]:
    """The fields of a message; descriptors have two types."""
    fields: Sequence[FieldDescriptor] = descriptor.fields
    return fields


def _to_wire(given: Any, field: FieldDescriptor) -> Any:
    if field.is_repeated:
        return [_single(each, field) for each in given]
    return None if given is None else _single(given, field)


def _single(given: Any, field: FieldDescriptor) -> Any:
    if field.message_type is not None:
        return _nested(given, field.message_type)
    if field.enum_type is not None:
        return enum_name(field.enum_type, given)
    return document(given) if isinstance(given, msgspec.Struct) else given


def _nested(value: msgspec.Struct, descriptor: Descriptor) -> dict[str, Any]:
    return {field.name: _to_wire(getattr(value, field.name), field) for field in _fields(descriptor)}


def _plain(message: Message, kind: Any) -> dict[str, Any]:
    hints = _hints(kind)
    return {
        field.name: _from_wire(getattr(message, field.name), field, hints[field.name])
        for field in _fields(message.DESCRIPTOR)
        if not _is_absent(message, field, hints[field.name])
    }


def _is_absent(message: Message, field: FieldDescriptor, hint: Any) -> bool:
    """Whether a message that the value need not have is not there."""
    is_single = field.message_type is not None and not field.is_repeated
    return is_single and NoneType in get_args(hint) and not message.HasField(field.name)


def _from_wire(given: Any, field: FieldDescriptor, hint: Any) -> Any:
    if field.is_repeated:
        (inner, *_) = getattr(hint, "__args__", (None,))
        return [_single_from_wire(each, field, inner) for each in given]
    return _single_from_wire(given, field, hint)


def _single_from_wire(given: Any, field: FieldDescriptor, hint: Any) -> Any:
    if field.message_type is not None:
        return _plain(given, next((each for each in get_args(hint) if each is not NoneType), hint))
    if field.enum_type is not None:
        return enum_value(field.enum_type, given)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return msgspec.Raw(given.encode())
    return given


@lru_cache(maxsize=256)
def _hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(kind)
