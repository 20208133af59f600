"""Structs and their messages agree, field by field and value by value."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin

import pytest
from google.protobuf.descriptor import FieldDescriptor
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import command_pb2, game_pb2
from services.rules.adapters.messages import descriptor_of
from services.rules.adapters.registry import OWN, PARTS, messages_of, own_form
from services.rules.kernel import commands, events
from services.rules.kernel.directing import events as directing_events
from services.rules.kernel.game import Interrupt, Turn
from services.rules.kernel.part import Part
from services.rules.kernel.values import Ruling, Score
from services.rules.loading import TitlesSettingError
from services.rules.parts.auctions.state import Auction
from services.rules.parts.map.state import CityTokens
from services.rules.parts.trains.commands import Hop, TrainRun
from services.rules.parts.trains.state import Run

WIRE_TYPES = {str: "string", int: "int64", bool: "bool"}
FIELD_TYPES = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_BOOL: "bool",
}
SHARED_EVENTS = (*events.EVENTS, *directing_events.EVENTS, *(each for part in PARTS for each in part.events))
OLDER_EVENTS = (*events.OLDER_EVENTS, *(each for part in PARTS for each in part.older_events))
SHARED_COMMANDS = (*commands.COMMANDS, *(each for part in PARTS for each in part.commands))
VALUES: tuple[tuple[type[Struct], Any], ...] = (
    (Ruling, events_pb2.Ruling),
    (Run, events_pb2.Run),
    (Score, events_pb2.Score),
    (CityTokens, events_pb2.CityTokens),
    (Hop, command_pb2.Hop),
    (TrainRun, command_pb2.TrainRun),
    (Interrupt, game_pb2.Interrupt),
    (Auction, game_pb2.Auction),
)


def structs_in(kind: Any) -> Iterator[type[Struct]]:
    """A struct, and all structs in its fields."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind
        for info in fields(kind):
            yield from structs_in(info.type)
    for argument in get_args(kind):
        yield from structs_in(argument)


def of_title(part: Part) -> Iterator[tuple[type[Struct], Any]]:
    """What one title alone knows: its events, commands and view with all that is in them, and their messages."""
    roots: list[type[Struct]] = [
        *part.events,
        *part.older_events,
        *part.commands,
        *([part.view_type] if part.view_type is not None else []),
    ]
    for each in dict.fromkeys(struct for root in roots for struct in structs_in(root)):
        yield each, getattr(messages_of(part), each.__name__)


PAIRS = (
    *((each, getattr(events_pb2, each.__name__)) for each in (*SHARED_EVENTS, *OLDER_EVENTS)),
    *((each, getattr(command_pb2, each.__name__)) for each in SHARED_COMMANDS),
    *VALUES,
    *(both for part in OWN.values() for both in of_title(part)),
)


def upper_snake(name: str) -> str:
    """`MoneyReason` as `MONEY_REASON`."""
    return "".join("_" + letter if letter.isupper() else letter for letter in name).upper().lstrip("_")


def said(kind: Any) -> Any:
    """What a struct's field carries: a word, the words of a literal (nothing is none of them), or the name of a message."""
    if kind in WIRE_TYPES:
        return WIRE_TYPES[kind]
    return {word for word in get_args(kind) if word} if get_origin(kind) is Literal else kind.__name__


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


@pytest.mark.parametrize(
    ("envelope", "types"),
    [(events_pb2.GameEvent, SHARED_EVENTS), (command_pb2.Command, SHARED_COMMANDS)],
    ids=["events", "commands"],
)
def test_every_shared_event_and_command_has_its_place_in_the_envelope(
    envelope: Any, types: tuple[type[Struct], ...]
) -> None:
    """The bodies of `GameEvent` and `Command` are the types of kernel and parts, and one for what titles alone know."""
    bodies = descriptor_of(envelope).oneofs_by_name["body"].fields
    names = [field.message_type.name for field in bodies if field.message_type is not None]
    assert sorted(names) == sorted([*(each.__name__ for each in types), "Any"])


def test_the_messages_of_a_title_are_those_of_its_types() -> None:
    """A title's package has a message for each of its events and commands, its view, and nothing that no struct has."""
    for part in OWN.values():
        found = {message.name for message in messages_of(part).DESCRIPTOR.message_types_by_name.values()}
        assert found == {each.__name__ for each, _ in of_title(part)}


def test_the_view_of_a_turn_shows_the_turn_and_all_notes_about_it() -> None:
    """Each field of the turn and of the notes of parts is one of `TurnView`, and `TurnView` has no other."""
    notes: list[type[Struct]] = [part.turn_note for part in PARTS if part.turn_note is not None]
    kinds: list[type[Struct]] = [Turn, *notes]
    shown = [info.name for kind in kinds for info in fields(kind) if info.name != "notes"]
    assert sorted(shown) == sorted(field.name for field in descriptor_of(game_pb2.TurnView).fields)


def test_a_title_whose_messages_do_not_fit_is_named() -> None:
    """A sentence names what is missing: the message, its fields, or the module."""
    part = OWN["1862"]
    with pytest.raises(TitlesSettingError, match="has no message Run;"):
        own_form(part, Run, "Run")
    with pytest.raises(TitlesSettingError, match=r"Run has fields .*, its message "):
        own_form(part, Run, "LicencesSet")
    with pytest.raises(TitlesSettingError, match="its messages cannot be imported"):
        own_form(replace(part, wire="no.such.module"), Run, "Run")
