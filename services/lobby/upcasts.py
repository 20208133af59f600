"""Events of the lobby as older versions stored them, and how each becomes the next version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from google.protobuf.message import Message


class Upcast(NamedTuple):
    """The message of an older version, and what the same event is in the next one."""

    message: type[Message]
    to_next: Callable[[Any], Message]


# By the name under which the event is stored and its version. All events of the lobby are in their first version.
UPCASTS: Mapping[tuple[str, int], Upcast] = {}
