"""Where hexes, their edges and their corners are, and the curves that track follows.

Points are complex numbers: x to the right, y downwards. A point on a hex counts from its middle.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from typing import NamedTuple

from services.rules.parts.map.hexes import EDGES, Orientation, parse_hex_id
from services.rules.parts.map.tiles import EdgeEnd

HEX_SIZE = 60.0
APOTHEM = HEX_SIZE * math.sqrt(3) / 2
LANE_GAP = 14.0

# Angle of edge 0, clockwise from the right: south-west on a hex with its point on top, else south.
_FIRST_EDGE: dict[Orientation, float] = {"pointed": 120.0, "flat": 90.0}


def direction(degrees: float) -> complex:
    """The unit vector at this angle, clockwise from the right."""
    return cmath.rect(1, math.radians(degrees))


def hex_centre(hex_id: str, orientation: Orientation) -> complex:
    """The middle of a hex on the map."""
    letter, number = parse_hex_id(hex_id)
    along, across = number * APOTHEM, letter * HEX_SIZE * 1.5
    return complex(along, across) if orientation == "pointed" else complex(across, along)


def edge_direction(edge: int, orientation: Orientation) -> complex:
    """From the middle of a hex towards this edge."""
    return direction(_FIRST_EDGE[orientation] + 60 * edge)


def corners(orientation: Orientation) -> list[complex]:
    """The six corners; corner `k` lies between the edges `k - 1` and `k`."""
    return [HEX_SIZE * direction(_FIRST_EDGE[orientation] + 60 * edge - 30) for edge in EDGES]


def edge_point(end: EdgeEnd, orientation: Orientation) -> complex:
    """Where track crosses an edge: in its middle, or beside it where several tracks cross."""
    towards = edge_direction(end.edge, orientation)
    return towards * APOTHEM + towards * 1j * (end.lane - (end.lanes - 1) / 2) * LANE_GAP


class Curve(NamedTuple):
    """A cubic curve: begin, two handles, end."""

    begin: complex
    first: complex
    second: complex
    end: complex

    def at(self, share: float) -> complex:
        """The point after this share of the way."""
        rest = 1 - share
        return (
            self.begin * rest**3
            + 3 * self.first * rest * rest * share
            + 3 * self.second * rest * share * share
            + self.end * share**3
        )

    def heading(self, share: float) -> complex:
        """The unit vector along the curve at this share of the way."""
        step = self.at(min(share + 0.01, 1)) - self.at(max(share - 0.01, 0))
        return step / abs(step) if step else 1 + 0j

    def turned(self) -> Curve:
        """The same curve from its end."""
        return Curve(self.end, self.second, self.first, self.begin)

    def split(self, share: float) -> tuple[Curve, Curve]:
        """The parts before and after a point."""
        a, b, c = (
            one + (other - one) * share
            for one, other in ((self.begin, self.first), (self.first, self.second), (self.second, self.end))
        )
        d, e = a + (b - a) * share, b + (c - b) * share
        middle = d + (e - d) * share
        return Curve(self.begin, a, d, middle), Curve(middle, e, c, self.end)

    def points(self, count: int) -> list[complex]:
        """So many points evenly along the curve, with both ends."""
        return [self.at(index / (count - 1)) for index in range(count)]


# How long the handles of an arc between two edges are, by how far apart the edges lie: the arcs are parts of circles
# that meet both edges squarely.
_HANDLES = {1: HEX_SIZE * 0.385, 2: HEX_SIZE * 0.536, 3: HEX_SIZE * 0.577}


def edge_to_edge(one: EdgeEnd, other: EdgeEnd, orientation: Orientation) -> Curve:
    """The arc between two edges."""
    apart = abs(one.edge - other.edge)
    handle = _HANDLES[min(apart, 6 - apart)]
    begin, end = edge_point(one, orientation), edge_point(other, orientation)
    return Curve(
        begin,
        begin - edge_direction(one.edge, orientation) * handle,
        end - edge_direction(other.edge, orientation) * handle,
        end,
    )


def edge_to_point(one: EdgeEnd, point: complex, orientation: Orientation) -> Curve:
    """From square to the edge towards a point inside."""
    begin = edge_point(one, orientation)
    first = begin - edge_direction(one.edge, orientation) * abs(point - begin) * 0.45
    return Curve(begin, first, (first + point) / 2, point)


def nearest(point: complex, others: Sequence[complex]) -> float:
    """The distance to the nearest of other points, infinite without any."""
    return min((abs(point - other) for other in others), default=math.inf)
