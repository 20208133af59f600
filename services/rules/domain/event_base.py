"""What all events are made of: their base, and the values they carry."""

from __future__ import annotations

from msgspec import Struct


class Ruling(Struct, frozen=True):
    """One named ruling and the value a table chose for it."""

    name: str
    value: str


class Run(Struct, frozen=True):
    """One train's run: stops in order as `HEX.n`, the hexes passed, what it earned.

    `revenue` is split or paid out; `treasury_income` (mines, subsidies) always goes to the treasury (1824/IV.2-i,
    1862/7.8.2-e). `counted`: the stops whose value is in the revenue, where a title leaves some out."""

    train: str
    stops: tuple[str, ...]
    segments: tuple[str, ...]
    hexes: tuple[str, ...]
    revenue: int
    treasury_income: int
    counted: tuple[str, ...] = ()


class Score(Struct, frozen=True):
    """A player's final wealth."""

    player: str
    value: int


class CityTokens(Struct, frozen=True):
    """Who sits in the slots of one city, empty text for a free slot."""

    city: int
    slots: tuple[str, ...]


class Event(Struct, frozen=True):
    """Base of all events; carries nothing itself."""
