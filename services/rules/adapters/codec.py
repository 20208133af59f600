"""Events and commands between the domain and the wire. An event is stored as the bytes of its own message under its
own name (`cash_moved`, `1862.licences_set`), so that neither classes nor modules can be renamed out of an old log.

What one title alone knows travels in an `Any` with a message of the title's own package."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import NamedTuple, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from msgspec import Struct

from services.common.eventlog.schema_versions import check_upcasts, schema_version_of, unknown_version
from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import choice_pb2, command_pb2
from services.rules.adapters.messages import MalformedMessageError, Pair, descriptor_of, pair
from services.rules.adapters.older import Reader, older_readers
from services.rules.adapters.registry import OWN, PARTS, messages_of, own_form
from services.rules.kernel import commands, events
from services.rules.kernel.choice import Choice, OpenField
from services.rules.kernel.commands import Command
from services.rules.kernel.directing import events as directing
from services.rules.kernel.events import Event
from services.rules.kernel.part import Part
from services.rules.kernel.values import BearerKind, Ruling, Score, UndoPolicy
from services.rules.parts.trains.state import Run

TYPE_URL = "type.googleapis.com/"
TITLE_EVENT = "title_event"
TITLE_COMMAND = "title_command"

Kind = TypeVar("Kind", bound=Struct)


class UnreadableEventError(Exception):
    """A stored event has an unknown name or version, or bytes that are not its message."""


class _Form(NamedTuple):
    """How one event or command travels. `name`: the field of the envelope, or what an event of one title is stored under;
    `type_url` is empty unless one title alone knows it."""

    name: str
    type_url: str
    message: type[Message]
    both: Pair

    @property
    def version(self) -> int:
        """The version in which an event is stored."""
        return schema_version_of(self.message)


def _shared_forms(
    types: Sequence[type[Kind]], envelope: type[Message], module: ModuleType
) -> Iterator[tuple[type[Kind], _Form]]:
    """For each type of kernel and parts the field of the envelope's `body` that carries it, and its closures."""
    names = {
        field.message_type.name: field.name
        for field in descriptor_of(envelope).oneofs_by_name["body"].fields
        if field.message_type is not None and field.message_type.name != "Any"
    }
    missing = names.keys() ^ {each.__name__ for each in types}
    if missing:
        raise TypeError(f"{envelope.__name__} and its types do not match: {sorted(missing)}")
    for each in types:
        message: type[Message] = getattr(module, each.__name__)
        yield each, _Form(names[each.__name__], "", message, pair(each, message))


def _title_forms(part: Part, types: Sequence[type[Kind]]) -> Iterator[tuple[type[Kind], _Form]]:
    """For each type that one title alone knows the message of the title's package."""
    for each in types:
        message, both = own_form(part, each, each.__name__)
        name = f"{part.name}.{re.sub('(?<!^)(?=[A-Z])', '_', each.__name__).lower()}"
        yield each, _Form(name, TYPE_URL + descriptor_of(message).full_name, message, both)


def _all_older_readers() -> Iterator[tuple[tuple[str, int], Reader]]:
    """Readers of all older versions, each beside the events of its part or title."""
    shared = [*events.OLDER_EVENTS, *(older for part in PARTS for older in part.older_events)]
    yield from older_readers(_stored_names(_SHARED_EVENTS), shared, events_pb2)
    for part in OWN.values():
        if part.older_events:
            yield from older_readers(_stored_names(part.events), part.older_events, messages_of(part))


def _stored_names(types: Sequence[type[Event]]) -> dict[str, str]:
    return {each.__name__: _EVENTS[each].name for each in types}


_SHARED_EVENTS = (*events.EVENTS, *directing.EVENTS, *(event for part in PARTS for event in part.events))
_SHARED_COMMANDS = (*commands.COMMANDS, *(command for part in PARTS for command in part.commands))
_EVENTS = dict(_shared_forms(_SHARED_EVENTS, events_pb2.GameEvent, events_pb2))
_COMMANDS = dict(_shared_forms(_SHARED_COMMANDS, command_pb2.Command, command_pb2))
for _part in OWN.values():
    _EVENTS.update(_title_forms(_part, _part.events))
    _COMMANDS.update(_title_forms(_part, _part.commands))

EVENT_TYPES = tuple(_EVENTS)
COMMAND_TYPES = tuple(_COMMANDS)
_EVENT_FORMS = {form.name: form for form in _EVENTS.values()}
EVENT_VERSIONS = {name: form.version for name, form in _EVENT_FORMS.items()}
_OLDER_READERS = dict(_all_older_readers())
check_upcasts(EVENT_VERSIONS, _OLDER_READERS)
_EVENT_READERS: dict[str, dict[int, Reader]] = {
    name: {EVENT_VERSIONS[name]: (form.message.FromString, form.both.decode)}
    for name, form in _EVENT_FORMS.items()
}
for (_name, _version), _reader in _OLDER_READERS.items():
    _EVENT_READERS[_name][_version] = _reader
_EVENT_NAMES = {form.type_url: name for name, form in _EVENT_FORMS.items() if form.type_url}
_COMMAND_READERS = {form.name: form.both.decode for form in _COMMANDS.values() if not form.type_url}
_TITLE_COMMANDS = {form.type_url: form for form in _COMMANDS.values() if form.type_url}
_OPEN_FIELD_NAMES: dict[choice_pb2.OpenField, OpenField] = {
    choice_pb2.OPEN_FIELD_UNSPECIFIED: "",
    choice_pb2.OPEN_FIELD_PRICE: "price",
    choice_pb2.OPEN_FIELD_AMOUNT: "amount",
    choice_pb2.OPEN_FIELD_RUNS: "runs",
}
_OPEN_FIELD_NUMBERS = {name: number for number, name in _OPEN_FIELD_NAMES.items()}

UNDO_POLICIES: dict[UndoPolicy, events_pb2.UndoPolicy] = {
    "free": events_pb2.UNDO_POLICY_FREE,
    "own_turn": events_pb2.UNDO_POLICY_OWN_TURN,
    "none": events_pb2.UNDO_POLICY_NONE,
}

BEARER_KINDS: dict[BearerKind, events_pb2.BearerKind] = {
    "player": events_pb2.BEARER_KIND_PLAYER,
    "substitute": events_pb2.BEARER_KIND_SUBSTITUTE,
    "bot": events_pb2.BEARER_KIND_BOT,
    "director": events_pb2.BEARER_KIND_DIRECTOR,
}

run_message: Callable[[Run], events_pb2.Run] = pair(Run, events_pb2.Run).encode
score_message: Callable[[Score], events_pb2.Score] = pair(Score, events_pb2.Score).encode
ruling_message: Callable[[Ruling], events_pb2.Ruling] = pair(Ruling, events_pb2.Ruling).encode


def _form_of(forms: Mapping[type[Kind], _Form], kind: type[Kind], listed_in: str) -> _Form:
    """How a kind of event or command travels; `TypeError` for one that its title does not list."""
    try:
        return forms[kind]
    except KeyError:
        raise TypeError(
            f"{kind.__module__}.{kind.__name__} is not among the `{listed_in}` of any part"
        ) from None


def encode_event(event: Event) -> tuple[str, int, bytes]:
    """The name an event is stored under, the version of its schema and its bytes."""
    form = _form_of(_EVENTS, type(event), "events")
    data: bytes = form.both.encode(event).SerializeToString(deterministic=True)
    return form.name, EVENT_VERSIONS[form.name], data


def decode_event(name: str, version: int, payload: bytes) -> Event:
    """The event stored as `payload` under `name` by that version of its schema, in the current version;
    `UnreadableEventError` says what does not fit."""
    try:
        parse, decode = _EVENT_READERS[name][version]
        event = decode(parse(payload))
    except KeyError:
        raise UnreadableEventError(_unknown(name, version)) from None
    except (DecodeError, MalformedMessageError) as problem:
        raise UnreadableEventError(f"{name}: {problem}") from problem
    return event


def _unknown(name: str, version: int) -> str:
    if name not in EVENT_VERSIONS:
        title = name.partition(".")[0]
        is_of_no_title = "." in name and title not in OWN
        return f"no event is called {name!r}" + f"; no title called {title} is listed here" * is_of_no_title
    return unknown_version(name, version, EVENT_VERSIONS[name])


def fill_body(envelope: events_pb2.GameEvent, name: str, version: int, payload: bytes) -> None:
    """Put a stored event into the envelope that readers get, in its current version. `UnreadableEventError` for an unknown
    name or version."""
    if EVENT_VERSIONS.get(name) != version:
        name, version, payload = encode_event(decode_event(name, version, payload))
    envelope.schema_version = version
    form = _EVENT_FORMS[name]
    if form.type_url:
        envelope.title_event.type_url = form.type_url
        envelope.title_event.value = payload
        return
    body = getattr(envelope, name)
    body.SetInParent()
    body.ParseFromString(payload)


def stored_body(envelope: events_pb2.GameEvent) -> tuple[str, int, bytes]:
    """Name, version and bytes with which the event of an envelope is stored. `UnreadableEventError` for one that is not
    known."""
    field, version = envelope.WhichOneof("body") or "", envelope.schema_version
    if field != TITLE_EVENT:
        payload = getattr(envelope, field).SerializeToString(deterministic=True) if field else b""
        return field, version, payload
    name = _EVENT_NAMES.get(envelope.title_event.type_url)
    if name is None:
        raise UnreadableEventError(f"no event is a {envelope.title_event.type_url}")
    return name, version, envelope.title_event.value


def command_message(command: Command) -> command_pb2.Command:
    """A command as it goes over the wire."""
    form = _form_of(_COMMANDS, type(command), "commands")
    body = form.both.encode(command)
    if form.type_url:
        packed = AnyMessage(type_url=form.type_url, value=body.SerializeToString(deterministic=True))
        return command_pb2.Command(title_command=packed)
    return command_pb2.Command(**{form.name: body})


def read_command(message: command_pb2.Command) -> Command:
    """The command a client sent; `MalformedMessageError` names the field that cannot be read."""
    name = message.WhichOneof("body")
    if name is None:
        raise MalformedMessageError("command", "no command is set")
    try:
        if name == TITLE_COMMAND:
            return _read_title_command(message.title_command)
        command: Command = _COMMAND_READERS[name](getattr(message, name))
    except MalformedMessageError as problem:
        raise MalformedMessageError(f"command.{name}.{problem.field}", problem.problem) from None
    return command


def _read_title_command(packed: AnyMessage) -> Command:
    form = _TITLE_COMMANDS.get(packed.type_url)
    if form is None:
        raise MalformedMessageError("type_url", "no title has such a command")
    try:
        command: Command = form.both.decode(form.message.FromString(packed.value))
    except DecodeError as problem:
        raise MalformedMessageError("value", str(problem)) from None
    return command


def choice_message(choice: Choice) -> choice_pb2.Choice:
    """A choice as it goes over the wire."""
    return choice_pb2.Choice(
        player=choice.player,
        command=command_message(choice.command),
        open_field=_OPEN_FIELD_NUMBERS[choice.open_field],
        minimum=choice.minimum,
        maximum=choice.maximum,
        step=choice.step,
        cost=choice.cost,
    )


def read_choice(message: choice_pb2.Choice) -> Choice:
    """The choice a service listed."""
    return Choice(
        player=message.player,
        command=read_command(message.command),
        open_field=_OPEN_FIELD_NAMES[message.open_field],
        minimum=message.minimum,
        maximum=message.maximum,
        step=message.step,
        cost=message.cost,
    )
