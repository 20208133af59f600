"""Track on a hex: smooth curves, bridges where lines cross without meeting, arrows into off-board areas."""

from __future__ import annotations

from services.drawing.colours import ground
from services.drawing.geometry import Curve, edge_direction
from services.drawing.scene import HexScene
from services.drawing.svg import INK, element, line_through, pair
from services.rules.parts.map.hexes import Orientation
from services.rules.parts.map.tiles import EdgeEnd, Face

TRACK_WIDTH = 9.0
RIM_WIDTH = 13.0
ARROW_WIDTH = 6.0
BEYOND = frozenset(("offboard", "port"))


def track_marks(scene: HexScene, orientation: Orientation) -> list[str]:
    """The track of a hex, lines that meet each other drawn together."""
    marks = []
    rim = ground(scene.face.colour)
    for together in _meeting(scene.face):
        lines = [index for index in together if not _leads_beyond(scene.face, index)]
        curves = "".join(curve_data(scene.layout.curves[index]) for index in lines)
        if curves:
            marks.append(element("path", d=curves, fill="none", stroke=rim, stroke_width=RIM_WIDTH))
            marks.append(
                element("path", class_="track", d=curves, fill="none", stroke=INK, stroke_width=TRACK_WIDTH)
            )
        for index in together:
            if _leads_beyond(scene.face, index):
                marks.append(
                    _arrow(scene.layout.curves[index], scene.face.paths[index].edges[0], orientation)
                )
    return marks


def curve_data(curve: Curve) -> str:
    """A curve as path data."""
    return f"M{pair(curve.begin)}C{pair(curve.first)} {pair(curve.second)} {pair(curve.end)}"


def _leads_beyond(face: Face, index: int) -> bool:
    stop = face.paths[index].stop
    return stop is not None and face.stops[stop].kind in BEYOND


def _arrow(curve: Curve, end: EdgeEnd, orientation: Orientation) -> str:
    side = edge_direction(end.edge, orientation) * 1j * ARROW_WIDTH
    corners = [curve.begin - side, curve.begin + side, curve.end]
    return element("path", class_="track", d=line_through(corners, closed=True), fill=INK)


def _meeting(face: Face) -> list[list[int]]:
    """The numbers of the paths, in groups that share an edge or a stop."""
    groups: list[tuple[set[object], list[int]]] = []
    for index, path in enumerate(face.paths):
        ends: set[object] = set(path.edges)
        if path.stop is not None:
            ends.add(path.stop)
        members = [index]
        for other in [each for each in groups if each[0] & ends]:
            groups.remove(other)
            ends |= other[0]
            members = other[1] + members
        groups.append((ends, members))
    return [sorted(members) for _, members in groups]
