"""Reads the map and the tiles of a title from `board.toml`, `tiles.toml` and the table `map` of `title.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from services.rules.kernel.conversion import Converter
from services.rules.kernel.titlebuild import Document, Documents, Reader, SectionReader
from services.rules.kernel.titledata import Header, TitleData
from services.rules.parts.map import notation
from services.rules.parts.map.data import (
    PART,
    DrawHints,
    Hex,
    MapData,
    MapFigures,
    Terrain,
    Tile,
    map_data,
)
from services.rules.parts.map.hexes import EDGES, neighbour, opposite, parse_hex_id
from services.rules.parts.map.tiles import Face, make_face, rotated


class _HexEntry(Struct, frozen=True, forbid_unknown_fields=True):
    at: str
    colour: str = "white"
    name: str = ""
    label: str = ""
    stops: tuple[str, ...] = ()
    track: tuple[str, ...] = ()
    terrain: Terrain = {}
    sides: dict[str, tuple[int, ...]] = {}
    draw: DrawHints = DrawHints()


class _TileEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    count: int
    colour: str
    track: tuple[str, ...]
    label: str = ""
    stops: tuple[str, ...] = ()
    base: str = ""
    only_at: tuple[str, ...] = ()


_FIGURES: Final = Converter(MapFigures)
_REVENUES: Final = Converter(dict[str, int])
_HEX: Final = Converter(_HexEntry)
_TILE: Final = Converter(_TileEntry)


def _read(reader: Reader, documents: Documents, header: Header) -> MapData | None:
    figures = reader.convert(header.parts.get(PART, {}), _FIGURES, f"title.toml: parts.{PART}")
    if figures is None:
        return None
    board = documents["board"]
    areas = _areas(reader, board, figures)
    entries = reader.entries(board, "board", "hexes", "at", _HEX)
    hexes = _hexes(reader, entries, areas, figures)
    tiles = _tiles(reader, documents["tiles"], figures)
    return MapData(
        figures=figures,
        hexes=hexes,
        tiles=tiles,
        areas=areas,
        faces={(tile.id, turn): rotated(tile.face, turn) for tile in tiles.values() for turn in EDGES},
        neighbours=_neighbours(board, hexes, figures),
        sides=_sides(reader, entries, hexes, figures),
    )


def _areas(reader: Reader, board: Document, figures: MapFigures) -> dict[str, dict[str, int]]:
    areas = {}
    for name, values in board.get("areas", {}).items():
        where = f"board.toml: areas {name}"
        given = reader.convert(values, _REVENUES, where)
        if given is not None:
            filled = reader.attempt(where, notation.fill_revenue, given, figures.revenue_keys)
            areas[name] = filled or given
    return areas


def _face(
    reader: Reader, entry: _HexEntry | _TileEntry, where: str, areas: notation.Areas, keys: tuple[str, ...]
) -> Face:
    stops = [reader.attempt(where, notation.parse_stop, text, areas, keys) for text in entry.stops]
    paths = [reader.attempt(where, notation.parse_path, text, len(stops)) for text in entry.track]
    return make_face(
        entry.colour,
        entry.label,
        tuple(stop for stop in stops if stop is not None),
        tuple(path for path in paths if path is not None),
    )


def _hexes(
    reader: Reader, entries: dict[str, _HexEntry], areas: dict[str, dict[str, int]], figures: MapFigures
) -> dict[str, Hex]:
    hexes = {}
    for at, entry in entries.items():
        where = f"board.toml: hexes {at}"
        if reader.attempt(where, parse_hex_id, at) is None:
            continue
        if entry.colour not in ("white", *figures.fixed_colours, *figures.tile_colours):
            reader.problems.append(f"{where}: {entry.colour!r} is no colour of this title")
        face = _face(reader, entry, where, areas, figures.revenue_keys)
        hexes[at] = Hex(id=at, name=entry.name, face=face, terrain=entry.terrain, draw=entry.draw)
    return hexes


def _tiles(reader: Reader, document: Document, figures: MapFigures) -> dict[str, Tile]:
    tiles = {}
    for name, entry in reader.entries(document, "tiles", "tiles", "id", _TILE).items():
        where = f"tiles.toml: tiles {name}"
        if entry.colour not in figures.tile_colours:
            reader.problems.append(f"{where}: {entry.colour!r} is no tile colour of this title")
        face = _face(reader, entry, where, {}, figures.revenue_keys)
        tiles[name] = Tile(name, entry.count, face, entry.base, entry.only_at)
    return tiles


def _neighbours(
    board: Document, hexes: dict[str, Hex], figures: MapFigures
) -> dict[str, tuple[str | None, ...]]:
    closed = {frozenset(pair) for pair in board.get("impassable", ())}

    def over(at: str, edge: int) -> str | None:
        other = neighbour(at, edge, figures.orientation)
        return other if other in hexes and frozenset((at, other)) not in closed else None

    return {at: tuple(over(at, edge) for edge in EDGES) for at in hexes}


def _sides(
    reader: Reader, entries: dict[str, _HexEntry], hexes: dict[str, Hex], figures: MapFigures
) -> dict[str, tuple[str, ...]]:
    """What lies along each edge; written at one of the two hexes, it holds for both."""
    written: dict[tuple[str, int], str] = {}
    for at in hexes:
        for kind, edges in entries[at].sides.items():
            for edge in edges:
                if edge not in EDGES:
                    reader.problems.append(
                        f"board.toml: hexes {at}: sides {kind}: {edge} is no edge from 0 to 5"
                    )
                    continue
                other = neighbour(at, edge, figures.orientation)
                for side in ((at, edge), *(((other, opposite(edge)),) if other is not None else ())):
                    if written.setdefault(side, kind) != kind:
                        where = f"board.toml: hexes {at}: sides {kind}"
                        reader.problems.append(
                            f"{where}: along edge {edge} there is {written[side]!r} already"
                        )
    return {at: tuple(written.get((at, edge), "") for edge in EDGES) for at in hexes}


def _faults(data: TitleData) -> Iterator[str]:
    yield from _board_faults(map_data(data))
    yield from _tile_faults(map_data(data))


def _board_faults(board: MapData) -> Iterator[str]:
    fixed = board.figures.fixed_colours
    for hex_id, printed in board.hexes.items():
        for edge in sorted(printed.face.exits):
            other = board.neighbours[hex_id][edge]
            if other is None:
                yield f"board.toml: hexes {hex_id}: track leaves the map over edge {edge}"
            elif printed.face.colour in fixed:
                beyond = board.hexes[other].face
                if beyond.colour in fixed and opposite(edge) not in beyond.exits:
                    yield f"board.toml: hexes {hex_id}: track over edge {edge} meets no track of {other}"


def _tile_faults(board: MapData) -> Iterator[str]:
    for tile in board.tiles.values():
        if tile.base and tile.base not in board.tiles:
            yield f"tiles.toml: tiles {tile.id}: base: there is no tile {tile.base!r}"
        for hex_id in tile.only_at:
            if hex_id not in board.hexes:
                yield f"tiles.toml: tiles {tile.id}: only_at: there is no hex {hex_id!r}"


MAP_DATA = SectionReader(
    PART,
    ("board", "tiles"),
    _read,
    _faults,
    {"board": ("areas", "hexes", "impassable"), "tiles": ("tiles",)},
)
