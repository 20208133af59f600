"""Layouts of 1865 as data: the house layout, and the same seen in a mirror, which stands for any other that somebody makes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from services.rules.kernel.titlebuild import build_title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import Hex, map_data
from services.rules.titles import g1865
from services.rules.titles.g1865.figures import SCHEMA

FOLDER = Path(g1865.__file__).parent
HOUSE, MIRRORED = "house", "mirrored"
LAYOUTS = (HOUSE, MIRRORED)
WEST_TO_EAST = {edge: (6 - edge) % 6 for edge in range(6)}
# Columns A to H become H to A, shifted so that columns and numbers still go together.
_COLUMNS = "ABCDEFGHI"
_HEX = re.compile(r"[A-I]\d+")

Documents = dict[str, dict[str, Any]]
Path_ = tuple[str, ...]


def documents() -> Documents:
    """The files of the title, parsed."""
    return {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))
    }


def mirrored() -> Documents:
    """The files with east and west exchanged: in them no hex is where it was, and no code knows."""
    changed: Documents = {name: _mirror(document) for name, document in documents().items()}
    changed["title"]["layout"] = "another layout"
    return changed


def _mirror(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _mirror_edges(each) if key in ("track", "sides") else _mirror(each)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_mirror(each) for each in value]
    if isinstance(value, str) and _HEX.fullmatch(value):
        return _COLUMNS[len(_COLUMNS) - 1 - _COLUMNS.index(value[0])] + value[1:]
    return value


def _mirror_edges(value: Any) -> Any:
    """Edges of `track` and `sides`."""
    if isinstance(value, dict):
        return {kind: [WEST_TO_EAST[edge] for edge in edges] for kind, edges in value.items()}
    return ["-".join(_mirrored_end(end) for end in text.split("-")) for text in value]


def _mirrored_end(end: str) -> str:
    return end if end.startswith("s") else str(WEST_TO_EAST[int(end)])


@cache
def layout(name: str, *variants: str) -> TitleData:
    """The title with this layout and these options."""
    return build_title(SCHEMA, documents() if name == HOUSE else mirrored(), variants)


def hex_named(data: TitleData, name: str) -> str:
    """The hex with this place."""
    return next(each.id for each in map_data(data).hexes.values() if each.name == name)


def kind_of_hex(data: TitleData, hex_id: str) -> str:
    """The kind of its stop; empty for none."""
    return next((stop.kind for stop in map_data(data).hexes[hex_id].face.stops), "")


def hexes_with(data: TitleData, kind: str) -> list[Hex]:
    """The hexes with a stop of this kind."""
    return [each for each in map_data(data).hexes.values() if kind_of_hex(data, each.id) == kind]


def around(data: TitleData, hex_id: str, without: str = "") -> Iterator[str]:
    """The hexes beside this one, not those across sides of the kind `without`."""
    board = map_data(data)
    for other, side in zip(board.neighbours[hex_id], board.sides[hex_id], strict=True):
        if other is not None and not (without and side == without):
            yield other


def islands(data: TitleData, without: str = "sea") -> list[frozenset[str]]:
    """The sets of hexes that hang together, by size."""
    left = set(map_data(data).hexes)
    found = []
    while left:
        island: set[str] = set()
        waiting = [min(left)]
        while waiting:
            hex_id = waiting.pop()
            if hex_id not in island:
                island.add(hex_id)
                waiting += around(data, hex_id, without)
        found.append(frozenset(island))
        left -= island
    return sorted(found, key=len)


def ways_between(data: TitleData, start: str, goal: str, longest: int) -> Iterator[Path_]:
    """All ways of hexes from start to goal that pass no city and no mine, of so many hexes at most."""
    ways: list[Path_] = [(start,)]
    while ways:
        way = ways.pop()
        for other in around(data, way[-1]):
            if other == goal:
                yield (*way, other)
            elif other not in way and len(way) < longest - 1 and kind_of_hex(data, other) in ("", "town"):
                ways.append((*way, other))


def sides_of(data: TitleData, way: Path_) -> list[str]:
    """What lies along the sides that a way crosses, `plain` for nothing."""
    board = map_data(data)
    return [board.sides[one][board.neighbours[one].index(other)] or "plain" for one, other in pairwise(way)]


def values_of(tiles: Mapping[str, Any], label: str = "") -> dict[str, set[int]]:
    """By colour the traffic of cities on tiles with this label."""
    found: dict[str, set[int]] = {}
    for tile in tiles.values():
        if tile.face.label == label and any(stop.kind == "city" for stop in tile.face.stops):
            found.setdefault(tile.face.colour, set()).update(
                stop.value("traffic") for stop in tile.face.stops
            )
    return found
