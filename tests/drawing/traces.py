"""Games of 1862 to draw, put together from the state that a trace recorded after one of its actions."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, get_args

from services.rules.domain.board import LaidTile
from services.rules.domain.events import POOL, RoundKind
from services.rules.domain.game import Company, Game, Round
from services.rules.domain.titledata import TitleData, TrainFace
from services.rules.domain.vocabulary import ServiceKind
from services.rules.titles import loading

FOLDER = Path(loading.__file__).parent / "g1862"
ROUNDS: dict[str, RoundKind] = {"PAR": "parliamentary", "SR": "stock", "OR": "operating"}


def traced(shared: Path, name: str, share: float = 1.0) -> tuple[TitleData, Game]:
    """A recorded game of 1862 after a share of its actions."""
    path = shared / "fixtures" / "18xx.games" / "1862" / f"{name}.trace.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        states = [state for state in map(json.loads, lines) if "players" in state]
    data = loading.load_title(FOLDER)
    return data, game_of(data, states[0]["setup"], states[round((len(states) - 1) * share)])


def begun() -> tuple[TitleData, Game]:
    """1862 before anything was laid, all companies still to come."""
    data = loading.load_title(FOLDER)
    offered = {symbol: Company(offered_from="A") for symbol in data.companies}
    players = ("ann", "bob", "cy")
    cash = {"bank": 12_600, "ann": 800, "bob": 800, "cy": 800}
    return data, Game(title="1862", players=players, companies=offered, cash=cash, phase="A", priority="ann")


def game_of(data: TitleData, setup: dict[str, Any], state: dict[str, Any]) -> Game:
    """What a recorded state shows of a game."""
    players = tuple(map(str, setup["players"]))
    cells = {_pair(cell): tuple(symbols) for cell, symbols in state["market"].items()}
    companies = state["corporations"]
    trains = {symbol: tuple(each["train_ids"]) for symbol, each in companies.items()}
    named = {
        train: name
        for each in companies.values()
        for train, name in zip(each["train_ids"], each["trains"], strict=True)
    }
    cash = {symbol: each["cash"] for symbol, each in (companies | state["players"]).items()}
    return Game(
        title="1862",
        sequence=state["n"],
        players=players,
        cash={"bank": state["bank"], **cash},
        holdings={
            (POOL if holder == "market" else holder, symbol): tuple(numbers)
            for holder, stock in state["certificates"].items()
            for symbol, numbers in stock.items()
        },
        companies={
            symbol: _company(setup, symbol, companies[symbol])
            for symbol in data.companies
            if symbol in setup["starting_phase"] and symbol in companies
        },
        cells=cells,
        markers={symbol: cell for cell, symbols in cells.items() for symbol in symbols},
        tiles={hex_id: LaidTile(*laid) for hex_id, laid in state["tiles"].items()},
        tokens={_city(city): tuple(slot or "" for slot in slots) for city, slots in state["slots"].items()},
        trains=trains,
        depot_gone={
            name: kind.count - int(left)
            for name, kind in data.trains.items()
            if (left := state["depot"]["upcoming"].get(name, 0)) != "unlimited"
        },
        phase=state["phase"],
        priority=str(state["other"].get("priority") or ""),
        round=Round(
            ROUNDS[state["round"]],
            state["turn"],
            state["round_num"],
            3,
            tuple(map(str, state["order"])),
            step="x",
        ),
        train_kinds={train: _kind_of(data, train, name) for train, name in named.items()},
        warranties={train: name.count("*") for train, name in named.items() if "*" in name},
    )


def _company(setup: dict[str, Any], symbol: str, recorded: dict[str, Any]) -> Company:
    president = recorded["president"]
    return Company(
        opened=recorded["floated"],
        operated=recorded["operated"],
        director="" if president in (None, "market") else str(president),
        par=recorded["par"] or 0,
        charter=tuple(recorded["token_prices"]),
        chartered=recorded["chartered"],
        offered_from=setup["starting_phase"][symbol],
        licences=tuple(recorded["permits"]),
    )


def _pair(cell: str) -> tuple[int, int]:
    row, _, column = cell.partition(",")
    return int(row), int(column)


def _city(place: str) -> tuple[str, int]:
    """The city of a recorded place: London's spaces are the second stop of their hexes."""
    hex_id, _, number = place.partition(":")
    return (hex_id, 1) if hex_id in ("B15", "D15") else (hex_id, int(number))


def _kind_of(data: TitleData, train: str, name: str) -> ServiceKind:
    faces: dict[ServiceKind, TrainFace] = data.trains[train.split("-")[0]].faces
    return next(kind for kind in get_args(ServiceKind) if faces[kind].name == name.rstrip("*"))
