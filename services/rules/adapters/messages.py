"""Closures between a frozen struct and its protobuf message, built once from the struct's annotations.

A message has a field of the same name for every field of its struct. Strings, whole numbers and truth values stand as
they are, a `Literal` is an enum whose value names end in it, a tuple is a repeated field, a struct a nested message.
What may be None is a field with presence, a `dict[str, Any]` a `google.protobuf.Struct`.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Literal, NamedTuple, get_args, get_origin

from google.protobuf import json_format, struct_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import Struct
from msgspec.structs import FieldInfo, fields

Convert = Callable[[Any], Any]


class MalformedMessageError(ValueError):
    """A message has a value that its struct cannot hold. `field`: the dotted name of the faulty field."""

    def __init__(self, field: str, problem: str) -> None:
        self.field = field
        self.problem = problem
        super().__init__(f"{field}: {problem}")


class Pair(NamedTuple):
    """Both directions for one struct and its message."""

    encode: Convert
    decode: Convert


def pair(struct: type[Struct], message: type[Message]) -> Pair:
    """Closures for `struct` and `message`; TypeError when their fields do not match one to one."""
    return _pair(struct, descriptor_of(message))


def descriptor_of(message: type[Message]) -> Descriptor:
    """The descriptor of a message class, which the two protobuf runtimes type apart."""
    descriptor: Any = message.DESCRIPTOR
    checked: Descriptor = descriptor
    return checked


def _pair(struct: type[Struct], descriptor: Descriptor) -> Pair:
    infos = fields(struct)
    names = [info.name for info in infos]
    if names != [field.name for field in descriptor.fields]:
        raise TypeError(
            f"{struct.__name__} has fields {names}, its message {[f.name for f in descriptor.fields]}"
        )
    parts = [_part(info, descriptor.fields_by_name[info.name]) for info in infos]
    return Pair(_encoder(infos, parts, descriptor), _decoder(struct, infos, parts, descriptor))


def _enum_numbers(literals: tuple[str, ...], descriptor: EnumDescriptor) -> dict[str, int]:
    """The number of each literal: `own_turn` is `UNDO_POLICY_OWN_TURN` of `UndoPolicy`, nothing is unspecified."""
    prefix = (
        "".join("_" + letter if letter.isupper() else letter for letter in descriptor.name)
        .upper()
        .lstrip("_")
    )
    numbers: dict[str, int] = {}
    for literal in literals:
        if not literal:
            numbers[literal] = 0
            continue
        name = f"{prefix}_{literal.upper()}"
        if name not in descriptor.values_by_name:
            raise TypeError(f"{descriptor.name} has no value {name}")
        numbers[literal] = descriptor.values_by_name[name].number
    return numbers


def _part(info: FieldInfo, field: FieldDescriptor) -> tuple[Convert | None, Convert | None]:
    """How one field is encoded and decoded; `None` where the value is copied."""
    if get_origin(info.type) is tuple:
        element = get_args(info.type)[0]
        return _repeated(*_single(element, field))
    return _single(info.type, field)


def _single(kind: Any, field: FieldDescriptor) -> tuple[Convert | None, Convert | None]:
    if kind in (str, int, bool) or (kind == int | None and field.has_presence):
        return None, None
    if kind == dict[str, Any] and field.message_type is not None and field.message_type.name == "Struct":
        return _struct_of, json_format.MessageToDict
    if get_origin(kind) is Literal and field.enum_type is not None:
        numbers = _enum_numbers(get_args(kind), field.enum_type)
        return numbers.__getitem__, _enum_decoder(numbers, field)
    if isinstance(kind, type) and issubclass(kind, Struct) and field.message_type is not None:
        return _pair(kind, field.message_type)
    raise TypeError(f"{field.full_name}: no way to carry {kind}")


def _struct_of(values: dict[str, Any]) -> struct_pb2.Struct:
    message = struct_pb2.Struct()
    message.update(values)
    return message


def _repeated(encode: Convert | None, decode: Convert | None) -> tuple[Convert | None, Convert | None]:
    if encode is None or decode is None:
        return None, tuple
    into, out_of = encode, decode
    return lambda values: [into(value) for value in values], lambda values: tuple(map(out_of, values))


def _enum_decoder(numbers: dict[str, int], field: FieldDescriptor) -> Convert:
    literals = {number: literal for literal, number in numbers.items()}
    name = field.name

    def decode(number: int) -> str:
        try:
            return literals[number]
        except KeyError:
            raise MalformedMessageError(name, f"{number} is not one of its values") from None

    return decode


def _encoder(infos: tuple[FieldInfo, ...], parts: list[Any], descriptor: Descriptor) -> Convert:
    message = GetMessageClass(descriptor)
    plan = tuple((info.name, encode) for info, (encode, _) in zip(infos, parts, strict=True))

    def encode_struct(struct: Struct) -> Message:
        values = {}
        for name, encode in plan:
            value = getattr(struct, name)
            values[name] = value if encode is None else encode(value)
        return message(**values)

    return encode_struct


def _decoder(
    struct: type[Struct], infos: tuple[FieldInfo, ...], parts: list[Any], descriptor: Descriptor
) -> Convert:
    read = _reader([info.name for info in infos])
    plan = tuple((place, decode) for place, (_, decode) in enumerate(parts) if decode is not None)
    absent = tuple(
        (place, info.name, info.default)
        for place, info in enumerate(infos)
        if descriptor.fields_by_name[info.name].has_presence
        and descriptor.fields_by_name[info.name].message_type is None
    )
    if not plan and not absent:
        if len(infos) == 1:
            only = attrgetter(infos[0].name)
            return lambda message: struct(only(message))
        return lambda message: struct(*read(message))

    def decode_struct(message: Any) -> Struct:
        values = [*read(message)]
        for place, decode in plan:
            values[place] = decode(values[place])
        for place, name, default in absent:
            if not message.HasField(name):
                values[place] = default
        return struct(*values)

    return decode_struct


def _reader(names: list[str]) -> Convert:
    """Reads all fields of a message at once, as a tuple."""
    if not names:
        return lambda message: ()
    read = attrgetter(*names)
    if len(names) == 1:
        return lambda message: (read(message),)
    return read
