"""Where companies of 1824 begin: their base tokens, and the spaces of cities that are kept for these (VII.8-a, VII.8-g)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.rejections import reject_if
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.board import Tiles, city_slots, face
from services.rules.parts.map.boardview import has_token, home_city
from services.rules.parts.map.commands import PlaceToken
from services.rules.parts.map.events import TokensArranged
from services.rules.parts.map.placing import place_next_token
from services.rules.parts.map.state import CityTokens, map_of, unplaced_tokens
from services.rules.parts.map.stopmap import map_stops
from services.rules.parts.shares.data import shares_data
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1824.companies import NATIONAL, in_play, of_kind
from services.rules.titles.g1824.events import HomeSpaceChanged
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.rulings import plays
from services.rules.titles.g1824.state import State


def pending_homes(game: Game, data: TitleData, hex_id: str, city: int) -> list[str]:
    """Companies whose first token is still to come to this city (VII.8-g)."""
    waiting = []
    for symbol in shares_data(data).homes.get(hex_id, ()):
        home = cards_of(data)[symbol].home
        if home is None or not in_play(game, symbol) or has_token(map_of(game).tokens, symbol):
            continue
        if home_city(data, map_of(game).tiles, hex_id, home.stop) == city:
            waiting.append(symbol)
    return waiting + pending_states(game, data, hex_id, city)


def pending_states(game: Game, data: TitleData, hex_id: str, city: int) -> list[str]:
    """States whose first token is still to come to this city."""
    homes = ((state, state_home(game, data, state)) for state in of_kind(data, NATIONAL))
    tiles = map_of(game).tiles
    return [
        state
        for state, place in homes
        if place and place[0] == hex_id and home_city(data, tiles, *place) == city
    ]


def state_home(game: Game, data: TitleData, state: str) -> tuple[str, int] | None:
    """Where a state none of whose pre-states is in play will place its first token (IV.4.4-h)."""
    if has_token(map_of(game).tokens, state):
        return None
    return _home_without_pre_states(game, data, state)


def _home_without_pre_states(game: Game, data: TitleData, state: str) -> tuple[str, int] | None:
    linked = cards_of(data)[state].linked
    if any(in_play(game, symbol) or companies_of(game)[symbol].bought for symbol in linked):
        return None
    home = cards_of(data)[linked[0]].home
    return (home.hex, home.stop) if home else None


def place_home_token(draft: Draft, data: TitleData, symbol: str) -> None:
    """The base token, free of charge, at the start of the company's first turn (VII.8-a); by ruling that of a state goes to
    the space of its number, which is added where there are fewer."""
    game = draft.game
    if has_token(map_of(game).tokens, symbol) or not unplaced_tokens(game, symbol):
        return
    home = cards_of(data)[symbol].home
    place = (home.hex, home.stop) if home else state_home(game, data, symbol)
    if place is None:
        return
    city = home_city(data, map_of(game).tiles, *place)
    slots = city_slots(data, map_of(game).tiles, map_of(game).tokens, (place[0], city))
    if home is None and _numbered(game):
        slot = _numbered_space(game, symbol, place)
    else:
        kept = _kept_slot(game, data, *place)
        slot = kept if kept < len(slots) and not slots[kept] else slots.index("")
    place_next_token(draft, symbol, (place[0], city), slot, max(len(slots), slot + 1), "home")


def _numbered(game: Game) -> bool:
    return plays(game, "home_spaces", "numbered")


def _numbered_space(game: Game, state: str, home: tuple[str, int]) -> int:
    """The space that the first token of a state takes by ruling: the number of its printed city, moved as cities joined."""
    return State.of(game).home_spaces.get(state, home[1])


def _kept_slot(game: Game, data: TitleData, hex_id: str, stop: int) -> int:
    """The slot of the city printed as `stop` after cities were merged: they follow each other in printed order."""
    city = home_city(data, map_of(game).tiles, hex_id, stop)
    return sum(1 for earlier in range(stop) if home_city(data, map_of(game).tiles, hex_id, earlier) == city)


def _kept_spaces(game: Game, data: TitleData, hex_id: str, city: int) -> set[int]:
    """The spaces of a city, there or by ruling to be added, that base tokens will take."""
    homes = (cards_of(data)[symbol].home for symbol in pending_homes(game, data, hex_id, city))
    kept = {_kept_slot(game, data, hex_id, home.stop) for home in homes if home}
    if _numbered(game):
        places = ((state, state_home(game, data, state)) for state in of_kind(data, NATIONAL))
        waiting = pending_states(game, data, hex_id, city)
        kept |= {_numbered_space(game, state, home) for state, home in places if home and state in waiting}
    return kept


def first_free_slot(game: Game, data: TitleData, command: PlaceToken, slots: tuple[str, ...]) -> int:
    """The first free slot, one that no base token waits for if there is any."""
    kept = _kept_spaces(game, data, command.hex, command.city)
    free = [slot for slot, symbol in enumerate(slots) if not symbol]
    return next((slot for slot in free if slot not in kept), free[0])


def check_not_kept(game: Game, data: TitleData, command: PlaceToken, slots: tuple[str, ...]) -> None:
    """Refuse the last free slot of a city when a base token is still to come there (VII.8-g); by ruling only the slot that
    the base token will take."""
    free = {slot for slot, symbol in enumerate(slots) if not symbol}
    if _numbered(game):
        is_kept = free <= _kept_spaces(game, data, command.hex, command.city)
    else:
        is_kept = len(free) <= len(pending_homes(game, data, command.hex, command.city))
    reject_if(is_kept, "1824.token_reserved", "1824/VII.8-g", command.hex)


def keep_spaces_free(draft: Draft, data: TitleData, hex_id: str, before: Tiles) -> None:
    """By ruling, after a tile: the tokens of its cities leave the spaces kept for base tokens free. Where it joined cities,
    the space kept for a state comes after those of the cities before its own."""
    if not _numbered(draft.game):
        return
    for state in of_kind(data, NATIONAL):
        home = state_home(draft.game, data, state)
        earlier = _spaces_before(draft.game, data, home, before) if home and home[0] == hex_id else 0
        if home and earlier:
            slot = _numbered_space(draft.game, state, home) + earlier
            draft.emit(HomeSpaceChanged(state, slot))
    found = {at: slots for at, slots in map_of(draft.game).tokens.items() if at[0] == hex_id}
    cities = {
        city: _around(slots, _kept_spaces(draft.game, data, hex_id, city))
        for (_, city), slots in found.items()
    }
    if list(cities.values()) != list(found.values()):
        arranged = tuple(CityTokens(city, slots) for city, slots in cities.items())
        draft.emit(TokensArranged(hex_id, arranged))


def _around(slots: tuple[str, ...], kept: set[int]) -> tuple[str, ...]:
    """The tokens of a city in its first spaces that are not kept; spaces are added where they do not suffice."""
    tokens = [symbol for symbol in slots if symbol]
    arranged: list[str] = []
    while tokens or len(arranged) < len(slots):
        arranged.append(tokens.pop(0) if tokens and len(arranged) not in kept else "")
    return tuple(arranged)


def _spaces_before(game: Game, data: TitleData, home: tuple[str, int], before: Tiles) -> int:
    """How many spaces are kept, or were, in the cities of the tile before that now come first in the city of `home`."""
    hex_id, stop = home
    places = map_stops(face(data, before, hex_id), face(data, map_of(game).tiles, hex_id)) or ()
    own = home_city(data, before, hex_id, stop)
    joined = [city for city in range(min(own, len(places))) if places[city] == places[own]]
    printed = (cards_of(data)[symbol].home for symbol in shares_data(data).homes.get(hex_id, ()))
    of_states = (_home_without_pre_states(game, data, state) for state in of_kind(data, NATIONAL))
    stops = [each.stop for each in printed if each]
    stops += [each[1] for each in of_states if each and each[0] == hex_id]
    return sum(home_city(data, before, hex_id, each) in joined for each in stops)
