"""Events of the map and of trains: tiles, tokens, runs, what a train is."""

from __future__ import annotations

from services.rules.domain.event_base import CityTokens, Event, Run
from services.rules.domain.vocabulary import ServiceKind, TokenReason, TrainReason


class TileLaid(Event, frozen=True):
    """`company` laid copy `copy` of `tile` turned by `rotation` sixths on `hex`; `upgrade` when it replaced track.

    `station`: only a small station was added, and the piece that showed the same track stays beneath."""

    company: str
    hex: str
    tile: str
    rotation: int
    copy: int
    upgrade: bool
    station: bool = False


class TokensArranged(Event, frozen=True):
    """After a tile was laid, the cities of `hex` hold these tokens."""

    hex: str
    cities: tuple[CityTokens, ...]


class TokenPlaced(Event, frozen=True):
    """`company`'s token stands in slot `slot` of city `city` of `hex`, a city with `slots` spaces; `charter_cost` is the
    charter space it came from."""

    company: str
    hex: str
    city: int
    slot: int
    charter_cost: int
    reason: TokenReason
    slots: int


class TokenReplaced(Event, frozen=True):
    """The token of `company` in this slot became one of `successor` (empty: taken off the map)."""

    company: str
    hex: str
    city: int
    slot: int
    successor: str
    reason: TokenReason


class CharterTokensSet(Event, frozen=True):
    """The tokens left on the charter of `company`, by their cost, cheapest first."""

    company: str
    costs: tuple[int, ...]


class TrainMoved(Event, frozen=True):
    """`train` went from `source` to `target`; `BANK` is the depot, an empty target is out of the game."""

    train: str
    source: str
    target: str
    reason: TrainReason


class TrainsRan(Event, frozen=True):
    """The trains of `company` ran; totals are the sums over `runs`."""

    company: str
    runs: tuple[Run, ...]
    revenue: int
    treasury_income: int


class RevenueCorrected(Event, frozen=True):
    """A recorded game booked other figures for this run than its routes earn; these count from here on."""

    company: str
    revenue: int
    treasury_income: int


class LicencesSet(Event, frozen=True):
    """`company` may run trains of these kinds."""

    company: str
    licences: tuple[ServiceKind, ...]


class TrainKindChosen(Event, frozen=True):
    """`train` runs as this kind from now on, for the rest of the game (1862/2.2-b)."""

    train: str
    kind: ServiceKind


class WarrantiesSet(Event, frozen=True):
    """`train` has so many warranties left."""

    train: str
    count: int
