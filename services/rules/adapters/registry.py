"""The parts of the rules that are installed, those of the titles among them, with the messages of their wire forms."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from google.protobuf.message import Message
from msgspec import Struct

from services.rules.adapters.messages import Pair, pair
from services.rules.kernel.part import Part
from services.rules.loading import TitlesSettingError
from services.rules.parts.auctions.part import AUCTIONS
from services.rules.parts.map.part import MAP
from services.rules.parts.market.part import MARKET
from services.rules.parts.shares.part import SHARES
from services.rules.parts.trains.part import TRAINS
from services.rules.titles import TITLES

PARTS = (SHARES, MARKET, MAP, TRAINS, AUCTIONS)
# The own parts of titles, by title.
OWN: dict[str, Part] = {title.name: title.own for title in TITLES.values()}


def all_parts() -> Iterator[Part]:
    """All parts, then the own part of each title."""
    yield from PARTS
    yield from OWN.values()


def messages_of(part: Part) -> ModuleType:
    """The module with the messages of a title's own part."""
    return import_module(part.wire)


def own_form(part: Part, struct: type[Struct], name: str) -> tuple[type[Message], Pair]:
    """The message called `name` of a title's own part, and the closures between it and `struct`.

    `TitlesSettingError` when there is no such message or its fields are not those of the struct."""
    try:
        message: type[Message] = getattr(messages_of(part), name)
        return message, pair(struct, message)
    except ImportError as problem:
        raise TitlesSettingError(f"{part.name}: its messages cannot be imported: {problem}") from problem
    except AttributeError as problem:
        raise TitlesSettingError(
            f"{part.name}: {part.wire} has no message {name}; add it to the .proto file and generate the code again"
        ) from problem
    except TypeError as problem:
        raise TitlesSettingError(f"{part.name}: {part.wire}: {problem}") from problem
