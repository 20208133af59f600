"""Stops added on track that lies already: a tile changes for one with the same track, the same stops and one more.

Tiles that differ by added stops alone share their pieces (`Tile.base`): what is added is a marker, not a tile.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile, Tiles, base_of
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.tilelay import TileLay
from services.rules.parts.map.tiles import Face

# What stays as it is: all track, or the stops with theirs and the sides that track leads to.
Kept = Literal["track", "sides"]

Segment = frozenset[int]


def shares_piece(title: TitleData, tiles: Tiles, lay: TileLay) -> bool:
    """Is the tile the one on the hex but for added stops?"""
    laid = tiles.get(lay.hex)
    return laid is not None and base_of(title, laid.tile) == base_of(title, lay.tile)


def adds_stop(title: TitleData, laid: LaidTile, tile: str, rotation: int, kept: Kept) -> bool:
    """Does the tile in this rotation show just one stop more than the tile that lies there?"""
    return (tile, rotation) in _with_one_more(title, laid.tile, laid.rotation, kept)


def added_stops(title: TitleData, tiles: Tiles, kept: Kept) -> Iterator[TileLay]:
    """Every way to add a stop anywhere on the map."""
    for hex_id in sorted(tiles):
        laid = tiles[hex_id]
        for tile, rotation in _with_one_more(title, laid.tile, laid.rotation, kept):
            yield TileLay(hex_id, tile, rotation)


@lru_cache(maxsize=1 << 12)
def _with_one_more(title: TitleData, tile: str, rotation: int, kept: Kept) -> tuple[tuple[str, int], ...]:
    base, old = base_of(title, tile), map_data(title).faces[tile, rotation]
    return tuple(
        (other, turn)
        for other in map_data(title).tiles
        if base_of(title, other) == base
        for turn in EDGES
        if _has_one_more(old, map_data(title).faces[other, turn], kept)
    )


def _has_one_more(old: Face, new: Face, kept: Kept) -> bool:
    (old_stopping, old_plain), (new_stopping, new_plain) = _segments(old), _segments(new)
    if len(new_stopping) != len(old_stopping) + 1 or not old_stopping <= new_stopping:
        return False
    if kept == "sides":
        return new.exits == old.exits
    return old_stopping | old_plain == new_stopping | new_plain


def _segments(shown: Face) -> tuple[frozenset[Segment], frozenset[Segment]]:
    """The sides joined through each stop, and those joined without one."""
    stopping = frozenset(shown.stop_exits(stop) for stop in range(len(shown.stops)))
    plain = frozenset(frozenset(end.edge for end in path.edges) for path in shown.paths if path.stop is None)
    return stopping, plain
