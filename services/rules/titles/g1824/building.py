"""Laying track and placing tokens in a company's turn of 1824 (VII.6 to VII.8)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.domain import events as e
from services.rules.domain.board import city_slots, face, terrain_cost, token_cities
from services.rules.domain.boardview import has_token, home_city, view_of
from services.rules.domain.choice import Choice
from services.rules.domain.commands import LayTile, Pass, PlaceToken
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.laying import allowed_lay, lay_of, record_lay
from services.rules.domain.passing import PASS
from services.rules.domain.rejections import refuse_if
from services.rules.domain.tilelay import AllowedLay, Position, legal_tiles
from services.rules.domain.title import Action, Context, Step
from services.rules.domain.titledata import TitleData
from services.rules.titles.g1824.companies import NATIONAL, decider, in_play, of_kind

LAY_TRACK = "lay_track"
PLACE_TOKEN = "place_token"


def decides(game: Game, context: Context) -> tuple[str, ...]:
    """The player who decides for the company at turn."""
    return (decider(game, game.actor),)


def _position(game: Game, data: TitleData) -> Position:
    view = view_of(data, game)
    return Position(
        title=data,
        tiles=game.tiles,
        tokens=game.tokens,
        track=view.track,
        company=game.actor,
        phase=game.phase,
        found=view.reach(game.actor),
        upgrade_connection="new_track_or_value"
        if game.rulings["upgrade_connection"] == "new_track_or_value"
        else "least_restrictive",
    )


def _allowed(game: Game, data: TitleData, command: LayTile) -> AllowedLay:
    return allowed_lay(view_of(data, game), _position(game, data), lay_of(command))


def _check_lay(game: Game, context: Context, player: str, command: LayTile) -> None:
    refuse_if(command.company != game.actor, "not_your_turn", detail=command.company)
    refuse_if(bool(game.turn.laid), "tile_already_laid", "1824/VII.5-c")
    _allowed(game, context.data, command)
    cost = terrain_cost(context.data, game.tiles, command.hex)
    refuse_if(cost > game.money(game.actor), "not_enough_cash", "1824/VII.6-l", str(cost))


def _perform_lay(draft: Draft, context: Context, player: str, command: LayTile) -> None:
    data, game = context.data, draft.game
    outcome = _allowed(game, data, command)
    draft.pay(command.company, e.BANK, terrain_cost(data, game.tiles, command.hex), "tile_cost", command.hex)
    record_lay(draft, data, command.company, command.hex, outcome)


def _lay_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    data = context.data
    for lay in legal_tiles(_position(game, data)):
        cost = terrain_cost(data, game.tiles, lay.hex)
        yield Choice(player, LayTile(game.actor, lay.hex, lay.tile, lay.rotation), cost=cost)


def pending_homes(game: Game, data: TitleData, hex_id: str, city: int) -> list[str]:
    """Companies whose first token is still to come to this city (VII.8-g)."""
    waiting = []
    for symbol in data.homes.get(hex_id, ()):
        home = data.companies[symbol].home
        if home is None or not in_play(game, symbol) or has_token(game.tokens, symbol):
            continue
        if home_city(data, game.tiles, hex_id, home.stop) == city:
            waiting.append(symbol)
    for state in of_kind(data, NATIONAL):
        place = state_home(game, data, state)
        if place and place[0] == hex_id and home_city(data, game.tiles, *place) == city:
            waiting.append(state)
    return waiting


def state_home(game: Game, data: TitleData, state: str) -> tuple[str, int] | None:
    """Where a state none of whose pre-states is in play will place its first token (IV.4.4-h)."""
    linked = data.companies[state].linked
    if has_token(game.tokens, state) or any(in_play(game, symbol) for symbol in linked):
        return None
    if any(game.companies[symbol].bought for symbol in linked):
        return None
    home = data.companies[linked[0]].home
    return (home.hex, home.stop) if home else None


def place_home_token(draft: Draft, data: TitleData, symbol: str) -> None:
    """The base token, free of charge, at the start of the company's first turn (VII.8-a)."""
    game = draft.game
    if has_token(game.tokens, symbol) or not game.companies[symbol].charter:
        return
    home = data.companies[symbol].home
    place = (home.hex, home.stop) if home else state_home(game, data, symbol)
    if place is None:
        return
    city = home_city(data, game.tiles, *place)
    slots = city_slots(data, game.tiles, game.tokens, (place[0], city))
    kept = _kept_slot(game, data, *place)
    slot = kept if kept < len(slots) and not slots[kept] else slots.index("")
    cost = game.companies[symbol].charter[0]
    draft.emit(e.TokenPlaced(symbol, place[0], city, slot, cost, "home", len(slots)))


def _kept_slot(game: Game, data: TitleData, hex_id: str, stop: int) -> int:
    """The slot of the city printed as `stop` after cities were merged: they follow each other in printed order."""
    city = home_city(data, game.tiles, hex_id, stop)
    return sum(1 for earlier in range(stop) if home_city(data, game.tiles, hex_id, earlier) == city)


def _first_free_slot(game: Game, data: TitleData, hex_id: str, city: int, slots: tuple[str, ...]) -> int:
    """The first free slot, one that no base token waits for if there is any."""
    homes = (data.companies[symbol].home for symbol in pending_homes(game, data, hex_id, city))
    kept = {_kept_slot(game, data, hex_id, home.stop) for home in homes if home}
    free = [slot for slot, symbol in enumerate(slots) if not symbol]
    return next((slot for slot in free if slot not in kept), free[0])


def _check_token(game: Game, context: Context, player: str, command: PlaceToken) -> None:
    data, company = context.data, game.actor
    refuse_if(command.company != company, "not_your_turn", detail=command.company)
    refuse_if(command.hex not in data.hexes, "unknown_hex", detail=command.hex)
    stops = face(data, game.tiles, command.hex).stops
    is_city = 0 <= command.city < len(stops) and stops[command.city].kind == "city"
    refuse_if(not is_city or command.slot >= stops[command.city].slots, "unknown_city", detail=command.hex)
    charter = game.companies[company].charter
    refuse_if(not charter or bool(game.turn.tokened), "no_token_left", "1824/VII.8-b")
    standing = any(hex_id == command.hex for hex_id, _ in token_cities(game.tokens, company))
    refuse_if(standing, "token_twice", "1824/VII.8-e", command.hex)
    slots = city_slots(data, game.tiles, game.tokens, (command.hex, command.city))
    taken = "" not in slots if command.slot < 0 else slots[command.slot] != ""
    refuse_if(taken, "token_slot_taken", "1824/VII.8-b", command.hex)
    kept = len(pending_homes(game, data, command.hex, command.city))
    refuse_if(slots.count("") <= kept, "token_reserved", "1824/VII.8-g", command.hex)
    connected = (command.hex, command.city) in view_of(data, game).reach(company).stops
    refuse_if(not connected, "token_not_connected", "1824/VII.8-f", command.hex)
    refuse_if(charter[0] > game.money(company), "not_enough_cash", "1824/VII.8-c", str(charter[0]))


def _perform_token(draft: Draft, context: Context, player: str, command: PlaceToken) -> None:
    game = draft.game
    slots = city_slots(context.data, game.tiles, game.tokens, (command.hex, command.city))
    free = _first_free_slot(game, context.data, command.hex, command.city, slots)
    slot = command.slot if command.slot >= 0 else free
    cost = game.companies[command.company].charter[0]
    draft.pay(command.company, e.BANK, cost, "token_cost", command.hex)
    draft.emit(e.TokenPlaced(command.company, command.hex, command.city, slot, cost, "bought", len(slots)))


def token_candidates(game: Game, context: Context, player: str) -> Iterator[Choice]:
    """Every city the company is connected to."""
    charter = game.companies[game.actor].charter
    if charter:
        for hex_id, city in sorted(view_of(context.data, game).reach(game.actor).stops):
            if face(context.data, game.tiles, hex_id).stops[city].kind == "city":
                yield Choice(player, PlaceToken(game.actor, hex_id, city), cost=charter[0])


def may_place_token(game: Game, context: Context) -> bool:
    """Whether there is any city where the company could place a token now."""
    charter = game.companies[game.actor].charter
    if not charter or game.turn.tokened or charter[0] > game.money(game.actor):
        return False
    return _PLACE.is_open(game, context, "")


_PLACE = Action(_check_token, _perform_token, token_candidates)
LAY_STEP = Step(LAY_TRACK, {LayTile: Action(_check_lay, _perform_lay, _lay_candidates), Pass: PASS}, decides)
TOKEN_STEP = Step(PLACE_TOKEN, {PlaceToken: _PLACE, Pass: PASS}, decides)
