"""Writes down the map and what trains do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from services.rules.domain import events as e
from services.rules.domain.board import LaidTile
from services.rules.domain.evolve_base import company_of
from services.rules.domain.game import Game


def _tile_laid(game: Game, event: e.TileLaid) -> None:
    if event.station:
        game.beneath.setdefault(event.hex, game.tiles[event.hex])
    else:
        game.beneath.pop(event.hex, None)
    game.tiles = {**game.tiles, event.hex: LaidTile(event.tile, event.rotation, event.copy)}
    turn = game.turn
    game.turn = replace(turn, laid=(*turn.laid, event.hex), upgraded=turn.upgraded or event.upgrade)


def _tokens_arranged(game: Game, event: e.TokensArranged) -> None:
    tokens = {key: slots for key, slots in game.tokens.items() if key[0] != event.hex}
    tokens.update(((event.hex, city.city), city.slots) for city in event.cities)
    game.tokens = tokens


def _set_slot(game: Game, hex_id: str, city: int, slot: int, symbol: str, spaces: int = 0) -> None:
    slots = list(game.tokens.get((hex_id, city)) or ("",) * spaces)
    slots[slot] = symbol
    game.tokens = {**game.tokens, (hex_id, city): tuple(slots)}


def _token_placed(game: Game, event: e.TokenPlaced) -> None:
    _set_slot(game, event.hex, event.city, event.slot, event.company, event.slots)
    company = company_of(game, event.company)
    charter = list(company.charter)
    if event.charter_cost in charter:
        charter.remove(event.charter_cost)
    game.companies[event.company] = replace(company, charter=tuple(charter))
    game.placements = (*game.placements, (event.hex, event.company))
    if event.reason == "bought":
        game.turn = replace(game.turn, tokened=event.hex)


def _token_replaced(game: Game, event: e.TokenReplaced) -> None:
    _set_slot(game, event.hex, event.city, event.slot, event.successor)
    standing = list(game.placements)
    placed = (event.hex, event.company)
    if placed in standing:
        after = [(event.hex, event.successor)] if event.successor else []
        standing[standing.index(placed) : standing.index(placed) + 1] = after
    game.placements = tuple(standing)


def _charter_tokens_set(game: Game, event: e.CharterTokensSet) -> None:
    game.companies[event.company] = replace(company_of(game, event.company), charter=event.costs)


def _train_moved(game: Game, event: e.TrainMoved) -> None:
    if event.source == e.BANK:
        name = event.train.rsplit("-", 1)[0]
        game.depot_gone[name] = game.depot_gone.get(name, 0) + 1
        if event.reason == "bought":
            game.depot_sold = game.depot_sold | {name}
    else:
        left = tuple(train for train in game.trains.get(event.source, ()) if train != event.train)
        game.trains[event.source] = left
        if event.reason == "removed":
            game.abandoned[event.train] = event.source
    if event.target:
        game.trains[event.target] = (*game.trains.get(event.target, ()), event.train)
        game.abandoned.pop(event.train, None)
    elif event.reason != "removed":
        game.warranties.pop(event.train, None)
    if event.reason == "traded_in":
        game.turn = replace(game.turn, traded_in=event.train)


def _trains_ran(game: Game, event: e.TrainsRan) -> None:
    game.last_runs[event.company] = event.runs
    game.turn = replace(game.turn, ran=True, revenue=event.revenue, treasury_income=event.treasury_income)


def _revenue_corrected(game: Game, event: e.RevenueCorrected) -> None:
    game.turn = replace(game.turn, revenue=event.revenue, treasury_income=event.treasury_income)


def _licences_set(game: Game, event: e.LicencesSet) -> None:
    game.companies[event.company] = replace(company_of(game, event.company), licences=event.licences)


def _train_kind_chosen(game: Game, event: e.TrainKindChosen) -> None:
    game.train_kinds[event.train] = event.kind


def _warranties_set(game: Game, event: e.WarrantiesSet) -> None:
    if event.count:
        game.warranties[event.train] = event.count
    else:
        game.warranties.pop(event.train, None)


WRITERS: dict[type[e.Event], Callable[[Game, Any], None]] = {
    e.TileLaid: _tile_laid,
    e.TokensArranged: _tokens_arranged,
    e.TokenPlaced: _token_placed,
    e.TokenReplaced: _token_replaced,
    e.CharterTokensSet: _charter_tokens_set,
    e.TrainMoved: _train_moved,
    e.TrainsRan: _trains_ran,
    e.RevenueCorrected: _revenue_corrected,
    e.LicencesSet: _licences_set,
    e.TrainKindChosen: _train_kind_chosen,
    e.WarrantiesSet: _warranties_set,
}
