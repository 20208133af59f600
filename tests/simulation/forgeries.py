"""Commands nobody offered: choices with something changed, and commands out of the blue."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import FieldInfo, fields, replace

from services.rules.adapters.codec import COMMAND_TYPES
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command, Undo
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.map.data import has_map, map_data
from services.rules.parts.shares.data import cards_of
from services.rules.parts.trains.commands import Hop, RunTrains, TrainRun
from services.rules.parts.trains.data import has_trains, train_kinds_of
from services.rules.parts.trains.state import trains_of
from services.rules.titles.rotw.board import GOODS, board_of
from services.rules.titles.rotw.commands import BuildLink, DeliverGood
from services.rules.titles.rotw.state import own

NUMBERS = (-2, -1, 0, 1, 2, 3, 7, 10, 20, 50, 60, 100, 120, 180, 10**6 + 1, 2**62)
SOURCES = ("bank", "pool", "dragons", "treasury_shares", "refinancing", "nowhere")
SORTS_OF_TRAINS = ("freight", "local", "express")
# What a command may leave to the rules, so that a choice stands for every way to fill it.
LEFT_OPEN: dict[str, object] = {"number": -1, "numbers": (), "copy": -1, "slot": -1, "kind": ""}


fields_of = cache(fields)


def forged(draw: Random, game: Game, data: TitleData, found: tuple[Choice, ...]) -> Command:
    """A listed command with one field changed, or any command with fields drawn from the game."""
    if draw.random() < 0.7:
        command = draw.choice(found).command
        infos = fields_of(type(command))
        if infos:
            info = draw.choice(infos)
            return replace(command, **{info.name: _value(draw, game, data, info)})
    kind = draw.choice([each for each in COMMAND_TYPES if each is not Undo])
    return kind(**{info.name: _value(draw, game, data, info) for info in fields_of(kind)})


def _value(draw: Random, game: Game, data: TitleData, info: FieldInfo) -> Any:
    """Any value of a field that a message can carry."""
    if info.type is bool:
        return draw.random() < 0.5
    if info.type is str and info.name in ("city", "colour"):
        return draw.choice(
            ["Boston", "Ashford", "Nowhere", *own(game).goods] if info.name == "city" else [*GOODS, "grey"]
        )
    return _open_value(draw, game, data, info.name)


def _hexes(data: TitleData) -> list[str]:
    """The hexes of the board, whichever part of the rules knows it."""
    return [*(map_data(data).hexes if has_map(data) else board_of(data).terrain)]


def _trains(game: Game, data: TitleData) -> list[str]:
    """Every train that somebody owns, and one of each kind that nobody does."""
    kinds = train_kinds_of(data) if has_trains(data) else ()
    owned = [train for trains in trains_of(game).owned.values() for train in trains]
    return [*owned, *(f"{kind}-0" for kind in kinds)]


def _tiles(data: TitleData) -> list[str]:
    return [*(map_data(data).tiles if has_map(data) else ())]


# Of what a field is drawn, by its name; numbers for all others.
POOLS: dict[str, Callable[[Game, TitleData], list[str]]] = {
    "company": lambda game, data: [*cards_of(data), *game.players, "", "nobody"],
    "target": lambda game, data: [*cards_of(data), ""],
    "other": lambda game, data: [*cards_of(data), ""],
    "source": lambda game, data: [*cards_of(data), *game.players, *SOURCES],
    "kind": lambda game, data: ["pay", "half", "withhold", "1862.hudson", *SORTS_OF_TRAINS, "", "none"],
    "seller": lambda game, data: [*cards_of(data), "bank", "pool", ""],
    "maritime": lambda game, data: ["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", ""],
    "hex": lambda game, data: [*_hexes(data), "Z99"],
    "tile": lambda game, data: [*_tiles(data), "none"],
    "train": lambda game, data: [*_trains(game, data), "", "2", "99-0"],
    "trade_in": lambda game, data: [*_trains(game, data), ""],
}


def _open_value(draw: Random, game: Game, data: TitleData, name: str) -> Any:
    if name == "runs":
        hexes = draw.sample(_hexes(data), 3)
        train = draw.choice(POOLS["train"](game, data))
        return (TrainRun(train, (Hop(tuple(hexes[:2])), Hop(tuple(hexes[1:])))),)
    if name in ("route", "replaced", "abandoned"):
        return tuple(draw.sample(_hexes(data), draw.randrange(4)))
    if name == "path":
        return tuple(draw.sample(_hexes(data), draw.randrange(5)))
    if name == "links":
        return tuple(draw.choices([*own(game).links, "99"], k=draw.randrange(4)))
    if name == "numbers":
        return tuple(draw.choices(range(-1, 9), k=draw.randrange(3)))
    return draw.choice(POOLS[name](game, data) if name in POOLS else NUMBERS)


def is_listed(found: tuple[Choice, ...], command: Command) -> bool:
    """Whether a choice covers `command`."""
    return any(_covers(choice, command) for choice in found)


def _covers(choice: Choice, command: Command) -> bool:
    listed = choice.command
    if type(listed) is not type(command):
        return False
    if isinstance(command, RunTrains):
        return listed.company == command.company if isinstance(listed, RunTrains) else False
    if isinstance(command, BuildLink | DeliverGood):
        # The best are listed; every other allowed one can be sent as well.
        return True
    for info in fields_of(type(command)):
        given, wanted = getattr(command, info.name), getattr(listed, info.name)
        if info.name == choice.open_field:
            if given not in range(choice.minimum, choice.maximum + 1, choice.step):
                return False
        elif given != wanted and wanted != LEFT_OPEN.get(info.name):
            return False
    return True
