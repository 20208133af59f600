"""Games of 1862 to draw, put together from the state that a trace recorded after one of its actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from services.rules.kernel.game import Game, Round
from services.rules.kernel.titledata import TitleData
from services.rules.kernel.vocabulary import POOL
from services.rules.parts.map.board import LaidTile
from services.rules.parts.map.state import MapState
from services.rules.parts.market.state import MarketState
from services.rules.parts.shares.data import cards_of
from services.rules.parts.shares.state import Company, SharesState
from services.rules.parts.trains.data import train_kinds_of
from services.rules.parts.trains.state import TrainsState
from services.rules.titles.g1862.figures import kind_of
from services.rules.titles.g1862.state import Charter, ServiceKind, State
from services.rules.titles.g1862.title import TITLE
from tests.recorded.documents import load_trace

ROUNDS = {"PAR": "1862.parliamentary", "SR": "stock", "OR": "operating"}
SHARES = 10
SERVICES: tuple[ServiceKind, ...] = ("freight", "local", "express")


def traced(shared: Path, name: str, share: float = 1.0) -> tuple[TitleData, Game]:
    """A recorded game of 1862 after a share of its actions."""
    lines = load_trace(shared, f"1862/{name}")
    states = [line for line in lines if "players" in line]
    data = TITLE.load((), {})
    return data, game_of(data, states[0]["setup"], states[round((len(states) - 1) * share)])


def begun() -> tuple[TitleData, Game]:
    """1862 before anything was laid, all companies still to come."""
    data = TITLE.load((), {})
    charters = {symbol: Charter(offered_from="A") for symbol in cards_of(data)}
    players = ("ann", "bob", "cy")
    cash = {"bank": 12_600, "ann": 800, "bob": 800, "cy": 800}
    parts = {
        "1862": State(charters=charters),
        "shares": SharesState(companies={symbol: Company(shares=SHARES) for symbol in cards_of(data)}),
        "trains": TrainsState(phase="A"),
    }
    return data, Game(title="1862", players=players, cash=cash, priority="ann", parts=parts)


def game_of(data: TitleData, setup: dict[str, Any], state: dict[str, Any]) -> Game:
    """What a recorded state shows of a game."""
    cash = {symbol: each["cash"] for symbol, each in (state["corporations"] | state["players"]).items()}
    cells = {_pair(cell): tuple(symbols) for cell, symbols in state["market"].items()}
    markers = {symbol: cell for cell, symbols in cells.items() for symbol in symbols}
    companies = {
        symbol: each for symbol, each in state["corporations"].items() if symbol in setup["starting_phase"]
    }
    return Game(
        title="1862",
        sequence=state["n"],
        players=tuple(map(str, setup["players"])),
        cash={"bank": state["bank"], **cash},
        holdings={
            (POOL if holder == "market" else holder, symbol): tuple(numbers)
            for holder, stock in state["certificates"].items()
            for symbol, numbers in stock.items()
        },
        priority=str(state["other"].get("priority") or ""),
        round=_round(state),
        parts={
            "shares": SharesState(companies={symbol: _company(companies[symbol]) for symbol in companies}),
            "market": MarketState(cells=cells, markers=markers),
            "map": _map(state, companies),
            "trains": _trains(data, state),
            "1862": _own(data, setup, companies),
        },
    )


def _round(state: dict[str, Any]) -> Round:
    order = tuple(map(str, state["order"]))
    return Round(ROUNDS[state["round"]], state["turn"], state["round_num"], 3, order, step="x")


def _company(recorded: dict[str, Any]) -> Company:
    president = recorded["president"]
    return Company(
        opened=recorded["floated"],
        operated=recorded["operated"],
        director="" if president in (None, "market") else str(president),
        shares=SHARES,
        par=recorded["par"] or 0,
    )


def _map(state: dict[str, Any], companies: dict[str, Any]) -> MapState:
    return MapState(
        tiles={hex_id: LaidTile(*laid) for hex_id, laid in state["tiles"].items()},
        tokens={_city(city): tuple(slot or "" for slot in slots) for city, slots in state["slots"].items()},
        unplaced={symbol: tuple(each["token_prices"]) for symbol, each in companies.items()},
    )


def _trains(data: TitleData, state: dict[str, Any]) -> TrainsState:
    left = state["depot"]["upcoming"]
    return TrainsState(
        owned={symbol: tuple(each["train_ids"]) for symbol, each in state["corporations"].items()},
        depot_gone={
            name: kind.count - int(left.get(name, 0))
            for name, kind in train_kinds_of(data).items()
            if left.get(name, 0) != "unlimited"
        },
        phase=state["phase"],
    )


def _own(data: TitleData, setup: dict[str, Any], companies: dict[str, Any]) -> State:
    names = {
        train: name
        for each in companies.values()
        for train, name in zip(each["train_ids"], each["trains"], strict=True)
    }
    return State(
        charters={
            symbol: Charter(
                offered_from=setup["starting_phase"][symbol],
                licences=tuple(each["permits"]),
                chartered=each["chartered"],
            )
            for symbol, each in companies.items()
        },
        train_kinds={train: _kind_of(data, train, name) for train, name in names.items()},
        warranties={train: name.count("*") for train, name in names.items() if "*" in name},
    )


def _pair(cell: str) -> tuple[int, int]:
    row, _, column = cell.partition(",")
    return int(row), int(column)


def _city(place: str) -> tuple[str, int]:
    """The city of a recorded place: London's spaces are the second stop of their hexes."""
    hex_id, _, number = place.partition(":")
    return (hex_id, 1) if hex_id in ("B15", "D15") else (hex_id, int(number))


def _kind_of(data: TitleData, train: str, name: str) -> ServiceKind:
    faces = kind_of(data, train).faces
    return next(kind for kind in SERVICES if faces[kind].name == name.rstrip("*"))
