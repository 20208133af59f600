"""Events and commands between the domain and the wire. An event is stored as the bytes of its own message under its
own name (`cash_moved`), so that neither classes nor modules can be renamed out of an old log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from google.protobuf.message import DecodeError, Message
from msgspec import Struct

from services.gen.signalbox.events.v1 import events_pb2
from services.gen.signalbox.rules.v1 import choice_pb2, command_pb2
from services.rules.adapters.messages import MalformedMessageError, Pair, descriptor_of, pair
from services.rules.domain.choice import Choice, OpenField
from services.rules.domain.commands import COMMAND_TYPES, Command
from services.rules.domain.events import (
    EVENT_TYPES,
    Event,
    RoundKind,
    Ruling,
    Run,
    Score,
    ServiceOrNone,
    UndoPolicy,
)

EVENT_SCHEMA_VERSION = 1


class UnreadableEventError(Exception):
    """A stored event has an unknown name or version, or bytes that are not its message."""


def _bodies(
    types: Sequence[type[Struct]], envelope: type[Message], module: ModuleType
) -> dict[type[Struct], tuple[str, Pair]]:
    """For each type the field of the envelope's `body` that carries it, and its closures."""
    names = {
        field.message_type.name: field.name
        for field in descriptor_of(envelope).oneofs_by_name["body"].fields
        if field.message_type is not None
    }
    missing = names.keys() ^ {each.__name__ for each in types}
    if missing:
        raise TypeError(f"{envelope.__name__} and its types do not match: {sorted(missing)}")
    return {each: (names[each.__name__], pair(each, getattr(module, each.__name__))) for each in types}


_EVENTS = _bodies(EVENT_TYPES, events_pb2.GameEvent, events_pb2)
_COMMANDS = _bodies(COMMAND_TYPES, command_pb2.Command, command_pb2)

_EVENT_READERS: dict[str, tuple[Callable[[bytes], Any], Callable[[Any], Any]]] = {
    name: (getattr(events_pb2, each.__name__).FromString, both.decode)
    for each, (name, both) in _EVENTS.items()
}
_COMMAND_READERS = {name: both.decode for name, both in _COMMANDS.values()}
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
ROUND_KINDS: dict[RoundKind, events_pb2.RoundKind] = {
    "initial_stock": events_pb2.ROUND_KIND_INITIAL_STOCK,
    "stock": events_pb2.ROUND_KIND_STOCK,
    "operating": events_pb2.ROUND_KIND_OPERATING,
    "parliamentary": events_pb2.ROUND_KIND_PARLIAMENTARY,
}
SERVICE_KINDS: dict[ServiceOrNone, events_pb2.ServiceKind] = {
    "": events_pb2.SERVICE_KIND_UNSPECIFIED,
    "freight": events_pb2.SERVICE_KIND_FREIGHT,
    "local": events_pb2.SERVICE_KIND_LOCAL,
    "express": events_pb2.SERVICE_KIND_EXPRESS,
}

run_message: Callable[[Run], events_pb2.Run] = pair(Run, events_pb2.Run).encode
score_message: Callable[[Score], events_pb2.Score] = pair(Score, events_pb2.Score).encode
ruling_message: Callable[[Ruling], events_pb2.Ruling] = pair(Ruling, events_pb2.Ruling).encode


def encode_event(event: Event) -> tuple[str, bytes]:
    """The name an event is stored under and its bytes."""
    name, both = _EVENTS[type(event)]
    data: bytes = both.encode(event).SerializeToString(deterministic=True)
    return name, data


def decode_event(name: str, payload: bytes) -> Event:
    """The event stored as `payload` under `name`; `UnreadableEventError` says what does not fit."""
    try:
        parse, decode = _EVENT_READERS[name]
        event: Event = decode(parse(payload))
    except KeyError:
        raise UnreadableEventError(f"no event is called {name!r}") from None
    except (DecodeError, MalformedMessageError) as problem:
        raise UnreadableEventError(f"{name}: {problem}") from problem
    return event


def fill_body(envelope: events_pb2.GameEvent, name: str, payload: bytes) -> None:
    """Put a stored event into the envelope that readers get, without a way through the domain."""
    body = getattr(envelope, name)
    body.SetInParent()
    body.ParseFromString(payload)


def command_message(command: Command) -> command_pb2.Command:
    """A command as it goes over the wire."""
    name, both = _COMMANDS[type(command)]
    return command_pb2.Command(**{name: both.encode(command)})


def read_command(message: command_pb2.Command) -> Command:
    """The command a client sent; `MalformedMessageError` names the field that cannot be read."""
    name = message.WhichOneof("body")
    if name is None:
        raise MalformedMessageError("command", "no command is set")
    try:
        command: Command = _COMMAND_READERS[name](getattr(message, name))
    except MalformedMessageError as problem:
        raise MalformedMessageError(f"command.{name}.{problem.field}", problem.problem) from None
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
