"""Structs, reason codes and their messages agree, field by field and value by value."""

from typing import Any, Literal, get_args, get_origin

import pytest
from google.protobuf.descriptor import FieldDescriptor
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import command_pb2, game_pb2, rejection_pb2
from services.rules.adapters.messages import descriptor_of
from services.rules.domain import commands as c, events as e
from services.rules.domain.game import Auction, Exchange, Interrupt, Option, Turn
from services.rules.domain.rejections import REASONS

WIRE_TYPES = {str: "string", int: "int64", bool: "bool"}
FIELD_TYPES = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_BOOL: "bool",
}
MESSAGE_NAMES: dict[Any, str] = {Option: "ShareOption"}
PARTS: tuple[tuple[type[Struct], Any], ...] = (
    (e.Ruling, events_pb2.Ruling),
    (e.Run, events_pb2.Run),
    (e.Score, events_pb2.Score),
    (e.CityTokens, events_pb2.CityTokens),
    (c.Hop, command_pb2.Hop),
    (c.TrainRun, command_pb2.TrainRun),
    (Turn, game_pb2.TurnView),
    (Interrupt, game_pb2.Interrupt),
    (Auction, game_pb2.Auction),
    (Exchange, game_pb2.ShareExchange),
    (Option, game_pb2.ShareOption),
)
PAIRS = (
    *((each, getattr(events_pb2, each.__name__)) for each in e.EVENT_TYPES),
    *((each, getattr(command_pb2, each.__name__)) for each in c.COMMAND_TYPES),
    *PARTS,
)


def upper_snake(name: str) -> str:
    """`MoneyReason` as `MONEY_REASON`."""
    return "".join("_" + letter if letter.isupper() else letter for letter in name).upper().lstrip("_")


def said(kind: Any) -> Any:
    """What a struct's field carries: a word, the words of a literal (nothing is none of them), or the name of a message."""
    if kind in WIRE_TYPES:
        return WIRE_TYPES[kind]
    return (
        {word for word in get_args(kind) if word}
        if get_origin(kind) is Literal
        else MESSAGE_NAMES.get(kind, kind.__name__)
    )


def carried(field: FieldDescriptor) -> Any:
    """The same for a message's field."""
    if field.enum_type is not None:
        prefix = upper_snake(field.enum_type.name) + "_"
        return {value.name.removeprefix(prefix).lower() for value in field.enum_type.values if value.number}
    return field.message_type.name if field.message_type is not None else FIELD_TYPES[field.type]


@pytest.mark.parametrize(("struct", "message"), PAIRS, ids=lambda each: each.__name__)
def test_a_struct_and_its_message_have_the_same_fields(struct: type[Struct], message: Any) -> None:
    """Names, order, kinds and words of all fields match one to one."""
    infos, descriptors = fields(struct), list(descriptor_of(message).fields)
    assert [info.name for info in infos] == [field.name for field in descriptors]
    for info, field in zip(infos, descriptors, strict=True):
        is_tuple = get_origin(info.type) is tuple
        assert is_tuple == field.is_repeated, field.full_name
        assert said(get_args(info.type)[0] if is_tuple else info.type) == carried(field), field.full_name


@pytest.mark.parametrize(("struct", "message"), PAIRS, ids=lambda each: each.__name__)
def test_a_field_left_out_means_its_default(struct: type[Struct], message: Any) -> None:
    """A default that is not zero, empty or false has a field that can tell whether it was sent."""
    for info in fields(struct):
        field = descriptor_of(message).fields_by_name[info.name]
        if info.default is not NODEFAULT and info.default:
            assert field.has_presence, field.full_name


def test_every_event_and_command_has_its_place_in_the_envelope() -> None:
    """The bodies of `GameEvent` and `Command` are exactly the types of the core."""
    for envelope, types in ((events_pb2.GameEvent, e.EVENT_TYPES), (command_pb2.Command, c.COMMAND_TYPES)):
        bodies = descriptor_of(envelope).oneofs_by_name["body"].fields
        names = [field.message_type.name for field in bodies if field.message_type is not None]
        assert sorted(names) == sorted(each.__name__ for each in types)


def test_reason_codes_are_the_values_of_the_enum_in_order() -> None:
    """A code's number is its place among the reasons, so that new ones can only come at the end."""
    values = rejection_pb2.RejectionReason.DESCRIPTOR.values
    assert [value.number for value in values] == list(range(len(REASONS) + 1))
    prefix = "REJECTION_REASON_"
    assert [value.name for value in values][1:] == [prefix + code.upper() for code in REASONS]
