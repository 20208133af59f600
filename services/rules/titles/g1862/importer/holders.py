"""The part of a trace line of 1862 about players and companies."""

from __future__ import annotations

from services.rules.importer.dialect import Fields, View
from services.rules.importer.trace_holders import held_by, in_percent, percents_of, tokens_on_map
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.auctions.state import auction_of
from services.rules.parts.map.state import unplaced_tokens
from services.rules.parts.market.market import price_of
from services.rules.parts.market.state import market_of
from services.rules.parts.shares.shares import shares_held
from services.rules.parts.shares.state import companies_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.g1862.companies import certificate_count, in_game, is_started
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.importer.names import part_number, train_name
from services.rules.titles.g1862.importer.tracestate import TraceState1862
from services.rules.titles.g1862.state import charter_of, own

POOL_AS_DIRECTOR = "market"


def player_fields(view: View[TraceState1862], game: Game) -> dict[str, Fields]:
    """Every player by id."""
    return {player: _player(view, game, player) for player in game.players}


def _player(view: View[TraceState1862], game: Game, player: str) -> Fields:
    return {
        "cash": game.money(player),
        "shares": percents_of(game, view.data, held_by(view.data, game, player)),
        "certs": certificate_count(game, player),
        "companies": [company for obliged, company in own(game).obligations if obliged == player],
        "value": view.title.player_value(game, view.data, player),
    }


def is_listed(view: View[TraceState1862], game: Game, symbol: str) -> bool:
    """Whether the company was dealt into the game and could be opened as long as any could."""
    return in_game(game, symbol) and symbol not in view.trace_state.gone


def corporation_fields(view: View[TraceState1862], game: Game) -> dict[str, Fields]:
    """Every company in the game by symbol."""
    return {
        symbol: _company(view, game, symbol) for symbol in companies_of(game) if is_listed(view, game, symbol)
    }


def _company(view: View[TraceState1862], game: Game, symbol: str) -> Fields:
    data, state = view.data, companies_of(game)[symbol]
    cell = market_of(game).markers.get(symbol)
    trains = trains_of(game).owned.get(symbol, ())
    charter = _charter(data, game, symbol)
    undirected = is_started(game, symbol) and not state.director
    fields: Fields = {
        "cash": game.money(symbol),
        "price": price_of(game, data, symbol) if cell else None,
        "market_cell": f"{cell[0]},{cell[1]}" if cell else None,
        "par": state.par or None,
        "president": POOL_AS_DIRECTOR if undirected else view.names.maybe(state.director),
        "ipoed": is_started(game, symbol),
        "floated": state.opened,
        "ipo_percent": in_percent(game, symbol, shares_held(game, data, BANK, symbol)),
        "reserved_percent": 0,
        "market_percent": in_percent(game, symbol, shares_held(game, data, POOL, symbol)),
        "treasury_percent": in_percent(game, symbol, shares_held(game, data, symbol, symbol)),
        "trains": [train_name(data, game, train) for train in trains],
        "train_ids": list(trains),
        "tokens_on_map": tokens_on_map(data, game, symbol, part_number),
        "tokens_left": len(charter),
        "token_prices": list(charter),
        "operated": symbol in view.trace_state.operated,
        "chartered": charter_of(game, symbol).chartered or _is_won(game, symbol),
        "permits": list(charter_of(game, symbol).licences),
        "receivership": undirected,
    }
    if symbol in view.trace_state.resting:
        fields["skip"] = True
    return fields


def _charter(data: TitleData, game: Game, symbol: str) -> tuple[int, ...]:
    """A company not yet quoted shows the least it will have: three tokens, two when it is not chartered."""
    state, limits = companies_of(game)[symbol], figures_of(data)
    if state.opened and not any(
        each.kind == "1862.buy_tokens" for each in game.interrupts if each.company == symbol
    ):
        return unplaced_tokens(game, symbol)
    fewer = is_started(game, symbol) and not charter_of(game, symbol).chartered
    return (0,) * (limits.tokens_least if fewer else limits.chartered_tokens)


def _is_won(game: Game, symbol: str) -> bool:
    auction = auction_of(game)
    return auction is not None and auction.won and auction.company == symbol
