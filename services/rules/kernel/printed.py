"""What the box of a title shows: for readers who have no copy of it, independent of any game."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import fields

Printed = TypeVar("Printed", bound=Struct)


def own_figures(entry: Struct, shared: type[Struct]) -> dict[str, Any]:
    """What a title prints on `entry` beyond the fields of `shared`, by name; what is at its default is left out."""
    known = {each.name for each in fields(shared)}
    return {
        each.name: plain(value)
        for each in fields(entry)
        if each.name not in known and (value := getattr(entry, each.name)) != each.default
    }


def plain(value: object) -> Any:
    """The value in lists, and tables with text for keys."""
    return msgspec.to_builtins(value, str_keys=True)
