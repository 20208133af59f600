"""Map and tiles as printed, in their wire form: messages of the same names have the same fields."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import Hex, Tile, map_data
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.tiles import EdgeEnd, Face, Path, Stop


class RevenueAt(Struct, frozen=True):
    """Revenue in phases that count by `key`; an empty key means all phases."""

    key: str
    amount: int


class PrintedStop(Struct, frozen=True):
    """A city, town, off-board area, port or mine. Stops of the same `area` are one."""

    kind: str
    slots: int
    revenue: tuple[RevenueAt, ...]
    area: str


class TrackEnd(Struct, frozen=True):
    """A track at an edge: `lane` of `lanes` that cross it side by side."""

    edge: int
    lane: int
    lanes: int


class PrintedTrack(Struct, frozen=True):
    """A track between two edges, or between an edge and a stop by its index. A run begins or ends on `terminal` track."""

    edges: tuple[TrackEnd, ...]
    stop: int | None
    terminal: bool


class PrintedFace(Struct, frozen=True):
    """What a hex or tile shows."""

    colour: str
    label: str
    stops: tuple[PrintedStop, ...]
    track: tuple[PrintedTrack, ...]


class TerrainCost(Struct, frozen=True):
    """What the first tile of a hex costs for this kind of terrain."""

    terrain: str
    cost: int


class PrintedHex(Struct, frozen=True):
    """A hex of the map. `neighbours`: the hex over each of the six edges, empty where no track can go; `sides`: what lies along
    each of them, for example a river, none where the hex has nothing along any. The others are for drawing: edges without
    a line, the edge at which a stop is drawn, and whether values are hidden."""

    hex: str
    name: str
    face: PrintedFace
    terrain: tuple[TerrainCost, ...]
    neighbours: tuple[str, ...]
    open_edges: tuple[int, ...]
    stop_edge: int | None
    hides_value: bool
    sides: tuple[str, ...]


class PrintedTile(Struct, frozen=True):
    """A kind of tile in rotation 0. `base`: the tile with which it shares its pieces; `only_at`: the hexes it is kept for."""

    tile: str
    count: int
    face: PrintedFace
    base: str
    only_at: tuple[str, ...]


class PrintedMap(Struct, frozen=True):
    """Map and tiles. `revenue_keys`: by which phases count revenue, first to come first."""

    orientation: str
    hexes: tuple[PrintedHex, ...]
    tiles: tuple[PrintedTile, ...]
    tile_colours: tuple[str, ...]
    revenue_keys: tuple[str, ...]
    kinds_share_pieces: bool


def printed(data: TitleData) -> PrintedMap:
    """The map of a title that has one."""
    board = map_data(data)
    return PrintedMap(
        orientation=board.figures.orientation,
        hexes=tuple(
            _hex(each, board.neighbours[each.id], board.sides[each.id]) for each in board.hexes.values()
        ),
        tiles=tuple(_tile(each) for each in board.tiles.values()),
        tile_colours=board.figures.tile_colours,
        revenue_keys=board.figures.revenue_keys,
        kinds_share_pieces=board.figures.kinds_share_pieces,
    )


def _hex(each: Hex, neighbours: tuple[str | None, ...], sides: tuple[str, ...]) -> PrintedHex:
    return PrintedHex(
        hex=each.id,
        name=each.name,
        face=_face(each.face),
        terrain=tuple(TerrainCost(kind, cost) for kind, cost in each.terrain.items()),
        neighbours=tuple(neighbours[edge] or "" for edge in EDGES),
        open_edges=each.draw.open_edges,
        stop_edge=each.draw.stop_edge,
        hides_value=not each.draw.value,
        sides=sides if any(sides) else (),
    )


def _tile(each: Tile) -> PrintedTile:
    return PrintedTile(each.id, each.count, _face(each.face), each.base, each.only_at)


def _face(face: Face) -> PrintedFace:
    return PrintedFace(face.colour, face.label, tuple(map(_stop, face.stops)), tuple(map(_track, face.paths)))


def _stop(stop: Stop) -> PrintedStop:
    by_key = {"": stop.revenue} if isinstance(stop.revenue, int) else stop.revenue
    revenue = tuple(RevenueAt(key, amount) for key, amount in by_key.items())
    return PrintedStop(stop.kind, stop.slots, revenue, stop.area or "")


def _track(path: Path) -> PrintedTrack:
    return PrintedTrack(tuple(map(_end, path.edges)), path.stop, path.terminal)


def _end(end: EdgeEnd) -> TrackEnd:
    return TrackEnd(end.edge, end.lane, end.lanes)
