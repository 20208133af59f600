"""Commands nobody offered: choices with something changed, and commands out of the blue."""

from __future__ import annotations

from random import Random
from typing import Any, Literal, get_args, get_origin

from msgspec.structs import FieldInfo, fields, replace

from services.rules.domain.choice import Choice
from services.rules.domain.commands import COMMAND_TYPES, Command, Hop, RunTrains, TrainRun, Undo
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData

NUMBERS = (-2, -1, 0, 1, 2, 3, 7, 10, 20, 50, 60, 100, 120, 180, 10**6 + 1, 2**62)
# What a command may leave to the rules, so that a choice stands for every way to fill it.
LEFT_OPEN: dict[str, object] = {"number": -1, "numbers": (), "copy": -1, "slot": -1, "kind": ""}


def forged(draw: Random, game: Game, data: TitleData, found: tuple[Choice, ...]) -> Command:
    """A listed command with one field changed, or any command with fields drawn from the game."""
    if draw.random() < 0.7:
        command = draw.choice(found).command
        infos = fields(command)
        if infos:
            info = draw.choice(infos)
            return replace(command, **{info.name: _value(draw, game, data, info)})
    kind = draw.choice([each for each in COMMAND_TYPES if each is not Undo])
    return kind(**{info.name: _value(draw, game, data, info) for info in fields(kind)})


def _value(draw: Random, game: Game, data: TitleData, info: FieldInfo) -> Any:
    """Any value of a field that a message can carry."""
    if get_origin(info.type) is Literal:
        return draw.choice(get_args(info.type))
    if info.type is bool:
        return draw.random() < 0.5
    return _open_value(draw, game, data, info.name)


def _open_value(draw: Random, game: Game, data: TitleData, name: str) -> Any:
    trains = [train for owned in game.trains.values() for train in owned] + [
        f"{kind}-0" for kind in data.trains
    ]
    pools: dict[str, list[Any]] = {
        "company": [*data.companies, *game.players, "", "nobody"],
        "target": [*data.companies, ""],
        "other": [*data.companies, ""],
        "source": [*data.companies, *game.players, "bank", "pool"],
        "seller": [*data.companies, "bank", ""],
        "hex": [*data.hexes, "Z99"],
        "tile": [*data.tiles, "none"],
        "train": [*trains, "", "2", "99-0"],
        "trade_in": [*trains, ""],
    }
    if name == "runs":
        hexes = draw.sample(list(data.hexes), 3)
        return (TrainRun(draw.choice(pools["train"]), (Hop(tuple(hexes[:2])), Hop(tuple(hexes[1:])))),)
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
    for info in fields(command):
        given, wanted = getattr(command, info.name), getattr(listed, info.name)
        if info.name == choice.open_field:
            if given not in range(choice.minimum, choice.maximum + 1, choice.step):
                return False
        elif given != wanted and wanted != LEFT_OPEN.get(info.name):
            return False
    return True
