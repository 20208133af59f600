"""The part of a trace line of 1824 about players and companies: money, certificates, prices, trains, tokens."""

from __future__ import annotations

from services.rules.importer.dialect import Fields, View
from services.rules.importer.trace_holders import held_by, percent_of, percents_of, tokens_on_map
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.values import kind_name
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.market.market import price_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1824.figures import cards_of
from services.rules.titles.g1824.holderlist import last_director
from services.rules.titles.g1824.importer.names import (
    BOND,
    CONSTRUCTION,
    MOUNTAIN,
    SHARE_COMPANIES,
    TYPE_NAMES,
    part_number,
)
from services.rules.titles.g1824.importer.tracestate import TraceState1824
from services.rules.titles.g1824.state import bond_of, construction_of, reserved_of


def player_fields(view: View[TraceState1824], game: Game) -> dict[str, Fields]:
    """Every player by id."""
    return {player: _player(view, game, player) for player in game.players}


def has_certificates(view: View[TraceState1824], game: Game, company: str) -> bool:
    """Whether a company is divided into certificates: mountain companies are not."""
    return cards_of(view.data)[company].kind != MOUNTAIN


def _player(view: View[TraceState1824], game: Game, player: str) -> Fields:
    data = view.data
    held = held_by(data, game, player, (MOUNTAIN,))
    mountains = owned_mountains(data, game, player)
    fields: Fields = {
        "cash": game.money(player),
        "shares": percents_of(game, data, held),
        "certs": sum(len(numbers) for _, numbers in held) + len(mountains),
        "companies": mountains,
        "value": view.title.player_value(game, data, player),
    }
    if player in game.debts:
        fields["debt"] = game.debts[player]
    return fields


def mountains_in_play(data: TitleData, game: Game) -> dict[str, str]:
    """Every mountain company in the game with its owner, `bank` while unsold."""
    found = (
        (symbol, companies_of(game).get(symbol))
        for symbol, card in cards_of(data).items()
        if card.kind == MOUNTAIN
    )
    return {symbol: state.director or BANK for symbol, state in found if state and not state.closed}


def owned_mountains(data: TitleData, game: Game, player: str) -> list[str]:
    """The mountain companies of a player, in the order in which he got them."""
    owned = {symbol for symbol, owner in mountains_in_play(data, game).items() if owner == player}
    return [symbol for holder, symbol in game.holdings if holder == player and symbol in owned]


def corporation_fields(view: View[TraceState1824], game: Game) -> dict[str, Fields]:
    """Regional and state railways by symbol."""
    symbols = [symbol for symbol, card in cards_of(view.data).items() if card.kind in SHARE_COMPANIES]
    return {symbol: _share_company(view, game, symbol) for symbol in symbols}


def _share_company(view: View[TraceState1824], game: Game, symbol: str) -> Fields:
    data = view.data
    state = companies_of(game)[symbol]
    cell = market_of(game).markers.get(symbol)
    national = cards_of(data)[symbol].kind == "national"
    price = price_of(game, data, symbol) if cell else None
    return _common(view, game, symbol) | {
        "price": price,
        "market_cell": f"{cell[0]},{cell[1]}" if cell else None,
        "par": state.par or None,
        "ipoed": cell is not None,
        "floated": state.opened,
        "ipo_percent": percent_of(game, data, symbol, game.held(BANK, symbol)),
        "reserved_percent": percent_of(game, data, symbol, reserved_of(game, symbol)),
        "floatable": state.opened if national else not reserved_of(game, symbol),
        "receivership": state.opened and not state.director,
    }


def minor_fields(view: View[TraceState1824], game: Game) -> dict[str, Fields]:
    """Coal and pre-state railways in the game by symbol."""
    minors = [symbol for symbol, card in cards_of(view.data).items() if TYPE_NAMES.get(card.kind) == "minor"]
    in_play = [
        symbol for symbol in minors if symbol in companies_of(game) and not companies_of(game)[symbol].closed
    ]
    return {symbol: _minor(view, game, symbol) for symbol in in_play}


def _minor(view: View[TraceState1824], game: Game, symbol: str) -> Fields:
    state = companies_of(game)[symbol]
    unsold = 0 if state.bought else 100
    fields = _common(view, game, symbol) | {
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
    if state.bought and cards_of(view.data)[symbol].kind == "coal":
        fields["coal_price"] = state.price_paid
    return fields


def _common(view: View[TraceState1824], game: Game, symbol: str) -> Fields:
    data = view.data
    trains = trains_of(game).owned.get(symbol, ())
    charter = own_tokens(data, game, symbol)
    return {
        "cash": game.money(symbol),
        "president": view.names.maybe(last_director(game, symbol)),
        "market_percent": percent_of(game, data, symbol, game.held(POOL, symbol)),
        "treasury_percent": 0,
        "trains": [kind_name(train) for train in trains],
        "train_ids": list(trains),
        "tokens_on_map": tokens_on_map(data, game, symbol, part_number),
        "tokens_left": len(charter),
        "token_prices": list(charter),
        "operated": symbol in view.trace_state.operated,
        "type": _type_name(game, data, symbol),
    }


def _type_name(game: Game, data: TitleData, symbol: str) -> str:
    """A company becomes one of construction, or without director, when it is bought."""
    if symbol == bond_of(game):
        return BOND
    builds = symbol in construction_of(game) and companies_of(game)[symbol].bought
    return CONSTRUCTION if builds else TYPE_NAMES[cards_of(data)[symbol].kind]


def own_tokens(data: TitleData, game: Game, symbol: str) -> tuple[int, ...]:
    """The charter without the tokens that a state yet to form will take over from its pre-states."""
    state, card = companies_of(game)[symbol], cards_of(data)[symbol]
    if card.kind != "national" or state.opened:
        return unplaced_tokens(game, symbol)
    builders = construction_of(game)
    return card.tokens[sum(each in builders or not companies_of(game)[each].closed for each in card.linked) :]
