"""The events of clocks as messages of the log. Messages have the names and fields of the events."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import msgspec
from google.protobuf.message import Message

from services.gen.signalbox.lobby.v1 import clock_event_pb2 as wire
from services.lobby.domain.table_clocks import ClockChosen, ClockEvent
from services.lobby.struct_messages import message_of, record_name, struct_of

EVENTS: dict[str, type[msgspec.Struct]] = {
    record_name(kind): kind for kind in (ClockChosen, *get_args(ClockEvent))
}
DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in EVENTS.items()}
READERS: dict[str, tuple[type[Message], Callable[[Any], Any]]] = {
    name: (getattr(wire, kind.__name__), partial(struct_of, decoder=DECODERS[name]))
    for name, kind in EVENTS.items()
}


def to_wire(event: ClockChosen | ClockEvent) -> tuple[str, Message]:
    """Name and message of an event."""
    name = record_name(type(event))
    return name, message_of(event, READERS[name][0])
