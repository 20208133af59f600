"""Tokens from a company's charter to the map."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import ActionTaken
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import CityId, face
from services.rules.parts.map.boardview import view_of
from services.rules.parts.map.commands import PlaceToken
from services.rules.parts.map.data import map_data
from services.rules.parts.map.events import CharterTokensSet, TokenPlaced
from services.rules.parts.map.state import map_of, unplaced_tokens

TOKEN_PLACED = "token_placed"


def check_city(game: Game, data: TitleData, command: PlaceToken) -> None:
    """Reject a hex, city or slot that does not exist."""
    reject_if(command.hex not in map_data(data).hexes, "unknown_hex", detail=command.hex)
    stops = face(data, map_of(game).tiles, command.hex).stops
    is_city = 0 <= command.city < len(stops) and stops[command.city].kind == "city"
    reject_if(not is_city or command.slot >= stops[command.city].slots, "unknown_city", detail=command.hex)


def reached_cities(game: Game, data: TitleData, company: str) -> Iterator[CityId]:
    """Every city that a token of `company` is connected to, by hex."""
    view = view_of(data, game)
    for hex_id, city in sorted(view.reach(company).stops):
        if face(data, view.tiles, hex_id).stops[city].kind == "city":
            yield hex_id, city


def place_next_token(draft: Draft, company: str, city: CityId, slot: int, slots: int, reason: str) -> None:
    """The cheapest token of the charter goes to `slot` of a city with `slots` spaces."""
    left = unplaced_tokens(draft.game, company)[1:]
    draft.emit(TokenPlaced(company, *city, slot, reason, slots))
    draft.emit(CharterTokensSet(company, left))


def place_bought_token(draft: Draft, company: str, city: CityId, slot: int, slots: int) -> None:
    """The same, as the one token that a company places in its turn."""
    place_next_token(draft, company, city, slot, slots, "bought")
    draft.emit(ActionTaken(TOKEN_PLACED))
