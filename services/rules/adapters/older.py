"""Readers of events that an older version stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from google.protobuf.message import Message

from services.rules.adapters.messages import pair
from services.rules.kernel.events import Event, OlderEvent

MARK = "V"


# How the bytes of one version of an event are read: as its message, and as the event in its current version.
Reader = tuple[Callable[[bytes], Any], Callable[[Any], Event]]


def older_readers(
    stored_as: Mapping[str, str], older: Sequence[type[OlderEvent]], module: ModuleType
) -> Iterator[tuple[tuple[str, int], Reader]]:
    """The readers by name and version of the stored event. `stored_as`: the names under which events are stored, by the
    names of their types; `module` has the messages of the older versions."""
    for each in older:
        event, _, version = each.__name__.rpartition(MARK)
        if event not in stored_as or not version.isdecimal():
            raise TypeError(f"{each.__name__} is not called like an event with {MARK} and its version")
        message: type[Message] = getattr(module, each.__name__)
        yield (
            (stored_as[event], int(version)),
            (message.FromString, _upcasting(pair(each, message).decode)),
        )


def _upcasting(decode: Callable[[Any], OlderEvent]) -> Callable[[Any], Event]:
    def read(message: Any) -> Event:
        found: Event | OlderEvent = decode(message)
        while isinstance(found, OlderEvent):
            found = found.upcast()
        return found

    return read
