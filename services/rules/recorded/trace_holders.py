"""The part of a trace line about players and companies: money, certificates, prices, trains, tokens."""

from __future__ import annotations

from typing import Any

from services.rules.domain import events as e
from services.rules.domain.depot import kind_name
from services.rules.domain.game import Game
from services.rules.domain.market import price_of
from services.rules.domain.shares import percent_of
from services.rules.domain.title import Title
from services.rules.domain.titledata import TitleData
from services.rules.recorded.names import TYPE_NAMES, Names, city_count, part_number

Fields = dict[str, Any]
MOUNTAIN = "mountain"


def player_fields(title: Title, data: TitleData, game: Game, names: Names) -> dict[str, Fields]:
    """Every player by id."""
    return {player: _player(title, data, game, player) for player in game.players}


def _player(title: Title, data: TitleData, game: Game, player: str) -> Fields:
    held = [
        (company, numbers)
        for (holder, company), numbers in game.holdings.items()
        if holder == player and numbers and data.companies[company].kind != MOUNTAIN
    ]
    mountains = owned_mountains(data, game, player)
    fields: Fields = {
        "cash": game.money(player),
        "shares": {company: percent_of(data, company, numbers) for company, numbers in held},
        "certs": sum(len(numbers) for _, numbers in held) + len(mountains),
        "companies": mountains,
        "value": title.player_value(game, data, player),
    }
    if player in game.debts:
        fields["debt"] = game.debts[player]
    return fields


def mountains_in_play(data: TitleData, game: Game) -> dict[str, str]:
    """Every mountain company in the game with its owner, `bank` while unsold."""
    found = (
        (symbol, game.companies.get(symbol))
        for symbol, card in data.companies.items()
        if card.kind == MOUNTAIN
    )
    return {symbol: state.director or e.BANK for symbol, state in found if state and not state.closed}


def owned_mountains(data: TitleData, game: Game, player: str) -> list[str]:
    """The mountain companies of a player."""
    return [symbol for symbol, owner in mountains_in_play(data, game).items() if owner == player]


def corporation_fields(data: TitleData, game: Game, names: Names, operated: set[str]) -> dict[str, Fields]:
    """Regional and state railways by symbol."""
    kinds = ("regional", "national")
    symbols = [symbol for symbol, card in data.companies.items() if card.kind in kinds]
    return {symbol: _share_company(data, game, symbol, names, operated) for symbol in symbols}


def _share_company(data: TitleData, game: Game, symbol: str, names: Names, operated: set[str]) -> Fields:
    state = game.companies[symbol]
    cell = game.markers.get(symbol)
    national = data.companies[symbol].kind == "national"
    price = price_of(game, data, symbol) if cell else None
    return _common(data, game, symbol, names, operated) | {
        "price": price,
        "market_cell": f"{cell[0]},{cell[1]}" if cell else None,
        "par": state.par or None,
        "ipoed": cell is not None,
        "floated": state.opened,
        "ipo_percent": percent_of(data, symbol, game.held(e.BANK, symbol)),
        "reserved_percent": percent_of(data, symbol, state.reserved),
        "floatable": state.opened if national else not state.reserved,
        "receivership": state.opened and not state.director,
    }


def minor_fields(data: TitleData, game: Game, names: Names, operated: set[str]) -> dict[str, Fields]:
    """Coal and pre-state railways in the game by symbol."""
    minors = [symbol for symbol, card in data.companies.items() if TYPE_NAMES.get(card.kind) == "minor"]
    in_play = [symbol for symbol in minors if symbol in game.companies and not game.companies[symbol].closed]
    return {symbol: _minor(data, game, symbol, names, operated) for symbol in in_play}


def _minor(data: TitleData, game: Game, symbol: str, names: Names, operated: set[str]) -> Fields:
    state = game.companies[symbol]
    unsold = 0 if state.bought else 100
    fields = _common(data, game, symbol, names, operated) | {
        "price": None,
        "market_cell": None,
        "par": None,
        "ipoed": state.bought,
        "floated": state.bought,
        "ipo_percent": unsold,
        "reserved_percent": unsold,
        "floatable": True,
        "receivership": False,
    }
    if state.bought and data.companies[symbol].kind == "coal":
        fields["coal_price"] = state.price_paid
    return fields


def _common(data: TitleData, game: Game, symbol: str, names: Names, operated: set[str]) -> Fields:
    state = game.companies[symbol]
    trains = game.trains.get(symbol, ())
    charter = own_tokens(data, game, symbol)
    return {
        "cash": game.money(symbol),
        "president": names.maybe(state.director),
        "market_percent": 0,
        "treasury_percent": 0,
        "trains": [kind_name(train) for train in trains],
        "train_ids": list(trains),
        "tokens_on_map": tokens_on_map(data, game, symbol),
        "tokens_left": len(charter),
        "token_prices": list(charter),
        "operated": symbol in operated,
        "type": TYPE_NAMES[data.companies[symbol].kind],
    }


def own_tokens(data: TitleData, game: Game, symbol: str) -> tuple[int, ...]:
    """The charter without the tokens that a state yet to form will take over from its pre-states."""
    state, card = game.companies[symbol], data.companies[symbol]
    if card.kind != "national" or state.opened:
        return state.charter
    return card.tokens[sum(not game.companies[linked].closed for linked in card.linked) :]


def tokens_on_map(data: TitleData, game: Game, symbol: str) -> list[str]:
    """`HEX`, or `HEX:part` where the hex shows several cities, in the order of the spelling."""
    cities = [city for city, slots in game.tokens.items() if symbol in slots]
    return sorted(
        f"{hex_id}:{part_number(data, game, hex_id, stop)}" if city_count(data, game, hex_id) > 1 else hex_id
        for hex_id, stop in cities
    )


def certificate_fields(data: TitleData, game: Game) -> dict[str, dict[str, list[int]]]:
    """Certificate numbers by holder; what the bank has of a company stands under the company's own name."""
    found: dict[str, dict[str, list[int]]] = {}
    for (holder, company), numbers in game.holdings.items():
        if numbers and data.companies[company].kind != MOUNTAIN:
            found.setdefault(company if holder == e.BANK else holder, {})[company] = sorted(numbers)
    return found
