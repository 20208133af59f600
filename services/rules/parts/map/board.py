"""What lies on the map: tiles by hex and tokens by city, as plain dicts, and the questions asked of them."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import map_data
from services.rules.parts.map.tiles import Face
from services.rules.parts.trains.data import phases_of

CityId = tuple[str, int]


class LaidTile(Struct, frozen=True):
    """A piece on the map: kind of tile, rotation in sixths clockwise, number of the piece from 0."""

    tile: str
    rotation: int
    copy: int


Tiles = Mapping[str, LaidTile]
# The spaces of every city that holds a token: company symbol, or "" for a free space.
Tokens = Mapping[CityId, tuple[str, ...]]


def face(title: TitleData, tiles: Tiles, hex_id: str) -> Face:
    """What the hex shows now: its tile in its rotation, else what is printed."""
    laid, known = tiles.get(hex_id), map_data(title)
    return known.hexes[hex_id].face if laid is None else known.faces[laid.tile, laid.rotation]


def is_fixed(title: TitleData, hex_id: str) -> bool:
    """Can no tile ever be laid on this hex?"""
    return map_data(title).hexes[hex_id].face.colour in map_data(title).figures.fixed_colours


def stop_value(title: TitleData, tiles: Tiles, hex_id: str, stop: int, phase: str) -> int:
    """The value of a stop in a phase."""
    return face(title, tiles, hex_id).stops[stop].value(phases_of(title)[phase].revenue)


def terrain_cost(title: TitleData, tiles: Tiles, hex_id: str) -> int:
    """What laying a tile here costs: the terrain of a hex that has no tile yet, else nothing."""
    return 0 if hex_id in tiles else sum(map_data(title).hexes[hex_id].terrain.values())


def free_copies(title: TitleData, tiles: Tiles, tile_id: str) -> tuple[int, ...]:
    """The pieces of this kind that are not on the map, lowest first; none when those it shares with other kinds are used up."""
    kin = _kin(title)[tile_id]
    shared = map_data(title).figures.kinds_share_pieces
    if (
        shared
        and len(kin) > 1
        and sum(laid.tile in kin for laid in tiles.values()) >= map_data(title).tiles[tile_id].count
    ):
        return ()
    return unused_numbers(title, tiles, tile_id)


def unused_numbers(title: TitleData, tiles: Tiles, tile_id: str) -> tuple[int, ...]:
    """The numbers of pieces that no tile of this kind on the map has, lowest first."""
    used = {laid.copy for laid in tiles.values() if laid.tile == tile_id}
    return tuple(copy for copy in range(map_data(title).tiles[tile_id].count) if copy not in used)


def base_of(title: TitleData, tile_id: str) -> str:
    """The tile it is without added stations."""
    return map_data(title).tiles[tile_id].base or tile_id


@lru_cache(maxsize=32)
def _kin(title: TitleData) -> dict[str, frozenset[str]]:
    """By tile all kinds with which it shares its pieces, itself among them."""
    by_base: dict[str, set[str]] = {}
    for tile_id in map_data(title).tiles:
        by_base.setdefault(base_of(title, tile_id), set()).add(tile_id)
    return {tile_id: frozenset(by_base[base_of(title, tile_id)]) for tile_id in map_data(title).tiles}


def city_slots(title: TitleData, tiles: Tiles, tokens: Tokens, city: CityId) -> tuple[str, ...]:
    """The token spaces of a city, also of one without tokens."""
    hex_id, stop = city
    return tokens.get(city) or ("",) * face(title, tiles, hex_id).stops[stop].slots


def token_cities(tokens: Tokens, company: str) -> tuple[CityId, ...]:
    """The cities that hold a token of the company."""
    return tuple([city for city, slots in tokens.items() if company in slots])
