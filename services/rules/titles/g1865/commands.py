"""Commands that only 1865 has."""

from __future__ import annotations

from services.rules.kernel.commands import Command


class TakeMaritime(Command, frozen=True):
    """Choose a sea company in the draft (1865/2-e)."""

    maritime: str


class ConvertCompany(Command, frozen=True):
    """Make the minor `company` a major (1865/4.1-h); passing declines."""

    company: str


class HandOver(Command, frozen=True):
    """Give the sea company `maritime` to the railway at turn (1865/3-b)."""

    company: str
    maritime: str


class PlaceTokenByRoute(Command, frozen=True):
    """Put the next token of `company` into a city or mine along a direct route, named by its hexes (1865/5.2-g)."""

    company: str
    hex: str
    city: int
    route: tuple[str, ...]


class LaunchAnew(Command, frozen=True):
    """Buy the president's certificate of an absorbed company and choose its home (1865/6.3-g)."""

    company: str
    price: int
    hex: str
    city: int


class Absorb(Command, frozen=True):
    """`company` absorbs `target`. `replaced`: the hexes where it puts a token for one of the target; `abandoned`: the mines of
    its own that it gives up (1865/6.3)."""

    company: str
    target: str
    replaced: tuple[str, ...]
    abandoned: tuple[str, ...]


COMMANDS: tuple[type[Command], ...] = (
    TakeMaritime,
    ConvertCompany,
    HandOver,
    PlaceTokenByRoute,
    LaunchAnew,
    Absorb,
)
