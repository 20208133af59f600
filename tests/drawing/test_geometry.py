"""Hexes, edges and curves."""

import pytest

from services.drawing.facelayout import layout_face, slot_points
from services.drawing.geometry import HEX_SIZE, edge_point, edge_to_edge, hex_centre
from services.drawing.marks import TOWN_RADIUS
from services.rules.parts.map.data import DrawHints, map_data
from services.rules.parts.map.hexes import EDGES, Orientation, neighbour
from services.rules.parts.map.tiles import EdgeEnd, Face
from tests.rules.board.boards import title_1824

ORIENTATIONS: tuple[Orientation, ...] = ("pointed", "flat")
FACES = map_data(title_1824("goods_time")).faces
NEAR = 0.01


def stop_discs(face: Face, orientation: Orientation) -> list[tuple[complex, float]]:
    """Middle and radius of all token spaces and towns of a face."""
    layout = layout_face(face, orientation, DrawHints())
    discs = []
    for stop, spot in zip(face.stops, layout.spots, strict=True):
        if stop.kind == "city":
            places = slot_points(max(stop.slots, 1), spot, layout.slot_radius, len(face.stops) == 1)
            discs += [(place, layout.slot_radius) for place in places]
        else:
            discs.append((spot.point, TOWN_RADIUS - 1.5))
    return discs


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("lanes", [1, 2])
def test_track_goes_on_in_the_next_hex(orientation: Orientation, lanes: int) -> None:
    """Both hexes beside an edge put a crossing, and each lane of it, at the same point of the map."""
    for edge in EDGES:
        for lane in range(lanes):
            end = EdgeEnd(edge, lane, lanes)
            beyond = neighbour("H12", edge, orientation)
            assert beyond is not None
            here = hex_centre("H12", orientation) + edge_point(end, orientation)
            there = hex_centre(beyond, orientation) + edge_point(end.across(), orientation)
            assert abs(here - there) < NEAR


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_arcs_meet_edges_squarely(orientation: Orientation) -> None:
    """An arc between two edges leaves both at a right angle and stays on its hex."""
    for one in EDGES:
        for other in EDGES:
            if one != other:
                curve = edge_to_edge(EdgeEnd(one), EdgeEnd(other), orientation)
                inwards = -curve.begin / abs(curve.begin)
                assert abs((curve.first - curve.begin) / abs(curve.first - curve.begin) - inwards) < NEAR
                assert max(abs(point) for point in curve.points(20)) < HEX_SIZE


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_every_tile_joins_what_its_track_joins(orientation: Orientation) -> None:
    """Each curve of every tile begins at its edge and ends at its other edge or at its stop."""
    for face in FACES.values():
        layout = layout_face(face, orientation, DrawHints())
        for path, curve in zip(face.paths, layout.curves, strict=True):
            assert abs(curve.begin - edge_point(path.edges[0], orientation)) < NEAR
            goal = (
                edge_point(path.edges[1], orientation) if path.stop is None else layout.spots[path.stop].point
            )
            assert abs(curve.end - goal) < NEAR


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_stops_of_a_tile_stand_apart(orientation: Orientation) -> None:
    """Token spaces and towns of every tile in every rotation lie on it and do not cover each other."""
    for tile, face in FACES.items():
        discs = stop_discs(face, orientation)
        for number, (place, size) in enumerate(discs):
            assert abs(place) + size < HEX_SIZE, tile
            for other, other_size in discs[:number]:
                assert abs(place - other) > size + other_size - 0.5, tile
