"""Events of games in the words of a translation, which has a sentence for the name of an event with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf import descriptor_pool, json_format

from services.gen.signalbox.events.v1 import events_pb2

ANY = "google.protobuf.Any"
TYPE = "@type"


def fields_of(name: str) -> frozenset[str] | None:
    """What a sentence about an event may name; None where there is no such event. An event that one title alone knows has the
    full name of its message."""
    own = events_pb2.GameEvent.DESCRIPTOR.fields_by_name.get(name)
    message = name if own is None or own.message_type is None else own.message_type.full_name
    try:
        found = descriptor_pool.Default().FindMessageTypeByName(message)
    except KeyError:
        return None
    return None if message == ANY else frozenset(found.fields_by_name)


def sentence_of(
    event: events_pb2.GameEvent, sentences: Mapping[str, str], names: Mapping[str, str]
) -> str | None:
    """An event in one of these sentences; None where it has none. `names`: of players, by id."""
    kind = event.WhichOneof("body")
    if not sentences or kind is None:
        return None
    body = getattr(event, kind)
    name = body.TypeName() if body.DESCRIPTOR.full_name == ANY else kind
    if name not in sentences:
        return None
    given = json_format.MessageToDict(
        body, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    known = {field: _shown(value, names) for field, value in given.items() if field != TYPE}
    return sentences[name].format_map({**dict.fromkeys(fields_of(name) or (), ""), **known})


def _shown(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, list):
        return ", ".join(_shown(each, names) for each in value)
    if isinstance(value, dict):
        return ", ".join(_shown(each, names) for each in value.values())
    return names.get(str(value), str(value))
