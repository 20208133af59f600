"""Small stations of 1862: markers on track without one, anywhere on the map (7.6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.choice import Choice
from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import LaidTile, unused_numbers
from services.rules.parts.map.commands import LayTile
from services.rules.parts.map.data import map_data
from services.rules.parts.map.hexes import EDGES
from services.rules.parts.map.laying import lay_of, record_lay, record_tile
from services.rules.parts.map.state import map_of
from services.rules.parts.map.tilelay import AllowedLay
from services.rules.parts.map.trackstep import lay_choices
from services.rules.titles.g1862.events import StationAdded, StationsCovered
from services.rules.titles.g1862.operating.addedstops import Kept, added_stops, adds_stop, shares_piece
from services.rules.titles.g1862.rulings import plays
from services.rules.titles.g1862.state import own


def is_small_station(game: Game, data: TitleData, command: LayTile) -> bool:
    """Whether the command names the tile that lies there already, but for its small stations."""
    return command.tile in map_data(data).tiles and shares_piece(data, map_of(game).tiles, lay_of(command))


def _kept(game: Game) -> Kept:
    return "track" if plays(game, "small_station_keeps", "track") else "sides"


def check_small_station(game: Game, data: TitleData, command: LayTile) -> LaidTile:
    """Refuse what does not add just one station on a stretch without one (1862/7.6.4-a, 7.6.4-b, 7.6.4-c)."""
    laid = map_of(game).tiles[command.hex]
    reject_if(command.rotation not in EDGES, "value_out_of_range", detail=str(command.rotation))
    shown = map_data(data).faces[laid.tile, laid.rotation]
    reject_if(shown.colour == "yellow", "1862.station_not_possible", "1862/7.6.2-c", command.hex)
    full = all(path.stop is not None for path in shown.paths)
    reject_if(full, "1862.station_not_possible", "1862/7.6.4-c", command.hex)
    possible = adds_stop(data, laid, command.tile, command.rotation, _kept(game))
    reject_if(not possible, "1862.station_not_possible", "1862/7.6.4-b", f"{command.tile} on {command.hex}")
    numbers = unused_numbers(data, map_of(game).tiles, command.tile)
    number = command.copy if command.copy >= 0 else next(iter(numbers), -1)
    reject_if(number not in numbers, "tile_exhausted", "1862/2.3-e", f"{command.tile}-{number}")
    return LaidTile(command.tile, command.rotation, number)


def perform_small_station(draft: Draft, data: TitleData, command: LayTile) -> None:
    """Add the station; nothing else is built in this turn (1862/7.6-a)."""
    laid = check_small_station(draft.game, data, command)
    beneath = map_of(draft.game).tiles[command.hex]
    record_tile(draft, data, command.company, command.hex, laid, upgrade=False)
    draft.emit(StationAdded(command.hex, beneath))
    draft.emit(ActionTaken("small_station"))


def lay_tile(draft: Draft, data: TitleData, company: str, hex_id: str, outcome: AllowedLay) -> None:
    """Record a tile that replaces what is there, with the small stations added to it."""
    record_lay(draft, data, company, hex_id, outcome)
    if hex_id in own(draft.game).beneath:
        draft.emit(StationsCovered(hex_id))


def small_station_choices(game: Game, data: TitleData, player: str) -> Iterator[Choice]:
    """Every stretch on the map that could get a station."""
    yield from lay_choices(game, data, player, added_stops(data, map_of(game).tiles, _kept(game)))
