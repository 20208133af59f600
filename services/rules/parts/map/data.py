"""The printed map and the tiles."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from services.rules.kernel.titledata import Section, TitleData
from services.rules.parts.map.hexes import Orientation
from services.rules.parts.map.tiles import Face

PART = "map"

Terrain = dict[str, int]


class DrawHints(Struct, frozen=True, forbid_unknown_fields=True):
    """For drawing only: sides without a line, the edge a stop is drawn at, whether its value is written."""

    open_edges: tuple[int, ...] = ()
    stop_edge: int | None = None
    value: bool = True


class Hex(Struct, frozen=True):
    """A hex of the map as printed. `terrain` names what the first tile costs."""

    id: str
    name: str
    face: Face
    terrain: Terrain
    draw: DrawHints


class Tile(Struct, frozen=True):
    """A kind of tile: `face` is rotation 0, `count` the number of pieces.

    `base`: the tile it is once its added stations are taken off, with which it shares its pieces. `only_at`: the hexes
    where it may lie, to which no other tile of its colour may come."""

    id: str
    count: int
    face: Face
    base: str = ""
    only_at: tuple[str, ...] = ()


class MapFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of map and tiles as a whole, table `map` of `title.toml`.

    `tile_clauses`: the clause on which the rejection of a tile rests. `kinds_share_pieces`: a tile and the same with
    stations added are one piece."""

    orientation: Orientation
    tile_colours: tuple[str, ...]
    revenue_keys: tuple[str, ...]
    fixed_colours: tuple[str, ...]
    tile_clauses: dict[str, str] = {}
    kinds_share_pieces: bool = True


class MapData(Section, frozen=True, eq=False):
    """The map of a title. `faces` holds every tile in every rotation, `neighbours` the hex over each edge (None: no track
    can go there), `sides` what lies along each edge of a hex where that is not the same for all (empty: nothing)."""

    PART: ClassVar[str] = PART

    figures: MapFigures
    hexes: dict[str, Hex]
    tiles: dict[str, Tile]
    areas: dict[str, dict[str, int]]
    faces: dict[tuple[str, int], Face]
    neighbours: dict[str, tuple[str | None, ...]]
    sides: dict[str, tuple[str, ...]]


def has_map(data: TitleData) -> bool:
    """Whether the title has a map."""
    return PART in data.sections


def map_data(data: TitleData) -> MapData:
    """Map and tiles of a title that has a map."""
    section: Any = data.sections[PART]
    found: MapData = section
    return found


def side_between(data: TitleData, one: str, other: str) -> str:
    """What lies along the side between two neighbouring hexes, for example `river`; empty where nothing does. Raises
    ValueError when no track can go from one to the other."""
    board = map_data(data)
    return board.sides[one][board.neighbours[one].index(other)]
