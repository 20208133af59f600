"""Events of tables about their guests, about ending a game by agreement, and about offers to take a seat, as messages of the log:
messages have the names and fields of the events."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import msgspec
from google.protobuf.message import Message

from services.gen.signalbox.lobby.v1 import table_event_pb2 as wire
from services.lobby.domain.agreeing import AgreementEvent
from services.lobby.domain.invitations import GuestEvent
from services.lobby.domain.offering import OfferEvent
from services.lobby.struct_messages import message_of, record_name, struct_of

EVENTS: dict[str, type[msgspec.Struct]] = {
    record_name(kind): kind
    for kind in (*get_args(GuestEvent), *get_args(AgreementEvent), *get_args(OfferEvent))
}
DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in EVENTS.items()}
READERS: dict[str, tuple[type[Message], Callable[[Any], Any]]] = {
    name: (getattr(wire, kind.__name__), partial(struct_of, decoder=DECODERS[name]))
    for name, kind in EVENTS.items()
}


def to_wire(event: GuestEvent | AgreementEvent | OfferEvent) -> tuple[str, Message]:
    """Name and message of an event."""
    name = record_name(type(event))
    return name, message_of(event, READERS[name][0])
