"""Positions of the stops of a hex or tile, and the course of its track."""

from __future__ import annotations

from dataclasses import dataclass

from services.drawing.geometry import APOTHEM, Curve, edge_direction, edge_to_edge, edge_to_point, nearest
from services.rules.parts.map.data import DrawHints
from services.rules.parts.map.hexes import Orientation
from services.rules.parts.map.tiles import EdgeEnd, Face, Stop

SLOT_RADIUS = 14.0
CROWDED_SLOT_RADIUS = 12.5
CITY_REACH = 0.6 * APOTHEM
HINTED_REACH = 0.42 * APOTHEM
ARROW_REACH = 0.5 * APOTHEM
TOWNS_APART = 17.0
POINTS_PER_CURVE = 9
# Places for a town along its track, the best first.
TOWN_SHARES = (0.5, 0.36, 0.64, 0.26, 0.74)


@dataclass(frozen=True, slots=True)
class Spot:
    """The position of a stop; `along` is the direction of the track of a town that lies on one line, else 0."""

    point: complex
    along: complex = 0


@dataclass(frozen=True, slots=True)
class FaceLayout:
    """A spot for each stop and a curve for each path: from its first edge to its second, or to its stop.

    `through` are the whole lines on which a town lies, by its number."""

    spots: tuple[Spot, ...]
    curves: tuple[Curve, ...]
    through: dict[int, tuple[EdgeEnd, Curve]]
    slot_radius: float


def layout_face(face: Face, orientation: Orientation, hints: DrawHints) -> FaceLayout:
    """Lay out the visible side of a hex."""
    lines = _town_lines(face, orientation)
    spots: list[Spot | None] = [None] * len(face.stops)
    for number, stop in enumerate(face.stops):
        if number not in lines:
            spots[number] = Spot(_stand(face, number, stop, orientation, hints))
    shares = _town_shares(face, lines, spots, orientation)
    for number, (_, line) in lines.items():
        share = shares[number]
        spots[number] = Spot(line.at(share), line.heading(share))
    settled = tuple(spot if spot is not None else Spot(0j) for spot in spots)
    curves = tuple(
        _curve(face, index, settled, lines, shares, orientation) for index in range(len(face.paths))
    )
    crowded = sum(stop.kind == "city" for stop in face.stops) > 1
    return FaceLayout(settled, curves, lines, CROWDED_SLOT_RADIUS if crowded else SLOT_RADIUS)


def _ends_at(face: Face, stop: int) -> list[EdgeEnd]:
    return [path.edges[0] for path in face.paths if path.stop == stop]


def _town_lines(face: Face, orientation: Orientation) -> dict[int, tuple[EdgeEnd, Curve]]:
    """Towns with two exits lie on one line; it starts at its first edge."""
    lines = {}
    for number, stop in enumerate(face.stops):
        ends = _ends_at(face, number)
        if stop.kind == "town" and len(ends) == 2:
            lines[number] = (ends[0], edge_to_edge(ends[0], ends[1], orientation))
    return lines


def _stand(face: Face, number: int, stop: Stop, orientation: Orientation, hints: DrawHints) -> complex:
    if hints.stop_edge is not None and number == 0:
        return edge_direction(hints.stop_edge, orientation) * HINTED_REACH
    if len(face.stops) == 1 or stop.kind in ("offboard", "port"):
        return 0j
    ends = _ends_at(face, number)
    if not ends:
        return complex((number - (len(face.stops) - 1) / 2) * 2 * TOWNS_APART, 0)
    return sum((edge_direction(end.edge, orientation) for end in ends), 0j) / len(ends) * CITY_REACH


def _town_shares(
    face: Face,
    lines: dict[int, tuple[EdgeEnd, Curve]],
    spots: list[Spot | None],
    orientation: Orientation,
) -> dict[int, float]:
    """The position of each town along its line: as far from other track and stops as possible."""
    passing = [
        point
        for path in face.paths
        if path.stop is None
        for point in edge_to_edge(path.edges[0], path.edges[1], orientation).points(POINTS_PER_CURVE)
    ]
    placed = [spot.point for spot in spots if spot is not None]
    shares: dict[int, float] = {}
    for number, (_, line) in lines.items():
        others = [
            point
            for other, (_, curve) in lines.items()
            if other != number
            for point in curve.points(POINTS_PER_CURVE)
        ]
        around = passing + placed + others
        rooms = {share: min(nearest(line.at(share), around), 18) for share in TOWN_SHARES}
        shares[number] = max(TOWN_SHARES, key=lambda share: rooms[share])
        placed.append(line.at(shares[number]))
    return shares


def _curve(
    face: Face,
    index: int,
    spots: tuple[Spot, ...],
    lines: dict[int, tuple[EdgeEnd, Curve]],
    shares: dict[int, float],
    orientation: Orientation,
) -> Curve:
    path = face.paths[index]
    end = path.edges[0]
    if path.stop is None:
        return edge_to_edge(end, path.edges[1], orientation)
    if path.stop in lines:
        first_end, line = lines[path.stop]
        before, after = line.split(shares[path.stop])
        return before if end == first_end else after.turned()
    if face.stops[path.stop].kind in ("offboard", "port"):
        tip = edge_direction(end.edge, orientation) * ARROW_REACH
        return edge_to_point(end, tip, orientation)
    return edge_to_point(end, spots[path.stop].point, orientation)


def slot_points(count: int, spot: Spot, radius: float, alone: bool) -> list[complex]:
    """The middles of so many token spaces of a city, in their order."""
    step = 2 * radius
    if count == 3 and alone:
        places = [complex(-step / 2, step * 0.29), complex(step / 2, step * 0.29), complex(0, -step * 0.58)]
    elif count == 4:
        places = [complex(x, y) * step / 2 for y in (-1, 1) for x in (-1, 1)]
    else:
        row = _row_direction(spot.point) * step
        places = [row * (index - (count - 1) / 2) for index in range(count)]
    return [spot.point + place for place in places]


def _row_direction(point: complex) -> complex:
    """A row of spaces lies across the way from the middle of the hex to the city, and is read from the left."""
    if abs(point) < 1:
        return 1 + 0j
    across = point / abs(point) * 1j
    return across if (round(across.real, 3), across.imag) > (0, 0) else -across
