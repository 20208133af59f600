"""The map of tiles, a layer above the other: hexes, track, runs, stops, words. In each layer a hex is an element of its own,
drawn once for all that may lie on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from services.drawing.colours import ground
from services.drawing.geometry import corners, hex_centre
from services.drawing.labels import labels_of
from services.drawing.marks import stop_marks
from services.drawing.panel import Panel
from services.drawing.picture import Fragment, Part, grouped
from services.drawing.routes import TrainLine, route_marks
from services.drawing.scene import HexContent, HexScene, contents_of, scene_of
from services.drawing.sides import KEY_HEIGHT, kinds_of_sides, side_key, side_lines
from services.drawing.svg import element, group, line_through, titled
from services.drawing.trackdrawing import track_marks
from services.drawing.wording import describe_hex
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES, neighbour
from services.rules.parts.presentation import PlaceMark, Presentation
from services.rules.parts.trains.data import phases_of
from services.rules.parts.trains.state import phase_of

EDGE_WIDTH = 1.2
BARRIER = "#d0021b"
BARRIER_WIDTH = 5.0
# A hex takes about 3 KB: whatever lies on the maps of some hundred games.
HEXES_KEPT = 8_192
MAPS_KEPT = 64


class DrawnHex(NamedTuple):
    """The elements of a hex, from the ground up."""

    ground: Fragment
    track: Fragment
    stops: Fragment
    words: Fragment


class _Plan(NamedTuple):
    """What is the same for all games on a map: the middles of its hexes, its corners, and its lines."""

    centres: Mapping[str, complex]
    upper_left: complex
    size: complex
    edges: str
    barriers: str


def map_panel(words: Presentation, data: TitleData, game: Game, lines: Sequence[TrainLine]) -> Panel:
    """The map with these runs."""
    plan = _plan(data)
    width, height = plan.size.real, plan.size.imag
    layers = grouped(_layers(words, data, game, plan, lines), at=-plan.upper_left)
    if not kinds_of_sides(data):
        return Panel(width, height, layers)
    key = side_key(words, data, complex(0, height + KEY_HEIGHT / 2))
    return Panel(width, height + KEY_HEIGHT, (*layers, key))


def _layers(
    words: Presentation, data: TitleData, game: Game, plan: _Plan, lines: Sequence[TrainLine]
) -> list[Part]:
    contents = contents_of(data, game)
    signs = words.place_marks(data)
    key = phases_of(data)[phase_of(game)].revenue
    drawn = [
        drawn_hex(data, content, _key_that_counts(scene_of(data, content), key), signs.get(hex_id, ()))
        for hex_id, content in contents.items()
    ]
    scenes = {hex_id: scene_of(data, content) for hex_id, content in contents.items()}
    routes = group(route_marks(data, game, scenes, lines), id="board-routes", class_="routes")
    sides = side_lines(words, data, plan.centres)
    return [
        *grouped([*(each.ground for each in drawn), plan.edges, *sides, plan.barriers], class_="hexes"),
        "\n",
        *grouped([each.track for each in drawn], class_="tracks"),
        "\n",
        Fragment("board-routes", routes),
        "\n",
        *grouped([each.stops for each in drawn], class_="stops"),
        "\n",
        *grouped([each.words for each in drawn], class_="words"),
        "\n",
    ]


def _key_that_counts(scene: HexScene, revenue_key: str) -> str:
    """The key by which revenue counts; empty for a hex that looks the same in all phases."""
    has_keys = any(not isinstance(stop.revenue, int) for stop in scene.face.stops)
    return revenue_key if has_keys else ""


@lru_cache(maxsize=HEXES_KEPT)
def drawn_hex(
    data: TitleData, content: HexContent, revenue_key: str, signs: tuple[PlaceMark, ...]
) -> DrawnHex:
    """The elements of a hex with what lies on it, where revenue counts by this key."""
    scene, at = scene_of(data, content), _plan(data).centres[content.hex]
    orientation = map_data(data).figures.orientation
    labels = [label.drawn for label in labels_of(data, scene, revenue_key, signs)]
    return DrawnHex(
        Fragment(f"hex-{content.hex}", _ground(data, scene, at, revenue_key)),
        _layer_of_hex("track", content.hex, track_marks(scene, orientation), at),
        _layer_of_hex("stops", content.hex, stop_marks(data, scene), at),
        _layer_of_hex("words", content.hex, labels, at),
    )


def _layer_of_hex(layer: str, hex_id: str, content: list[str], at: complex) -> Fragment:
    name = f"{layer}-{hex_id}"
    return Fragment(name, group(content, at=at, id=name, data_hex=hex_id))


def _ground(data: TitleData, scene: HexScene, at: complex, revenue_key: str) -> str:
    shape = line_through([at + corner for corner in corners(map_data(data).figures.orientation)], closed=True)
    colour = scene.face.colour
    return element(
        "path",
        titled(describe_hex(scene, revenue_key)),
        id=f"hex-{scene.printed.id}",
        class_=f"hex {colour}",
        d=shape,
        fill=ground(colour),
        data_hex=scene.printed.id,
    )


@lru_cache(maxsize=MAPS_KEPT)
def _plan(data: TitleData) -> _Plan:
    orientation = map_data(data).figures.orientation
    centres = {hex_id: hex_centre(hex_id, orientation) for hex_id in sorted(map_data(data).hexes)}
    shape = corners(orientation)
    left = min(point.real for point in centres.values()) + min(corner.real for corner in shape)
    top = min(point.imag for point in centres.values()) + min(corner.imag for corner in shape)
    right = max(point.real for point in centres.values()) + max(corner.real for corner in shape)
    bottom = max(point.imag for point in centres.values()) + max(corner.imag for corner in shape)
    edges = element(
        "path",
        d="".join(_edges(data, hex_id, at) for hex_id, at in centres.items()),
        fill="none",
        stroke="#6b6b6b",
        stroke_width=EDGE_WIDTH,
    )
    size = complex(right - left, bottom - top)
    return _Plan(centres, complex(left, top), size, edges, _barriers(data, centres))


def _barriers(data: TitleData, centres: Mapping[str, complex]) -> str:
    """The sides between two hexes of the map that no track can ever pass."""
    orientation = map_data(data).figures.orientation
    shape = corners(orientation)
    sides = "".join(
        line_through([centres[hex_id] + shape[edge], centres[hex_id] + shape[(edge + 1) % 6]])
        for hex_id in centres
        for edge in EDGES
        if map_data(data).neighbours[hex_id][edge] is None
        and neighbour(hex_id, edge, orientation) in map_data(data).hexes
    )
    if not sides:
        return ""
    return element(
        "path",
        titled("no track can pass here"),
        class_="barrier",
        d=sides,
        fill="none",
        stroke=BARRIER,
        stroke_width=BARRIER_WIDTH,
        stroke_linecap="round",
    )


def _edges(data: TitleData, hex_id: str, at: complex) -> str:
    """The sides of a hex, without those that the title leaves open; edge `k` joins the corners `k` and `k + 1`."""
    shape = corners(map_data(data).figures.orientation)
    return "".join(
        line_through([at + shape[edge], at + shape[(edge + 1) % 6]])
        for edge in EDGES
        if edge not in map_data(data).hexes[hex_id].draw.open_edges
    )
