"""Commands nobody offered: choices with something changed, and commands out of the blue."""

from __future__ import annotations

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


def _open_value(draw: Random, game: Game, data: TitleData, name: str) -> Any:
    kinds = train_kinds_of(data) if has_trains(data) else ()
    trains = [train for owned in trains_of(game).owned.values() for train in owned] + [
        f"{kind}-0" for kind in kinds
    ]
    pools: dict[str, list[Any]] = {
        "company": [*cards_of(data), *game.players, "", "nobody"],
        "target": [*cards_of(data), ""],
        "other": [*cards_of(data), ""],
        "source": [
            *cards_of(data),
            *game.players,
            "bank",
            "pool",
            "dragons",
            "treasury_shares",
            "refinancing",
            "nowhere",
        ],
        "kind": ["pay", "half", "withhold", "1862.hudson", "freight", "local", "express", "", "none"],
        "seller": [*cards_of(data), "bank", "pool", ""],
        "maritime": ["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", ""],
        "hex": [*_hexes(data), "Z99"],
        "tile": [*(map_data(data).tiles if has_map(data) else ()), "none"],
        "train": [*trains, "", "2", "99-0"],
        "trade_in": [*trains, ""],
    }
    if name == "runs":
        hexes = draw.sample(_hexes(data), 3)
        return (TrainRun(draw.choice(pools["train"]), (Hop(tuple(hexes[:2])), Hop(tuple(hexes[1:])))),)
    if name in ("route", "replaced", "abandoned"):
        return tuple(draw.sample(_hexes(data), draw.randrange(4)))
    if name == "path":
        return tuple(draw.sample(_hexes(data), draw.randrange(5)))
    if name == "links":
        return tuple(draw.choices([*own(game).links, "99"], k=draw.randrange(4)))
    if name == "numbers":
        return tuple(draw.choices(range(-1, 9), k=draw.randrange(3)))
    return draw.choice(pools.get(name, list(NUMBERS)))


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
