"""Laying track and placing tokens in a company's turn of 1824 (VII.6 to VII.8)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.title import Context
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.turnstep import optional_step
from services.rules.parts.map.board import city_slots
from services.rules.parts.map.boardview import has_token, home_city
from services.rules.parts.map.commands import LayTile, PlaceToken
from services.rules.parts.map.placing import (
    TOKEN_PLACED,
    TokenClauses,
    check_connected,
    check_hex_is_new,
    check_slot,
    check_token_cost,
    check_token_left,
    place_next_token,
    token_action,
)
from services.rules.parts.map.state import map_of, track_turn, unplaced_tokens
from services.rules.parts.map.tilelay import UpgradeConnection
from services.rules.parts.map.trackstep import LayTerms, cost_of_terrain, lay_action, one_tile_a_turn
from services.rules.parts.shares.data import shares_data
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1824.companies import NATIONAL, acts, decides, has_director, in_play, of_kind
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import construction_of

LAY_TRACK = "lay_track"
PLACE_TOKEN = "place_token"
TOKEN_CLAUSES = TokenClauses(
    none_left="1824/VII.8-b",
    again="1824/VII.8-b",
    in_hex="1824/VII.8-e",
    slot_taken="1824/VII.8-b",
    not_connected="1824/VII.8-f",
    too_dear="1824/VII.8-c",
)


def _upgrade_connection(game: Game) -> UpgradeConnection:
    more = plays(game, "upgrade_connection", "new_track_or_value")
    return "new_track_or_value" if more else "least_restrictive"


def _lay_cost(game: Game, data: TitleData, hex_id: str) -> int:
    """What the company at turn pays for the first tile on a hex: a construction company nothing (X.3-b)."""
    return 0 if game.actor in construction_of(game) else cost_of_terrain(game, data, hex_id)


def pending_homes(game: Game, data: TitleData, hex_id: str, city: int) -> list[str]:
    """Companies whose first token is still to come to this city (VII.8-g)."""
    waiting = []
    for symbol in shares_data(data).homes.get(hex_id, ()):
        home = cards_of(data)[symbol].home
        if home is None or not in_play(game, symbol) or has_token(map_of(game).tokens, symbol):
            continue
        if home_city(data, map_of(game).tiles, hex_id, home.stop) == city:
            waiting.append(symbol)
    for state in of_kind(data, NATIONAL):
        place = state_home(game, data, state)
        if place and place[0] == hex_id and home_city(data, map_of(game).tiles, *place) == city:
            waiting.append(state)
    return waiting


def state_home(game: Game, data: TitleData, state: str) -> tuple[str, int] | None:
    """Where a state none of whose pre-states is in play will place its first token (IV.4.4-h)."""
    linked = cards_of(data)[state].linked
    if has_token(map_of(game).tokens, state) or any(in_play(game, symbol) for symbol in linked):
        return None
    if any(companies_of(game)[symbol].bought for symbol in linked):
        return None
    home = cards_of(data)[linked[0]].home
    return (home.hex, home.stop) if home else None


def place_home_token(draft: Draft, data: TitleData, symbol: str) -> None:
    """The base token, free of charge, at the start of the company's first turn (VII.8-a)."""
    game = draft.game
    if has_token(map_of(game).tokens, symbol) or not unplaced_tokens(game, symbol):
        return
    home = cards_of(data)[symbol].home
    place = (home.hex, home.stop) if home else state_home(game, data, symbol)
    if place is None:
        return
    city = home_city(data, map_of(game).tiles, *place)
    slots = city_slots(data, map_of(game).tiles, map_of(game).tokens, (place[0], city))
    kept = _kept_slot(game, data, *place)
    slot = kept if kept < len(slots) and not slots[kept] else slots.index("")
    place_next_token(draft, symbol, (place[0], city), slot, len(slots), "home")


def _kept_slot(game: Game, data: TitleData, hex_id: str, stop: int) -> int:
    """The slot of the city printed as `stop` after cities were merged: they follow each other in printed order."""
    city = home_city(data, map_of(game).tiles, hex_id, stop)
    return sum(1 for earlier in range(stop) if home_city(data, map_of(game).tiles, hex_id, earlier) == city)


def first_free_slot(game: Game, data: TitleData, command: PlaceToken, slots: tuple[str, ...]) -> int:
    """The first free slot, one that no base token waits for if there is any."""
    homes = (cards_of(data)[symbol].home for symbol in pending_homes(game, data, command.hex, command.city))
    kept = {_kept_slot(game, data, command.hex, home.stop) for home in homes if home}
    free = [slot for slot, symbol in enumerate(slots) if not symbol]
    return next((slot for slot in free if slot not in kept), free[0])


def check_not_kept(game: Game, data: TitleData, command: PlaceToken, slots: tuple[str, ...]) -> None:
    """Refuse the last free slot of a city when a base token is still to come there (VII.8-g)."""
    kept = len(pending_homes(game, data, command.hex, command.city))
    reject_if(slots.count("") <= kept, "1824.token_reserved", "1824/VII.8-g", command.hex)


def _check_token(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    data = context.data
    check_token_left(game, data, command, TOKEN_CLAUSES)
    check_hex_is_new(game, command, TOKEN_CLAUSES)
    slots = check_slot(game, data, command, TOKEN_CLAUSES.slot_taken)
    check_not_kept(game, data, command, slots)
    check_connected(game, data, command, TOKEN_CLAUSES)
    check_token_cost(game, command, TOKEN_CLAUSES)


def may_place_token(game: Game, context: Context) -> bool:
    """Whether there is any city where the company could place a token now."""
    charter = unplaced_tokens(game, game.actor)
    if not charter or TOKEN_PLACED in game.turn.actions or charter[0] > game.money(game.actor):
        return False
    return _PLACE.is_open(game, context, "")


_PLACE = token_action(_check_token, free_slot=first_free_slot)


def _may_lay(game: Game, context: Context) -> bool:
    return has_director(game) and not track_turn(game).laid


def _is_asked_for_token(game: Game, context: Context) -> bool:
    """Whether the company could place a token; one without a director by ruling, but not in the turn in which its
    home token was set."""
    linked = cards_of(context.data)[game.actor].linked
    inherited = any(companies_of(game)[symbol].bought for symbol in linked)
    settled = has_director(game) or companies_of(game)[game.actor].operated or inherited
    return settled and acts(game) and may_place_token(game, context)


LAY_TERMS = LayTerms(
    one_tile_a_turn("1824/VII.5-c"), _upgrade_connection, too_dear="1824/VII.6-l", cost=_lay_cost
)
LAY = optional_step(LAY_TRACK, {LayTile: lay_action(LAY_TERMS)}, decides, _may_lay)
PLACE = optional_step(PLACE_TOKEN, {PlaceToken: _PLACE}, decides, _is_asked_for_token)
