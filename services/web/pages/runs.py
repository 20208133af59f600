"""Runs that a player draws: for each train the hexes that it passes, in order, as text. The rules say what they earn."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.gen.signalbox.rules.v1 import choice_pb2, command_pb2, game_pb2, rules_pb2, title_pb2
from services.web.problems import Problem

TRAIN = "train."
BETWEEN = re.compile(r"[\s,;>-]+")


@dataclass(frozen=True, slots=True)
class DrawnTrain:
    """A train whose run is left to the player. `hexes`: those of its best run, where that is known."""

    train: str
    hexes: str


@dataclass(frozen=True, slots=True)
class OpenRuns:
    """The trains of a company that may run now."""

    company: str
    trains: Sequence[DrawnTrain]


@dataclass(frozen=True, slots=True)
class DrawnRuns:
    """Runs that a player drew, as fields of the form, and what came of the question about them: their worth, or why they would be
    refused."""

    form: Mapping[str, str]
    valued: rules_pb2.ValuedRuns | None = None
    refused: Problem | None = None

    @property
    def is_answered(self) -> bool:
        """Whether there was a question."""
        return self.valued is not None or self.refused is not None

    def hexes(self, train: DrawnTrain) -> str:
        """What stands in the field of a train."""
        return self.form.get(TRAIN + train.train, train.hexes)


NOTHING_DRAWN = DrawnRuns({})


def open_runs(choices: Iterable[choice_pb2.Choice], game: game_pb2.GameView) -> OpenRuns | None:
    """What may be drawn now; None where no trains may run."""
    running = next((each.command.run_trains for each in choices if each.command.HasField("run_trains")), None)
    if running is None:
        return None
    best = {run.train: _text(run) for run in running.runs}
    owned = next((each.trains for each in game.companies if each.company == running.company), ())
    return OpenRuns(running.company, [DrawnTrain(each, best.get(each, "")) for each in owned])


def hexes_with_stops(title: title_pb2.TitleView, game: game_pb2.GameView) -> Collection[str]:
    """Where a run may stop, by what lies there now."""
    tiles = {each.tile: each.face for each in title.map.tiles}
    faces = {each.hex: each.face for each in title.map.hexes}
    faces |= {each.hex: tiles[each.tile] for each in game.tiles if each.tile in tiles}
    return {hex_ for hex_, face in faces.items() if face.stops}


def drawn_runs(company: str, form: Mapping[str, str], stops: Collection[str]) -> command_pb2.RunTrains:
    """The runs in a form; a train without hexes does not run."""
    drawn = {name.removeprefix(TRAIN): _hexes(text) for name, text in form.items() if name.startswith(TRAIN)}
    runs = [
        command_pb2.TrainRun(train=train, hops=[command_pb2.Hop(hexes=hop) for hop in _hops(hexes, stops)])
        for train, hexes in drawn.items()
        if hexes
    ]
    return command_pb2.RunTrains(company=company, runs=runs)


def _hexes(text: str) -> Sequence[str]:
    return [each for each in BETWEEN.split(text.strip()) if each]


def _hops(hexes: Sequence[str], stops: Collection[str]) -> Sequence[Sequence[str]]:
    """From each stop to the next."""
    hops: list[list[str]] = [[hexes[0]]]
    for hex_ in hexes[1:]:
        hops[-1].append(hex_)
        if hex_ in stops:
            hops.append([hex_])
    return hops if len(hops) == 1 or len(hops[-1]) > 1 else hops[:-1]


def _text(run: command_pb2.TrainRun) -> str:
    first = [hex_ for hop in run.hops[:1] for hex_ in hop.hexes[:1]]
    return " ".join([*first, *(hex_ for hop in run.hops for hex_ in hop.hexes[1:])])
