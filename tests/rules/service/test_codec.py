"""Events and commands and their messages say the same, and what is stored once stays readable."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given, settings, strategies as st
from msgspec import Struct
from msgspec.structs import fields

from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import command_pb2, rejection_pb2
from services.rules.adapters.codec import (
    UnreadableEventError,
    choice_message,
    command_message,
    decode_event,
    encode_event,
    fill_body,
    read_choice,
    read_command,
)
from services.rules.adapters.messages import MalformedMessageError, descriptor_of, pair
from services.rules.domain import commands as c, events as e
from services.rules.domain.choice import Choice, OpenField
from services.rules.domain.rejections import REASONS
from tests.golden.events import SAMPLES, path_of

NUMBERS = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SINT64: (-(2**63), 2**63 - 1),
}
WIRE_TYPES: dict[Any, set[int]] = {
    str: {FieldDescriptor.TYPE_STRING},
    bool: {FieldDescriptor.TYPE_BOOL},
    int: set(NUMBERS),
}
PAIRS: list[tuple[type[Struct], type[Message]]] = [
    *((each, getattr(events_pb2, each.__name__)) for each in e.EVENT_TYPES),
    *((each, getattr(command_pb2, each.__name__)) for each in c.COMMAND_TYPES),
]
NAMES = [each.__name__ for each, _ in PAIRS]


def check_fields(struct: type[Struct], descriptor: Descriptor) -> None:
    """Names, order, repetition and types of all fields agree, down to the innermost message."""
    told = fields(struct)
    assert [info.name for info in told] == [field.name for field in descriptor.fields]
    for info in told:
        field = descriptor.fields_by_name[info.name]
        is_repeated = get_origin(info.type) is tuple
        assert field.is_repeated is is_repeated, field.full_name
        check_type(get_args(info.type)[0] if is_repeated else info.type, field)


def check_type(kind: Any, field: FieldDescriptor) -> None:
    """One value of this field can hold just what the annotation says."""
    if get_origin(kind) is Literal:
        assert field.enum_type is not None, field.full_name
        endings = {literal.upper() for literal in get_args(kind)}
        values = [value.name for value in field.enum_type.values]
        assert values[0].endswith("_UNSPECIFIED")
        prefix = values[0].removesuffix("UNSPECIFIED")
        assert {value.removeprefix(prefix) for value in values[1:]} == endings, field.full_name
    elif isinstance(kind, type) and issubclass(kind, Struct):
        assert field.message_type is not None, field.full_name
        check_fields(kind, field.message_type)
    else:
        assert field.type in WIRE_TYPES[kind], field.full_name


def values_of(kind: Any, field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """Everything the annotation allows that its message can carry."""
    if get_origin(kind) is tuple:
        return st.lists(values_of(get_args(kind)[0], field), max_size=3).map(tuple)
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    if kind is int:
        return st.integers(*NUMBERS[field.type])
    if kind is bool:
        return st.booleans()
    if kind is str:
        return st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
    assert field.message_type is not None
    return structs(kind, field.message_type)


def structs(kind: type[Struct], descriptor: Descriptor) -> st.SearchStrategy[Any]:
    """All values of a struct."""
    parts = {info.name: values_of(info.type, descriptor.fields_by_name[info.name]) for info in fields(kind)}
    return st.builds(kind, **parts)


EVENTS = st.one_of(
    [structs(each, descriptor_of(getattr(events_pb2, each.__name__))) for each in e.EVENT_TYPES]
)
COMMANDS = st.one_of(
    [structs(each, descriptor_of(getattr(command_pb2, each.__name__))) for each in c.COMMAND_TYPES]
)


@pytest.mark.parametrize(("struct", "message"), PAIRS, ids=NAMES)
def test_struct_and_message_have_the_same_fields(struct: type[Struct], message: type[Message]) -> None:
    """Every field of the domain's type is in its message under the same name, order and kind, and none besides."""
    check_fields(struct, descriptor_of(message))


@settings(max_examples=300, deadline=None)
@given(EVENTS)
def test_every_event_comes_back_as_it_was(event: e.Event) -> None:
    """Encoding and decoding an event gives the very same event, and encoding it again the very same bytes."""
    name, payload = encode_event(event)
    assert decode_event(name, payload) == event
    assert encode_event(decode_event(name, payload)) == (name, payload)
    envelope = events_pb2.GameEvent()
    fill_body(envelope, name, payload)
    assert envelope.WhichOneof("body") == name


@settings(max_examples=150, deadline=None)
@given(COMMANDS)
def test_every_command_comes_back_as_it_was(command: c.Command) -> None:
    """A command sent as bytes is the command read."""
    sent = command_message(command).SerializeToString()
    assert read_command(command_pb2.Command.FromString(sent)) == command


@settings(max_examples=50, deadline=None)
@given(COMMANDS, st.sampled_from(get_args(OpenField)), st.integers(0, 10**6), st.integers(1, 100))
def test_every_choice_comes_back_as_it_was(
    command: c.Command, open_field: OpenField, bound: int, step: int
) -> None:
    """A listed choice keeps its command, its open field and its bounds over the wire."""
    choice = Choice("ann", command, open_field, bound, 2 * bound, step, bound)
    assert read_choice(choice_message(choice)) == choice


@pytest.mark.parametrize("kind", e.EVENT_TYPES, ids=lambda kind: str(kind.__name__))
def test_bytes_of_old_logs_stay_readable(kind: type[e.Event]) -> None:
    """The stored bytes of one event of every kind are read as that event and written again as they are."""
    (sample,) = (each for each in SAMPLES if type(each) is kind)
    name, payload = encode_event(sample)
    assert path_of(name).read_bytes() == payload
    assert decode_event(name, path_of(name).read_bytes()) == sample


def test_every_stored_sample_belongs_to_an_event() -> None:
    """No kind of event was dropped or renamed under which bytes were stored once."""
    stored = {path.stem for path in path_of("any").parent.glob("*.bin")}
    assert stored == {encode_event(sample)[0] for sample in SAMPLES}


def test_reasons_on_the_wire_are_those_of_the_rules() -> None:
    """The enum names every reason of the rules in order of precedence, and none besides."""
    values = rejection_pb2.RejectionReason.DESCRIPTOR.values
    wanted = ["REJECTION_REASON_UNSPECIFIED", *(f"REJECTION_REASON_{code.upper()}" for code in REASONS)]
    assert sorted(value.name for value in values) == sorted(wanted)
    in_order = [value.name for value in values if value.name in wanted]
    assert in_order == wanted


UNREADABLE = [
    ("cash_mooved", b"", "no event is called 'cash_mooved'"),
    ("cash_moved", b"\xff\xff\xff", "cash_moved: "),
    ("cash_moved", b"", "reason: 0 is not one of its values"),
    ("round_ended", b"\x08\x63", "kind: 99 is not one of its values"),
]


@pytest.mark.parametrize(("name", "payload", "words"), UNREADABLE)
def test_what_is_no_event_is_named(name: str, payload: bytes, words: str) -> None:
    """An unknown name, broken bytes and an unknown value are each told as what they are."""
    with pytest.raises(UnreadableEventError, match=words):
        decode_event(name, payload)


def test_a_command_that_cannot_be_read_names_its_field() -> None:
    """No body, and a value outside its enum, are refused by the dotted name of the field."""
    with pytest.raises(MalformedMessageError, match="command: no command is set"):
        read_command(command_pb2.Command())
    strange = command_pb2.Command(declare_dividend=command_pb2.DeclareDividend(company="BK"))
    with pytest.raises(MalformedMessageError, match=r"command\.declare_dividend\.kind: 0"):
        read_command(strange)


def test_a_field_left_out_takes_the_default() -> None:
    """What a client leaves out of a command means the first piece, slot or certificate, not number 0."""
    lay = command_pb2.Command(lay_tile=command_pb2.LayTile(company="BK", hex="B9", tile="57", rotation=0))
    token = command_pb2.Command(place_token=command_pb2.PlaceToken(company="BK", hex="B9", city=0))
    buy = command_pb2.Command(buy_certificate=command_pb2.BuyCertificate(company="BK", source="bank"))
    assert read_command(lay) == c.LayTile("BK", "B9", "57", 0, -1)
    assert read_command(token) == c.PlaceToken("BK", "B9", 0, -1)
    assert read_command(buy) == c.BuyCertificate("BK", "bank", -1)


def test_a_pair_that_does_not_match_is_never_built() -> None:
    """A struct with a field that its message lacks is refused at once, not when the first such event is stored."""
    with pytest.raises(TypeError, match="Undone has fields"):
        pair(e.Undone, events_pb2.CashMoved)
