"""Small stations of 1862: markers on track without one, anywhere on the map (7.6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.addedstops import Kept, added_stops, adds_stop, shares_piece
from services.rules.domain.board import LaidTile, unused_numbers
from services.rules.domain.choice import Choice
from services.rules.domain.commands import LayTile
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.hexes import EDGES
from services.rules.domain.laying import lay_of, record_added_stop
from services.rules.domain.rejections import refuse_if
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1862.rulings import plays


def is_small_station(game: Game, data: TitleData, command: LayTile) -> bool:
    """Whether the command names the tile that lies there already, but for its small stations."""
    return command.tile in data.tiles and shares_piece(data, game.tiles, lay_of(command))


def _kept(game: Game) -> Kept:
    return "track" if plays(game, "small_station_keeps", "track") else "sides"


def check_small_station(game: Game, data: TitleData, command: LayTile) -> LaidTile:
    """Refuse what does not add just one station on a stretch without one (1862/7.6.4-a, 7.6.4-b, 7.6.4-c)."""
    laid = game.tiles[command.hex]
    refuse_if(command.rotation not in EDGES, "value_out_of_range", detail=str(command.rotation))
    shown = data.faces[laid.tile, laid.rotation]
    refuse_if(shown.colour == "yellow", "station_not_possible", "1862/7.6.2-c", command.hex)
    full = all(path.stop is not None for path in shown.paths)
    refuse_if(full, "station_not_possible", "1862/7.6.4-c", command.hex)
    possible = adds_stop(data, laid, command.tile, command.rotation, _kept(game))
    refuse_if(not possible, "station_not_possible", "1862/7.6.4-b", f"{command.tile} on {command.hex}")
    numbers = unused_numbers(data, game.tiles, command.tile)
    number = command.copy if command.copy >= 0 else next(iter(numbers), -1)
    refuse_if(number not in numbers, "tile_exhausted", "1862/2.3-e", f"{command.tile}-{number}")
    return LaidTile(command.tile, command.rotation, number)


def perform_small_station(draft: Draft, data: TitleData, command: LayTile) -> None:
    """Add the station; nothing else is built in this turn (1862/7.6-a)."""
    laid = check_small_station(draft.game, data, command)
    record_added_stop(draft, data, command.company, command.hex, laid)
    draft.emit(e.ActionTaken("small_station"))


def small_station_choices(game: Game, data: TitleData, player: str) -> Iterator[Choice]:
    """Every stretch on the map that could get a station."""
    for lay in added_stops(data, game.tiles, _kept(game)):
        yield Choice(player, LayTile(game.actor, lay.hex, lay.tile, lay.rotation))
