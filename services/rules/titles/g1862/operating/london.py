"""Terminals in London: built instead of track, one for each company (7.6.5)."""

from __future__ import annotations

from functools import lru_cache

from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, face
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.data import map_data
from services.rules.parts.map.state import map_of, track_turn
from services.rules.titles.g1862.companies import LONDON


@lru_cache(maxsize=16)
def terminals(data: TitleData) -> tuple[CityId, ...]:
    """The cities whose slots take the terminals."""
    return tuple(
        (hex_id, number)
        for hex_id, printed in map_data(data).hexes.items()
        if any(stop.area == LONDON for stop in printed.face.stops)
        for number, stop in enumerate(printed.face.stops)
        if stop.kind == "city"
    )


def has_terminal(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether the company has its terminal, without which its routes cannot include London (1862/7.4-g)."""
    return any(symbol in map_of(game).tokens.get(city, ()) for city in terminals(data))


def reaches_london(game: Game, data: TitleData, symbol: str) -> bool:
    """Whether some route of the company could end in London (1862/7.6.5-a)."""
    stops = view_of(data, game).reach(symbol).stops
    return any(
        face(data, map_of(game).tiles, hex_id).stops[number].area == LONDON for hex_id, number in stops
    )


def check_terminal(game: Game, data: TitleData, symbol: str) -> None:
    """Refuse a terminal next to track built in the same turn, a second one, and one without a route there."""
    reject_if(bool(track_turn(game).laid), "1862.london_terminal", "1862/7.6.5-c")
    reject_if(has_terminal(game, data, symbol), "1862.london_terminal", "1862/7.6.5-d")
    reject_if(not reaches_london(game, data, symbol), "token_not_connected", "1862/7.6.5-a", LONDON)
