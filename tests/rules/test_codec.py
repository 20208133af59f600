"""Events and commands survive the way over the wire; what cannot be read is named."""

import time
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, get_args, get_origin

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from hypothesis import given, strategies as st
from msgspec import Struct
from msgspec.structs import fields

from devtools.clauses import package_of
from services.common.eventlog.schema_versions import check_upcasts
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import command_pb2
from services.rules.adapters.codec import (
    COMMAND_TYPES,
    EVENT_TYPES,
    EVENT_VERSIONS,
    UnreadableEventError,
    command_message,
    decode_event,
    encode_event,
    fill_body,
    read_command,
    stored_body,
)
from services.rules.adapters.messages import MalformedMessageError
from services.rules.adapters.older import older_readers
from services.rules.kernel.commands import Command
from services.rules.kernel.events import CashMoved, Event, OlderEvent
from services.rules.kernel.game import Game
from services.rules.parts.map.commands import LayTile
from services.rules.parts.shares.commands import BuyCertificate
from services.rules.parts.trains.commands import BuyTrain
from services.rules.parts.trains.events import DividendDeclared
from services.rules.titles.g1824.commands import BuyCompany
from tests.rules.samples import EVENTS, OLDER_EVENTS

GOLDEN = Path(__file__).parents[1] / "golden" / "events"
BY_NAME = {encode_event(event)[0]: event for event in EVENTS}
BY_VERSION = {**OLDER_EVENTS, **{encode_event(event)[:2]: event for event in EVENTS}}


def golden_file(name: str, version: int) -> Path:
    """The bytes of one version of an event; those of the first have no version in their name."""
    return GOLDEN / (f"{name}.bin" if version == 1 else f"{name}.v{version}.bin")


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


@given(st.sampled_from(EVENT_TYPES).flatmap(structs))
def test_every_event_survives_its_bytes(event: Event) -> None:
    """Encoding and decoding give the same event, whatever it says."""
    name, version, payload = encode_event(event)
    assert decode_event(name, version, payload) == event


@given(st.sampled_from(COMMAND_TYPES).flatmap(structs))
def test_every_command_survives_its_bytes(command: Command) -> None:
    """A command read from its serialised message is the command sent."""
    sent = command_message(command).SerializeToString()
    assert read_command(command_pb2.Command.FromString(sent)) == command


def test_there_is_a_sample_of_every_event() -> None:
    """No type is left out of the golden bytes, but those of the titles that tests bring."""
    ours = {kind for kind in EVENT_TYPES if kind.__module__.startswith("services.")}
    assert {type(event) for event in EVENTS} == ours


@pytest.mark.parametrize("version", sorted(BY_VERSION), ids=lambda version: ".v".join(map(str, version)))
def test_golden_bytes_are_read_for_ever(version: tuple[str, int]) -> None:
    """The bytes in which a version first wrote an event still mean that event."""
    assert decode_event(*version, golden_file(*version).read_bytes()) == BY_VERSION[version]


def test_no_golden_event_is_forgotten() -> None:
    """There are bytes of every version of every event, and every file of them is decoded by a test."""
    assert set(BY_VERSION) == {
        (name, each) for name in BY_NAME for each in range(1, EVENT_VERSIONS[name] + 1)
    }
    assert sorted(GOLDEN.glob("*.bin")) == sorted(golden_file(*version) for version in BY_VERSION)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_readers_get_the_stored_body(event: Event) -> None:
    """The envelope for readers holds the body under its own name, also when all its fields are empty; what one title alone
    knows is packed with the name of its message."""
    name, version, payload = encode_event(event)
    envelope = events_pb2.GameEvent()
    fill_body(envelope, name, version, payload)
    assert stored_body(envelope) == (name, version, payload)
    if "." in name:
        assert envelope.WhichOneof("body") == "title_event"
        assert envelope.title_event.value == payload
        title, message = name.split(".")[0], type(event).__name__
        assert envelope.title_event.TypeName() == f"signalbox.titles.{package_of(title)}.v1.{message}"
    else:
        assert envelope.WhichOneof("body") == name
        assert getattr(envelope, name).SerializeToString(deterministic=True) == payload


def test_an_envelope_of_an_unknown_title_is_named() -> None:
    """The body of an event that no title here knows is not stored under a guessed name."""
    envelope = events_pb2.GameEvent(title_event=AnyMessage(type_url="type.googleapis.com/other.v1.Event"))
    with pytest.raises(UnreadableEventError, match=r"no event is a type\.googleapis\.com/other\.v1\.Event"):
        stored_body(envelope)


def test_unknown_event_names_and_broken_bytes_are_named() -> None:
    """Nothing is guessed from a stored event that does not fit."""
    with pytest.raises(UnreadableEventError, match="no event is called 'money_burnt'"):
        decode_event("money_burnt", 1, b"")
    with pytest.raises(UnreadableEventError, match="no event is called 'money_burnt'"):
        fill_body(events_pb2.GameEvent(), "money_burnt", 1, b"")
    with pytest.raises(
        UnreadableEventError, match=r"'moon\.lander_hired'; no title called moon is listed here"
    ):
        decode_event("moon.lander_hired", 1, b"")
    with pytest.raises(UnreadableEventError, match="cash_moved"):
        decode_event("cash_moved", 1, b"\xff\xff\xff")
    created = events_pb2.GameCreated(title="1824")
    with pytest.raises(UnreadableEventError, match="undo_policy: 0 is not one of its values"):
        decode_event("game_created", 1, created.SerializeToString())
    number = events_pb2.GameCreated.UNDO_POLICY_FIELD_NUMBER
    with pytest.raises(UnreadableEventError, match="undo_policy: 99 is not one of its values"):
        decode_event("game_created", 1, created.SerializeToString() + bytes((number << 3, 99)))


def test_what_no_part_lists_is_named() -> None:
    """An event or command that its title forgot to list in its part."""

    class Unlisted(Event, frozen=True):
        def write(self, game: Game) -> None:
            """It says nothing."""

    class Forgotten(Command, frozen=True):
        pass

    with pytest.raises(TypeError, match=r"test_codec\.Unlisted is not among the `events` of any part"):
        encode_event(Unlisted())
    with pytest.raises(TypeError, match=r"test_codec\.Forgotten is not among the `commands` of any part"):
        command_message(Forgotten())


@pytest.mark.parametrize("version", [-1, 0, 3, 99])
def test_an_unknown_schema_version_is_named(version: int) -> None:
    """A newer version, or one that never was, is not read as if it were a known one."""
    _, _, payload = encode_event(DividendDeclared("BK", "half", 70, 7, 4))
    problem = f"dividend_declared: schema version {version} is unknown, 2 is the newest known"
    with pytest.raises(UnreadableEventError, match=problem):
        decode_event("dividend_declared", version, payload)
    with pytest.raises(UnreadableEventError, match=problem):
        fill_body(events_pb2.GameEvent(), "dividend_declared", version, payload)


class CashMovedV1(OlderEvent, frozen=True):
    """As if money had once moved in phases; its message is that of a phase."""

    phase: str

    def upcast(self) -> OlderEvent:
        """Version 2."""
        return CashMovedV2(self.phase, "BK")


class CashMovedV2(OlderEvent, frozen=True):
    """One field more."""

    phase: str
    company: str

    def upcast(self) -> Event:
        """The event."""
        return CashMoved(self.company, "bank", 1, self.phase)


def test_an_old_event_goes_through_all_versions_since() -> None:
    """Each upcast leads to the next version, the last to the event."""
    messages: Any = SimpleNamespace(CashMovedV1=events_pb2.PhaseStarted)
    ((version, (parse, decode)),) = older_readers({"CashMoved": "cash_moved"}, (CashMovedV1,), messages)
    assert version == ("cash_moved", 1)
    stored = events_pb2.PhaseStarted(phase="4").SerializeToString()
    assert decode(parse(stored)) == CashMoved("BK", "bank", 1, "4")


def test_older_versions_are_named_after_their_events() -> None:
    """A type that is no older version of an event of its part is refused when the program starts."""
    with pytest.raises(TypeError, match="CashMovedV1 is not called like an event with V and its version"):
        list(older_readers({"DebtChanged": "debt_changed"}, (CashMovedV1,), events_pb2))


@pytest.mark.parametrize(
    ("versions", "upcasts", "problem"),
    [
        ({"cash_moved": 2}, [], "cash_moved 1"),
        ({"cash_moved": 4}, [("cash_moved", 2)], "cash_moved 1, cash_moved 3"),
        ({"cash_moved": 1}, [("cash_moved", 1)], "cash_moved 1"),
        ({"cash_moved": 1}, [("money_burnt", 1)], "money_burnt 1"),
    ],
)
def test_no_version_is_raised_without_an_upcast(
    versions: dict[str, int], upcasts: list[tuple[str, int]], problem: str
) -> None:
    """Rules, lobby and ledger check it when they start: each version before the current one is read, and no other."""
    check_upcasts({"cash_moved": 3}, [("cash_moved", 1), ("cash_moved", 2)])
    with pytest.raises(TypeError, match=f": {problem}$"):
        check_upcasts(versions, upcasts)


def test_fields_left_out_of_a_command_take_their_defaults() -> None:
    """A client that leaves out number, piece, slot, source and seller gets what the contract says."""
    cases: list[tuple[command_pb2.Command, Command]] = [
        (
            command_pb2.Command(buy_certificate=command_pb2.BuyCertificate(company="BK")),
            BuyCertificate("BK", "bank", -1),
        ),
        (
            command_pb2.Command(buy_certificate=command_pb2.BuyCertificate(company="BK", number=0)),
            BuyCertificate("BK", "bank", 0),
        ),
        (
            command_pb2.Command(buy_train=command_pb2.BuyTrain(company="BK", train="2-0", price=80)),
            BuyTrain("BK", "2-0", 80, "bank"),
        ),
        (
            command_pb2.Command(lay_tile=command_pb2.LayTile(company="BK", hex="E12", tile="5")),
            LayTile("BK", "E12", "5", 0, -1),
        ),
    ]
    for message, command in cases:
        assert read_command(message) == command


def test_commands_that_say_nothing_are_malformed() -> None:
    """No command at all, and one that no title here knows or that cannot be parsed, are refused by field."""
    with pytest.raises(MalformedMessageError, match="command: no command is set"):
        read_command(command_pb2.Command())
    unknown = AnyMessage(type_url="type.googleapis.com/other.v1.Command")
    with pytest.raises(MalformedMessageError, match=r"command\.title_command\.type_url: no title has such"):
        read_command(command_pb2.Command(title_command=unknown))
    broken = command_message(BuyCompany("EPP", 120))
    broken.title_command.value = b"\xff\xff\xff"
    with pytest.raises(MalformedMessageError, match=r"command\.title_command\.value"):
        read_command(broken)


def test_decoding_is_fast_enough_to_rebuild_games() -> None:
    """An event is decoded in well under 20 microseconds even on a loaded machine (4 on a quiet one)."""
    stored = [encode_event(event) for event in EVENTS]
    best = min(_seconds(stored) for _ in range(100))
    assert best / len(stored) < 20e-6


def _seconds(stored: list[tuple[str, int, bytes]]) -> float:
    started = time.perf_counter()
    for name, version, payload in stored:
        decode_event(name, version, payload)
    return time.perf_counter() - started
