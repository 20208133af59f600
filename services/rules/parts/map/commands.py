"""What a player may ask for about the map."""

from __future__ import annotations

from services.rules.kernel.commands import Command


class LayTile(Command, frozen=True):
    """Lay or upgrade `hex` with `tile` turned by `rotation`. `copy` picks the printed piece; -1 takes the lowest free one."""

    company: str
    hex: str
    tile: str
    rotation: int
    copy: int = -1


class PlaceToken(Command, frozen=True):
    """Put the next token of the charter into slot `slot` of a city; -1 takes the first free slot."""

    company: str
    hex: str
    city: int
    slot: int = -1


class ChooseToken(Command, frozen=True):
    """Name the token on the map that `company` gives up."""

    company: str
    hex: str
    city: int


COMMANDS: tuple[type[Command], ...] = (LayTile, PlaceToken, ChooseToken)
