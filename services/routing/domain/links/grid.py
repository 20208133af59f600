"""A board on which track is built from city to city: hexes with six sides, what they cost, and what is closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SIDES = 6
# From the side by which track comes in to that by which it goes out: straight on, or turned by a sixth.
TURNS = (3, 2, 4)


def opposite(side: int) -> int:
    """The same side as the hex beyond it counts."""
    return (side + SIDES // 2) % SIDES


@dataclass(frozen=True, slots=True)
class Grid:
    """Hexes by number. `beside[hex * 6 + side]`: the hex over a side, -1 where there is none; side `s` of a hex is side
    `(s + 3) % 6` of that hex. `side_cost` is what crossing a side costs on top, `hex_cost` what track in a hex costs;
    both in whole units. `cities` are hexes in which links end and which none passes."""

    beside: Sequence[int]
    side_cost: Sequence[int]
    hex_cost: Sequence[int]
    cities: frozenset[int]


@dataclass(frozen=True, slots=True)
class Laid:
    """What track there is: `closed` sides, as `hex * 6 + side` from both hexes; what more a hex costs because of track in it,
    by hex; hexes without room are `full`; in cities that are `shut` no more links can end."""

    closed: frozenset[int]
    more: dict[int, int]
    full: frozenset[int]
    shut: frozenset[int]


NOTHING_LAID = Laid(frozenset(), {}, frozenset(), frozenset())
