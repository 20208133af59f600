"""May this tile be laid here? One list of checks, in order, decides for commands and for choices alike.

The checks know no title: what they read is colours, labels, stops and track. Each refusal has its own code; a
title says in its data which clause of its rulebook a code rests on.
"""

from collections.abc import Container, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile, Tiles, Tokens, face, free_copies, is_fixed
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES, opposite
from services.rules.parts.map.reach import Reach, reach
from services.rules.parts.map.stopmap import StopMap, map_stops, moved_tokens, track_kept
from services.rules.parts.map.tiles import Face, Path
from services.rules.parts.map.track import Track, with_tile
from services.rules.parts.trains.data import phases_of

UpgradeConnection = Literal["least_restrictive", "new_track_or_value", "new_track_or_station"]


class TileReason(StrEnum):
    """Why a tile may not be laid, in the order of the checks."""

    HEX_UNKNOWN = "hex_unknown"
    TILE_UNKNOWN = "tile_unknown"
    ROTATION_UNKNOWN = "rotation_unknown"
    HEX_FIXED = "hex_fixed"
    COLOUR_NOT_IN_PHASE = "colour_not_in_phase"
    COLOUR_STEP = "colour_step"
    LABEL = "label"
    PLAIN_HEX_NEEDS_PLAIN_TILE = "plain_hex_needs_plain_tile"
    TOWNS_DIFFER = "towns_differ"
    CITIES_DIFFER = "cities_differ"
    TILE_USED_UP = "tile_used_up"
    COPY_NOT_FREE = "copy_not_free"
    TRACK_NOT_KEPT = "track_not_kept"
    RUNS_OFF_THE_MAP = "runs_off_the_map"
    RUNS_INTO_CLOSED_SIDE = "runs_into_closed_side"
    NOT_CONNECTED = "not_connected"
    UPGRADE_NOT_CONNECTED = "upgrade_not_connected"
    NO_NEW_TRACK_OR_VALUE = "no_new_track_or_value"


class TileRejection(Struct, frozen=True):
    """Why a tile may not be laid: the code, the clause that the title names for it, and a sentence."""

    reason: TileReason
    clause: str
    sentence: str


class Position(Struct, frozen=True, eq=False):
    """The map as one company finds it when it lays a tile. `found` is the company's reach on it.

    `anywhere`: the tile need not join the company's track. `may_keep_colour`: a tile may replace one of its own colour too."""

    title: TitleData
    tiles: Tiles
    tokens: Tokens
    track: Track
    company: str
    phase: str
    found: Reach
    upgrade_connection: UpgradeConnection = "least_restrictive"
    anywhere: bool = False
    may_keep_colour: bool = False


class TileLay(Struct, frozen=True):
    """A tile with its rotation on a hex. `copy` None: the lowest free piece."""

    hex: str
    tile: str
    rotation: int
    copy: int | None = None


class AllowedLay(Struct, frozen=True):
    """What an allowed lay does: the piece laid, and the tokens of the whole map afterwards."""

    laid: LaidTile
    tokens: dict[tuple[str, int], tuple[str, ...]]


class Ground(Struct, frozen=True):
    """A hex before a tile is laid on it: `lies` is the tile there, None where the hex is as it was printed. `phase` and
    `may_keep_colour` as in `Position`."""

    title: TitleData
    hex: str
    lies: LaidTile | None
    phase: str
    may_keep_colour: bool

    @property
    def face(self) -> Face:
        """What the hex shows."""
        return face(self.title, {} if self.lies is None else {self.hex: self.lies}, self.hex)

    @property
    def case(self) -> str:
        """Of refusals whose clause is another one where a tile is replaced."""
        return "" if self.lies is None else "upgrade"


def check_tile(position: Position, lay: TileLay) -> AllowedLay | TileRejection:
    """Check a lay in the order of TileReason; the first failing check decides."""
    refusal = _unknown_names(position.title, lay)
    if refusal is not None:
        return refusal
    ground = _ground(position, lay.hex)
    refusal = _kind_refusal(ground, lay.tile) or _supply_refusal(position, lay) or _turn_refusal(ground, lay)
    if refusal is not None:
        return refusal
    copy = lay.copy if lay.copy is not None else free_copies(position.title, position.tiles, lay.tile)[0]
    outcome = _if_joined(position, lay, LaidTile(tile=lay.tile, rotation=lay.rotation, copy=copy))
    return _not_joined(position, lay, outcome) if isinstance(outcome, TileReason) else outcome


def legal_tiles(
    position: Position, hexes: Container[str] | None = None
) -> Iterator[tuple[TileLay, AllowedLay]]:
    """Every lay that `check_tile` allows and what it does, by hex, tile and rotation; on these hexes, else on those the company
    reaches."""
    reached = position.found.hexes() if hexes is None else hexes
    lowest_free: dict[str, int | None] = {}
    for hex_id in _hexes_for_tiles(position.title):
        if hex_id not in reached:
            continue
        for tile, rotations in _fitting(_ground(position, hex_id)):
            if tile not in lowest_free:
                lowest_free[tile] = next(iter(free_copies(position.title, position.tiles, tile)), None)
            copy = lowest_free[tile]
            if copy is not None:
                yield from _joined_lays(position, hex_id, tile, copy, rotations)


def _joined_lays(
    position: Position, hex_id: str, tile: str, copy: int, rotations: Iterable[int]
) -> Iterator[tuple[TileLay, AllowedLay]]:
    for rotation in rotations:
        lay = TileLay(hex=hex_id, tile=tile, rotation=rotation)
        outcome = _if_joined(position, lay, LaidTile(tile=tile, rotation=rotation, copy=copy))
        if isinstance(outcome, AllowedLay):
            yield lay, outcome


def _ground(position: Position, hex_id: str) -> Ground:
    return Ground(
        title=position.title,
        hex=hex_id,
        lies=position.tiles.get(hex_id),
        phase=position.phase,
        may_keep_colour=position.may_keep_colour,
    )


@lru_cache(maxsize=32)
def _hexes_for_tiles(title: TitleData) -> tuple[str, ...]:
    return tuple(hex_id for hex_id in map_data(title).hexes if not is_fixed(title, hex_id))


@lru_cache(maxsize=10_000)
def _fitting(ground: Ground) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The tiles with their rotations that pass all checks that do not depend on the rest of the map."""
    tiles = (tile for tile in _same_sort(ground) if _kind_refusal(ground, tile) is None)
    rotations = ((tile, _fitting_rotations(ground, tile)) for tile in tiles)
    return tuple((tile, fitting) for tile, fitting in rotations if fitting)


def _fitting_rotations(ground: Ground, tile: str) -> tuple[int, ...]:
    lays = (TileLay(hex=ground.hex, tile=tile, rotation=rotation) for rotation in EDGES)
    return tuple(lay.rotation for lay in lays if _turn_refusal(ground, lay) is None)


@lru_cache(maxsize=1 << 14)
def _stops_kept(
    title: TitleData, hex_id: str, lies: LaidTile | None, tile: str, rotation: int
) -> StopMap | None:
    """Where a tile has the stops of what lies on the hex; None where it does not keep all of them and the track."""
    old = face(title, {} if lies is None else {hex_id: lies}, hex_id)
    new = map_data(title).faces[tile, rotation]
    stops = map_stops(old, new)
    return stops if stops is not None and track_kept(old, new, stops) else None


def _same_sort(ground: Ground) -> Iterator[str]:
    """The tiles of a possible colour with the label and the sorts of stops that the hex shows."""
    old = ground.face
    for colour in _possible_colours(ground):
        sort = (colour, old.label, _count(old, "town"), _count(old, "city") > 0)
        yield from _tiles_by_sort(ground.title).get(sort, ())


@lru_cache(maxsize=32)
def _tiles_by_sort(title: TitleData) -> dict[tuple[str, str, int, bool], tuple[str, ...]]:
    sorts: dict[tuple[str, str, int, bool], tuple[str, ...]] = {}
    for tile in map_data(title).tiles.values():
        new = tile.face
        sort = (new.colour, new.label, _count(new, "town"), _count(new, "city") > 0)
        sorts[sort] = (*sorts.get(sort, ()), tile.id)
    return sorts


def _possible_colours(ground: Ground) -> tuple[str, ...]:
    """The colours of tiles that may follow here: the next one, before it that of the hex where a tile may keep it."""
    colours, old = map_data(ground.title).figures.tile_colours, ground.face.colour
    step = colours.index(old) + 1 if old in colours else 0
    return colours[step - 1 if ground.may_keep_colour and step else step : step + 1]


def _turn_refusal(ground: Ground, lay: TileLay) -> TileRejection | None:
    """The checks of how the tile lies on its hex."""
    stops = _stops_kept(ground.title, lay.hex, ground.lies, lay.tile, lay.rotation)
    if stops is None:
        sentence = f"tile {lay.tile} turned by {lay.rotation} does not keep the track and stops of {lay.hex}"
        return _refuse(ground.title, TileReason.TRACK_NOT_KEPT, sentence, ground.case)
    return _surroundings_refusal(ground, lay)


def _if_joined(position: Position, lay: TileLay, laid: LaidTile) -> AllowedLay | TileReason:
    """What a lay does that passed all other checks, or in which way it is not connected."""
    lies = position.tiles.get(lay.hex)
    stops = _stops_kept(position.title, lay.hex, lies, lay.tile, lay.rotation)
    assert stops is not None, lay
    new = map_data(position.title).faces[lay.tile, lay.rotation]
    outcome = AllowedLay(laid=laid, tokens=moved_tokens(position.tokens, lay.hex, new, stops))
    return (None if position.anywhere else _connection_missing(position, lay, outcome, new)) or outcome


def _refuse(title: TitleData, reason: TileReason, sentence: str, case: str = "") -> TileRejection:
    """A refusal with the clause that the title names for this case of the reason, else for the reason."""
    clauses = map_data(title).figures.tile_clauses
    clause = clauses.get(f"{reason.value}_{case}") or clauses.get(reason.value, "")
    return TileRejection(reason=reason, clause=clause, sentence=sentence)


def _unknown_names(title: TitleData, lay: TileLay) -> TileRejection | None:
    if lay.hex not in map_data(title).hexes:
        return _refuse(title, TileReason.HEX_UNKNOWN, f"there is no hex {lay.hex}")
    if lay.tile not in map_data(title).tiles:
        return _refuse(title, TileReason.TILE_UNKNOWN, f"there is no tile {lay.tile}")
    if lay.rotation not in EDGES:
        return _refuse(title, TileReason.ROTATION_UNKNOWN, f"rotation {lay.rotation} is not 0 to 5")
    return None


def _kind_refusal(ground: Ground, tile: str) -> TileRejection | None:
    """The checks that do not depend on the rotation: colour, label and stops."""
    title, hex_id = ground.title, ground.hex
    old, new = ground.face, map_data(title).tiles[tile].face
    if is_fixed(title, hex_id):
        return _refuse(title, TileReason.HEX_FIXED, f"the track of {hex_id} is printed for good")
    if new.colour not in phases_of(title)[ground.phase].tiles:
        sentence = f"{new.colour} tiles are not in use in phase {ground.phase}"
        return _refuse(title, TileReason.COLOUR_NOT_IN_PHASE, sentence)
    if new.colour not in _possible_colours(ground) or (ground.lies and ground.lies.tile == tile):
        sentence = f"a {new.colour} tile cannot follow {old.colour} on {hex_id}"
        return _refuse(title, TileReason.COLOUR_STEP, sentence)
    if old.label != new.label:
        sentence = f"{_hex_and_tile(hex_id, tile)} carry different labels"
        return _refuse(title, TileReason.LABEL, sentence, old.label or new.label)
    if not _is_dedicated_rightly(title, hex_id, tile):
        sentence = f"{_hex_and_tile(hex_id, tile)} are not made for each other"
        return _refuse(title, TileReason.LABEL, sentence, "dedicated")
    return _stops_refusal(ground, tile, old, new)


def _hex_and_tile(hex_id: str, tile: str) -> str:
    return f"hex {hex_id} and tile {tile}"


def _is_dedicated_rightly(title: TitleData, hex_id: str, tile: str) -> bool:
    """Whether the tile may lie on this hex, and no other tile of its colour is made for the hex."""
    kind = map_data(title).tiles[tile]
    made_for_it = _tiles_made_for(title).get((hex_id, kind.face.colour), ())
    return tile in made_for_it if made_for_it else not kind.only_at


@lru_cache(maxsize=32)
def _tiles_made_for(title: TitleData) -> dict[tuple[str, str], tuple[str, ...]]:
    made: dict[tuple[str, str], tuple[str, ...]] = {}
    for tile in map_data(title).tiles.values():
        for hex_id in tile.only_at:
            made[hex_id, tile.face.colour] = (*made.get((hex_id, tile.face.colour), ()), tile.id)
    return made


def _stops_refusal(ground: Ground, tile: str, old: Face, new: Face) -> TileRejection | None:
    title, case, both = ground.title, ground.case, _hex_and_tile(ground.hex, tile)
    old_towns, new_towns = _count(old, "town"), _count(new, "town")
    old_cities, new_cities = _count(old, "city"), _count(new, "city")
    if not old.stops and new.stops:
        sentence = f"tile {tile} has a stop, hex {ground.hex} has none"
        return _refuse(title, TileReason.PLAIN_HEX_NEEDS_PLAIN_TILE, sentence, case)
    if old_towns != new_towns:
        sentence = f"{both} have {old_towns} and {new_towns} towns"
        return _refuse(title, TileReason.TOWNS_DIFFER, sentence, case or str(old_towns))
    if bool(old_cities) != bool(new_cities) or new_cities > old_cities:
        sentence = f"{both} have {old_cities} and {new_cities} cities"
        return _refuse(title, TileReason.CITIES_DIFFER, sentence, case)
    return None


def _count(shown: Face, kind: str) -> int:
    return len([stop for stop in shown.stops if stop.kind == kind])


def _supply_refusal(position: Position, lay: TileLay) -> TileRejection | None:
    title = position.title
    free = free_copies(title, position.tiles, lay.tile)
    if not free:
        return _refuse(title, TileReason.TILE_USED_UP, f"no piece of tile {lay.tile} is left")
    if lay.copy is not None and lay.copy not in free:
        return _refuse(title, TileReason.COPY_NOT_FREE, f"piece {lay.copy} of tile {lay.tile} is not free")
    return None


def _surroundings_refusal(ground: Ground, lay: TileLay) -> TileRejection | None:
    title, case = ground.title, ground.case
    for edge in sorted(map_data(title).faces[lay.tile, lay.rotation].exits):
        other = map_data(title).neighbours[lay.hex][edge]
        if other is None:
            sentence = f"track of tile {lay.tile} would leave the map over edge {edge} of {lay.hex}"
            return _refuse(title, TileReason.RUNS_OFF_THE_MAP, sentence, case)
        if is_fixed(title, other) and opposite(edge) not in map_data(title).hexes[other].face.exits:
            sentence = f"track over edge {edge} of {lay.hex} would run into a closed side of {other}"
            return _refuse(title, TileReason.RUNS_INTO_CLOSED_SIDE, sentence, case)
    return None


def _connection_missing(
    position: Position, lay: TileLay, outcome: AllowedLay, new: Face
) -> TileReason | None:
    """None if the new tile is connected, as a first tile or as an upgrade under the ruling."""
    old = face(position.title, position.tiles, lay.hex)
    first = not old.paths
    any_path = first or position.upgrade_connection == "least_restrictive"
    wanted = [path for path in new.paths if any_path or _is_wanted(position, path, old, new)]
    if any(_surely_joined(position, lay.hex, path, outcome) for path in wanted):
        return None
    joined = _joined_paths(position, lay, outcome, new) if _may_be_joined(position, lay.hex, new) else []
    if any(path in wanted for path in joined):
        return None
    if joined:
        return TileReason.NO_NEW_TRACK_OR_VALUE
    return TileReason.NOT_CONNECTED if first else TileReason.UPGRADE_NOT_CONNECTED


def _not_joined(position: Position, lay: TileLay, reason: TileReason) -> TileRejection:
    sentence = f"no track of tile {lay.tile} on {lay.hex} would join a token of {position.company}"
    if reason is TileReason.NO_NEW_TRACK_OR_VALUE:
        sentence = f"tile {lay.tile} on {lay.hex} gives {position.company} no new track and no new value"
    return _refuse(position.title, reason, sentence)


def _surely_joined(position: Position, hex_id: str, path: Path, outcome: AllowedLay) -> bool:
    """Is the path joined for a reason that needs no search: an own token on it, or a trail straight to it?"""
    if path.stop is not None and position.company in outcome.tokens.get((hex_id, path.stop), ()):
        return True
    return any(position.found.enters_straight(hex_id, end) for end in path.edges)


def _may_be_joined(position: Position, hex_id: str, new: Face) -> bool:
    """Does a trail come to a side that the tile has track at, or is there an own token on the hex to leave from?

    Every trail over the new tile comes to it from outside by track that lay there before, unless it begins on it."""
    found = position.found
    if any(found.enters(hex_id, end) for path in new.paths for end in path.edges):
        return True
    return any(at == hex_id for at, _ in found.starts)


def _joined_paths(position: Position, lay: TileLay, outcome: AllowedLay, new: Face) -> list[Path]:
    """The paths of the new tile that the company reaches with the tile on the map."""
    track = with_tile(position.track, position.title, position.tiles, lay.hex, outcome.laid)
    found = reach(track, outcome.tokens, position.company)
    return [path for number, path in enumerate(new.paths) if (lay.hex, number) in found.paths]


def _is_wanted(position: Position, path: Path, old: Face, new: Face) -> bool:
    """Is it enough for an upgrade that the company reaches this path?"""
    if position.upgrade_connection == "new_track_or_station":
        return path.stop is not None or _is_new_or_worth_more(path, old, new)
    return _is_new_or_worth_more(path, old, new)


def _is_new_or_worth_more(path: Path, old: Face, new: Face) -> bool:
    """Has the old tile no such path, or did the value of its stop change?"""
    before = [other for other in old.paths if other.edges == path.edges]
    if not before or path.stop is None or before[0].stop is None:
        return not before
    return old.stops[before[0].stop].revenue != new.stops[path.stop].revenue
