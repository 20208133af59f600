"""Positions of 1862 taken from the traces of recorded games, as far as runs and trains need them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from services.rules.kernel.game import Game, Round
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import BANK, POOL
from services.rules.parts.map.board import CityId, LaidTile
from services.rules.parts.map.state import MapState
from services.rules.parts.market.state import MarketState
from services.rules.parts.shares.state import Company, SharesState
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.state import TrainsState
from services.rules.titles.g1862.rulings import RULINGS
from services.rules.titles.g1862.state import Charter, ServiceKind, State
from services.rules.titles.g1862.title import TITLE
from tests.recorded.documents import load_trace

RECORDED = ("46925", "p2-s215", "p5-s111", "p8-s128")
# The terminals of London count as further cities of their hexes there.
SHARES = 10
TERMINALS = {"B15": 1, "D15": 1}
KINDS: dict[str, ServiceKind] = {"F": "freight", "L": "local", "E": "express"}
OPTIONS = {"short_length": "short_game", "long_length": "long_game", "eight_tokens": "eight_stations"}

Line = Mapping[str, Any]


def recorded_lines(shared: Path, name: str) -> Sequence[Line]:
    """The trace of a recorded game."""
    return load_trace(shared, f"1862/{name}")


def recorded_steps(shared: Path, name: str) -> tuple[TitleData, Iterator[tuple[Line, Line]]]:
    """The title as it was played and, per action, the lines before and after it."""
    lines = recorded_lines(shared, name)
    options = tuple(OPTIONS[option] for option in lines[0]["setup"].get("optional_rules", ()))
    return TITLE.load(options, {}), pairwise(lines[:-1])


def kind_named(face: str) -> ServiceKind:
    """The kind of a train by its printed name, stars of warranties left aside."""
    return KINDS[face.rstrip("*")[-1]]


def position(data: TitleData, line: Line, actor: str = "") -> Game:
    """The state of a trace line: map, tokens, trains, companies, phase, money, prices and shares, on the peer's rulings."""
    game = Game(title="1862", players=tuple(line["players"]))
    trains = TrainsState.to_write(game)
    trains.phase = line["phase"]
    game.rulings = {ruling.name: ruling.peer for ruling in RULINGS}
    board, market = MapState.to_write(game), MarketState.to_write(game)
    board.tiles = {hex_id: LaidTile(*piece) for hex_id, piece in line.get("tiles", {}).items()}
    tokens: dict[CityId, tuple[str, ...]] = {}
    for where, slots in line.get("slots", {}).items():
        hex_id, _, number = where.partition(":")
        tokens[hex_id, TERMINALS.get(hex_id, int(number))] = tuple(symbol or "" for symbol in slots)
    board.tokens = tokens
    game.priority = str(line["other"]["priority"])
    for player, state in line["players"].items():
        game.cash[player] = state["cash"]
    for symbol, state in line["corporations"].items():
        _write_company(game, data, symbol, state)
    for cell, symbols in line.get("market", {}).items():
        row, column = (int(number) for number in cell.split(","))
        market.cells[row, column] = tuple(symbols)
        market.markers.update(dict.fromkeys(symbols, (row, column)))
    for holder, held in line.get("certificates", {}).items():
        for symbol, numbers in held.items():
            owner = POOL if holder == "market" else holder
            game.holdings[owner, symbol] = tuple(numbers)
    game.round = Round("operating", line["turn"], line["round_num"], 1, (actor,), step=line["step"])
    game.cash[BANK] = line["bank"]
    if line["other"].get("lner"):
        State.to_write(game).monopoly = "LNER"
    for name, kind in train_kinds_of(data).items():
        left = line["depot"]["upcoming"].get(name, 0)
        on_sale = [int(train[2:]) for train in line["depot"]["available"] if train.startswith(f"{name}-")]
        trains.depot_gone[name] = max(on_sale, default=0) if left == "unlimited" else kind.count - left
    return game


def _write_company(game: Game, data: TitleData, symbol: str, state: Line) -> None:
    president = state.get("president")
    director = "" if president in (None, "market") else str(president)
    SharesState.to_write(game).companies[symbol] = Company(
        opened=bool(state.get("floated")), director=director, shares=SHARES, par=state.get("par") or 0
    )
    own = State.to_write(game)
    own.charters[symbol] = Charter(
        offered_from="A", licences=tuple(state.get("permits", ())), chartered=bool(state.get("chartered"))
    )
    game.cash[symbol] = state["cash"]
    names, trains = state.get("trains", []), state.get("train_ids", [])
    if trains:
        TrainsState.to_write(game).owned[symbol] = tuple(trains)
    for name, train in zip(names, trains, strict=True):
        own.train_kinds[train] = kind_named(name)
        if name.endswith("*"):
            own.warranties[train] = name.count("*")
