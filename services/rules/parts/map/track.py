"""The track of the whole map as an index for searches, kept up tile by tile.

A `port` is a hex entered through one of its sides (through one lane, where several cross). The two ports of a
side are each other's twins: leaving a hex through a port is entering its neighbour through the twin. Every
side has one bit, so a trail remembers the sides it used in one integer. A `path id` is one piece of track on
one hex.
"""

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeVar

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, LaidTile, Tiles
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.tiles import PASSABLE_KINDS, EdgeEnd, Face

Port = int
PathId = tuple[str, int]

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Leaving(NamedTuple):
    """A path that leaves its hex: port of the hex behind, bit of the side crossed, the path."""

    port: Port
    bit: int
    path: PathId


class Arriving(NamedTuple):
    """A path that leads to a stop, and whether a route may go on from there if no token blocks it."""

    stop: CityId
    path: PathId
    goes_on: bool


class Crossing(NamedTuple):
    """One direction of a path: where it leads, and the ports by one of which a trail comes to it."""

    ports: tuple[Port, ...]
    leads_to: Leaving | Arriving


class Grid(NamedTuple):
    """The ports of a title's map. Sides that lead off the map have none. `hex_bits`: the sides of a hex. `side_name`: one
    name for a side, whichever way it is crossed."""

    port_of: dict[tuple[str, EdgeEnd], Port]
    side_of: tuple[tuple[str, int], ...]
    side_name: tuple[str, ...]
    twin: tuple[Port, ...]
    bit: tuple[int, ...]
    hex_bits: dict[str, int]


class HexTrack(NamedTuple):
    """The part of a Track that one hex contributes."""

    through: dict[Port, tuple[Leaving, ...]]
    into: dict[Port, tuple[Arriving, ...]]
    departures: dict[CityId, tuple[Leaving, ...]]
    onward: dict[CityId, tuple[Leaving, ...]]
    branching: dict[PathId, tuple[Crossing, ...]]


class Track(NamedTuple):
    """All track on the map.

    `through` and `into`: what a port leads to. `departures`: paths by which a route may begin at a stop;
    `onward`: those by which it may go on. `branching`: both directions of every path that shares a side with
    another path.
    """

    grid: Grid
    through: dict[Port, tuple[Leaving, ...]]
    into: dict[Port, tuple[Arriving, ...]]
    departures: dict[CityId, tuple[Leaving, ...]]
    onward: dict[CityId, tuple[Leaving, ...]]
    branching: dict[PathId, tuple[Crossing, ...]]


def track_of(title: TitleData, tiles: Tiles) -> Track:
    """Index the whole map."""
    hexes = map_data(title).hexes
    return track_on(title, hexes, map(tiles.get, hexes))


def track_on(title: TitleData, hexes: Iterable[str], laid: Iterable[LaidTile | None]) -> Track:
    """Index these hexes alone, with these tiles."""
    track = Track(grid_of(title), {}, {}, {}, {}, {})
    for hex_id, tile in zip(hexes, laid, strict=True):
        part = hex_track(title, hex_id, tile)
        track.through.update(part.through)
        track.into.update(part.into)
        track.departures.update(part.departures)
        track.onward.update(part.onward)
        track.branching.update(part.branching)
    return track


def with_tile(track: Track, title: TitleData, tiles: Tiles, hex_id: str, laid: LaidTile) -> Track:
    """The index after laying a tile; `tiles` is the map before. The given index stays as it is."""
    old = hex_track(title, hex_id, tiles.get(hex_id))
    new = hex_track(title, hex_id, laid)
    return Track(
        grid=track.grid,
        through=_exchanged(track.through, old.through, new.through),
        into=_exchanged(track.into, old.into, new.into),
        departures=_exchanged(track.departures, old.departures, new.departures),
        onward=_exchanged(track.onward, old.onward, new.onward),
        branching=_exchanged(track.branching, old.branching, new.branching),
    )


def _exchanged(whole: dict[Key, Value], old: dict[Key, Value], new: dict[Key, Value]) -> dict[Key, Value]:
    if not old and not new:
        return whole
    result = whole.copy()
    for key in old:
        del result[key]
    result.update(new)
    return result


@lru_cache(maxsize=32)
def grid_of(title: TitleData) -> Grid:
    """The ports of a title's map."""
    port_of: dict[tuple[str, EdgeEnd], Port] = {}
    for end in _lanes_in_use(title):
        for hex_id in map_data(title).hexes:
            if map_data(title).neighbours[hex_id][end.edge] is not None:
                port_of[hex_id, end] = len(port_of)
    twin = tuple(port_of[_across(title, hex_id, end)] for hex_id, end in port_of)
    side_number: dict[Port, int] = {}
    for port, other in enumerate(twin):
        if port < other:
            side_number[port] = side_number[other] = len(side_number) // 2
    bit = tuple(1 << side_number[port] for port in range(len(twin)))
    hex_bits = dict.fromkeys(map_data(title).hexes, 0)
    for (hex_id, _), port in port_of.items():
        hex_bits[hex_id] |= bit[port]
    side_of = tuple((hex_id, end.edge) for hex_id, end in port_of)
    names = [(hex_id, end.edge, end.lane) for hex_id, end in port_of]
    lower = (min(name, names[twin[port]]) for port, name in enumerate(names))
    side_name = tuple(f"side {hex_id}/{edge}/{lane}" for hex_id, edge, lane in lower)
    return Grid(port_of, side_of, side_name, twin, bit, hex_bits)


def _lanes_in_use(title: TitleData) -> list[EdgeEnd]:
    """Every edge without lanes, then the lanes that any track has, mirrored for the hex on the other side."""
    faces = [printed.face for printed in map_data(title).hexes.values()] + list(
        map_data(title).faces.values()
    )
    laned = {end for shown in faces for path in shown.paths for end in path.edges if end.lanes > 1}
    return [EdgeEnd(edge) for edge in EDGES] + sorted(laned | {end.across() for end in laned})


def _across(title: TitleData, hex_id: str, end: EdgeEnd) -> tuple[str, EdgeEnd]:
    other = map_data(title).neighbours[hex_id][end.edge]
    assert other is not None
    return other, end.across()


@lru_cache(maxsize=1 << 16)
def hex_track(title: TitleData, hex_id: str, laid: LaidTile | None) -> HexTrack:
    """The track of one hex with this tile, or as printed."""
    shown = (
        map_data(title).hexes[hex_id].face
        if laid is None
        else map_data(title).faces[laid.tile, laid.rotation]
    )
    grid = grid_of(title)
    crossings = tuple(_crossings(grid, hex_id, shown))
    departures = tuple(_departures(grid, hex_id, shown))
    into = _grouped((port, leads_to) for port, leads_to in crossings if isinstance(leads_to, Arriving))
    return HexTrack(
        through=_grouped((port, leads_to) for port, leads_to in crossings if isinstance(leads_to, Leaving)),
        into=into,
        departures=_grouped((stop, leaving) for stop, leaving, _ in departures),
        onward=_grouped((stop, leaving) for stop, leaving, passes in departures if passes),
        branching=_grouped(_branching(hex_id, shown, crossings, departures)),
    )


def _crossings(grid: Grid, hex_id: str, shown: Face) -> Iterator[tuple[Port, Leaving | Arriving]]:
    for number, path in enumerate(shown.paths):
        ports = [grid.port_of.get((hex_id, end)) for end in path.edges]
        path_id = (hex_id, number)
        if path.stop is not None and ports[0] is not None:
            goes_on = not path.terminal and shown.stops[path.stop].kind in PASSABLE_KINDS
            yield ports[0], Arriving((hex_id, path.stop), path_id, goes_on)
        elif path.stop is None and ports[0] is not None and ports[1] is not None:
            yield ports[0], Leaving(grid.twin[ports[1]], grid.bit[ports[1]], path_id)
            yield ports[1], Leaving(grid.twin[ports[0]], grid.bit[ports[0]], path_id)


def _departures(grid: Grid, hex_id: str, shown: Face) -> Iterator[tuple[CityId, Leaving, bool]]:
    for number, path in enumerate(shown.paths):
        port = grid.port_of.get((hex_id, path.edges[0]))
        if path.stop is not None and port is not None:
            leaving = Leaving(grid.twin[port], grid.bit[port], (hex_id, number))
            yield (hex_id, path.stop), leaving, not path.terminal


def _branching(
    hex_id: str,
    shown: Face,
    crossings: tuple[tuple[Port, Leaving | Arriving], ...],
    departures: tuple[tuple[CityId, Leaving, bool], ...],
) -> Iterator[tuple[PathId, Crossing]]:
    ends = [end for path in shown.paths for end in path.edges]
    shared = {end for end in ends if ends.count(end) > 1}
    branching = {
        (hex_id, number) for number, path in enumerate(shown.paths) if shared.intersection(path.edges)
    }
    for port, leads_to in crossings:
        if leads_to.path in branching:
            yield leads_to.path, Crossing((port,), leads_to)
    for city, leaving, passes in departures:
        if passes and leaving.path in branching:
            ports = tuple(
                port
                for port, arrival in crossings
                if isinstance(arrival, Arriving) and arrival.stop == city and arrival.path != leaving.path
            )
            yield leaving.path, Crossing(ports, leaving)


def _grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, tuple[Value, ...]]:
    groups: dict[Key, tuple[Value, ...]] = {}
    for key, value in pairs:
        groups[key] = (*groups.get(key, ()), value)
    return groups
