"""Mines of 1865: where companies have tokens in them, and the district in which a company may use one alone (5.3)."""

from __future__ import annotations

from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, face, token_cities
from services.rules.parts.map.state import map_of
from services.rules.titles.g1865.figures import figures_of

MINE = "mine"


def is_mine(game: Game, data: TitleData, city: CityId) -> bool:
    """Whether this stop is a mine."""
    return face(data, map_of(game).tiles, city[0]).stops[city[1]].kind == MINE


def has_mine(game: Game, data: TitleData, hex_id: str) -> bool:
    """Whether there is a mine in the hex."""
    return any(stop.kind == MINE for stop in face(data, map_of(game).tiles, hex_id).stops)


def mines_with_tokens(game: Game, data: TitleData) -> tuple[CityId, ...]:
    """The mines in which any company has a token, by hex."""
    held = (city for city, slots in map_of(game).tokens.items() if any(slots))
    return tuple(sorted(city for city in held if is_mine(game, data, city)))


def mines_of(game: Game, data: TitleData, company: str) -> tuple[CityId, ...]:
    """The mines in which the company has a token, by hex."""
    held = token_cities(map_of(game).tokens, company)
    return tuple(sorted(city for city in held if is_mine(game, data, city)))


def has_too_many(data: TitleData, hexes: set[str]) -> bool:
    """Whether tokens in these hexes are more than a company may have in the mines of the district (5.3-d)."""
    figures = figures_of(data)
    return len(hexes.intersection(figures.district)) > figures.mines_of_district_most
