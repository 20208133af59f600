"""Events and commands survive the way over the wire; what cannot be read is named."""

import time
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from hypothesis import given, strategies as st
from msgspec import Struct
from msgspec.structs import fields

from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import command_pb2
from services.rules.adapters.codec import (
    UnreadableEventError,
    command_message,
    decode_event,
    encode_event,
    fill_body,
    read_command,
)
from services.rules.adapters.messages import MalformedMessageError
from services.rules.domain import commands as c, events as e
from tests.rules.samples import EVENTS

GOLDEN = Path(__file__).parents[1] / "golden" / "events"
BY_NAME = {encode_event(event)[0]: event for event in EVENTS}


@cache
def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type."""
    if kind is str:
        return st.text(max_size=8)
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(-(2**63), 2**63 - 1)
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    if get_origin(kind) is tuple:
        return st.lists(values_of(get_args(kind)[0]), max_size=3).map(tuple)
    return structs(kind)


def structs(kind: type[Struct]) -> st.SearchStrategy[Any]:
    """Structs of one type with any fields."""
    return st.builds(kind, **{info.name: values_of(info.type) for info in fields(kind)})


@given(st.sampled_from(e.EVENT_TYPES).flatmap(structs))
def test_every_event_survives_its_bytes(event: e.Event) -> None:
    """Encoding and decoding give the same event, whatever it says."""
    name, payload = encode_event(event)
    assert decode_event(name, payload) == event


@given(st.sampled_from(c.COMMAND_TYPES).flatmap(structs))
def test_every_command_survives_its_bytes(command: c.Command) -> None:
    """A command read from its serialised message is the command sent."""
    sent = command_message(command).SerializeToString()
    assert read_command(command_pb2.Command.FromString(sent)) == command


def test_there_is_a_sample_of_every_event() -> None:
    """No type is left out of the golden bytes."""
    assert {type(event) for event in EVENTS} == set(e.EVENT_TYPES)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_golden_bytes_are_read_for_ever(name: str) -> None:
    """The bytes in which version 1 first wrote an event still mean that event; fields added since have their defaults."""
    payload = (GOLDEN / f"{name}.bin").read_bytes()
    assert decode_event(name, payload) == BY_NAME[name]


def test_no_golden_event_is_forgotten() -> None:
    """Every file of golden bytes is decoded by a test."""
    assert sorted(path.stem for path in GOLDEN.glob("*.bin")) == sorted(BY_NAME)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_readers_get_the_stored_body(event: e.Event) -> None:
    """The envelope for readers holds the body under its own name, also when all its fields are empty."""
    name, payload = encode_event(event)
    envelope = events_pb2.GameEvent()
    fill_body(envelope, name, payload)
    assert envelope.WhichOneof("body") == name
    assert getattr(envelope, name).SerializeToString(deterministic=True) == payload


def test_unknown_event_names_and_broken_bytes_are_named() -> None:
    """Nothing is guessed from a stored event that does not fit."""
    with pytest.raises(UnreadableEventError, match="no event is called 'money_burnt'"):
        decode_event("money_burnt", b"")
    with pytest.raises(UnreadableEventError, match="cash_moved"):
        decode_event("cash_moved", b"\xff\xff\xff")
    with pytest.raises(UnreadableEventError, match="reason: 99 is not one of its values"):
        body = events_pb2.CashMoved(source="bank", target="ann", amount=1)
        decode_event("cash_moved", body.SerializeToString() + b"\x20\x63")
    with pytest.raises(UnreadableEventError, match="reason: 0 is not one of its values"):
        decode_event("cash_moved", events_pb2.CashMoved(amount=1).SerializeToString())


def test_fields_left_out_of_a_command_take_their_defaults() -> None:
    """A client that leaves out number, piece, slot, source and seller gets what the contract says."""
    cases: list[tuple[command_pb2.Command, c.Command]] = [
        (
            command_pb2.Command(buy_certificate=command_pb2.BuyCertificate(company="BK")),
            c.BuyCertificate("BK", "bank", -1),
        ),
        (
            command_pb2.Command(buy_certificate=command_pb2.BuyCertificate(company="BK", number=0)),
            c.BuyCertificate("BK", "bank", 0),
        ),
        (
            command_pb2.Command(buy_train=command_pb2.BuyTrain(company="BK", train="2-0", price=80)),
            c.BuyTrain("BK", "2-0", 80, "bank", ""),
        ),
        (
            command_pb2.Command(lay_tile=command_pb2.LayTile(company="BK", hex="E12", tile="5")),
            c.LayTile("BK", "E12", "5", 0, -1),
        ),
    ]
    for message, command in cases:
        assert read_command(message) == command


def test_commands_that_say_nothing_are_malformed() -> None:
    """No command at all, and an enum without or with an unknown value, are refused by field."""
    with pytest.raises(MalformedMessageError, match="command: no command is set"):
        read_command(command_pb2.Command())
    unspecified = command_pb2.Command(declare_dividend=command_pb2.DeclareDividend(company="BK"))
    with pytest.raises(MalformedMessageError, match=r"command\.declare_dividend\.kind: 0 is not"):
        read_command(unspecified)


def test_decoding_is_fast_enough_to_rebuild_games() -> None:
    """An event is decoded in well under 20 microseconds even on a loaded machine (4 on a quiet one)."""
    stored = [encode_event(event) for event in EVENTS]
    best = min(_seconds(stored) for _ in range(10))
    assert best / len(stored) < 20e-6


def _seconds(stored: list[tuple[str, bytes]]) -> float:
    started = time.perf_counter()
    for name, payload in stored:
        decode_event(name, payload)
    return time.perf_counter() - started
