"""Counting oracles: how many sequences of choices there are from known positions, two and three deep.

A sequence is made of the choices of the player who is asked first, one after the other. A choice with an open number counts
as two, with the lowest and with the highest number (as one where they are the same); open runs count as one, the best runs.
A sequence that ends the game early does not count."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command
from services.rules.kernel.decide import Accepted, acting_players, choices
from services.rules.kernel.game import Game
from tests.golden.files import recorded
from tests.golden.plans import PLANS_BY_NAME
from tests.golden.playing import Playthrough, position
from tests.golden.words import boundary_commands, words_of
from tests.simulation.play import Play

FOLDER = Path(__file__).parent / "counts"
DEPTH = 3
COMMENT = "#"


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a playthrough: the one before this step."""

    playthrough: str
    step: int


def path_of(title: str) -> Path:
    """The file with the counts of a title."""
    return FOLDER / f"{title}.txt"


def lines_of(title: str) -> list[str]:
    """The lines of a title's counts, one for each position."""
    lines = path_of(title).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(COMMENT)]


def replayed(title: str) -> str:
    """The file with a title's counts under the present rules."""
    lines = path_of(title).read_text(encoding="utf-8").splitlines()
    return "".join(f"{line if line.startswith(COMMENT) else counted(position_of(line))}\n" for line in lines)


def position_of(line: str) -> Position:
    """The position that a line is about: `playthrough step`, and what follows after a colon."""
    playthrough, step = line.partition(":")[0].split()
    return Position(playthrough, int(step))


def counted(at: Position) -> str:
    """The line of a position under the present rules."""
    plan = PLANS_BY_NAME[at.playthrough]
    through = position(plan, recorded(plan), at.step)
    numbers = ", ".join(f"{sequences(through.play, depth)} to depth {depth}" for depth in range(1, DEPTH + 1))
    return f"{at.playthrough} {at.step}: {numbers}; {through.picture.heading}, {_asked(through)}"


def _asked(through: Playthrough) -> str:
    company = f" for {actor}" if (actor := through.actor()) else ""
    step = f", {through.picture.step}" if through.picture.step else ""
    return f"{through.who_acts()}{company}{step}"


def sequences(play: Play, depth: int) -> int:
    """The number of sequences of so many choices."""
    if depth == 1:
        return _width(play, play.game)
    total = 0
    for command in _commands(play.found):
        outcome = play.decided(play.player, command)
        assert isinstance(outcome, Accepted), (words_of(command), outcome)
        total += _width(play, outcome.game) if depth == 2 else sequences(_after(play, outcome), depth - 1)
    return total


def _commands(found: Sequence[Choice]) -> list[Command]:
    return [command for choice in found for command in boundary_commands(choice)]


def _width(play: Play, game: Game) -> int:
    """How many choices there are in a state of this game; the runs in them need not be known."""
    asked = acting_players(play.title, play.data, game)
    return len(_commands(choices(play.title, play.data, game, asked[0]))) if asked else 0


def _after(play: Play, outcome: Accepted) -> Play:
    """The game after an outcome, beside the one it came from."""
    twin = copy(play)
    twin.events = []
    twin.carry_out(outcome)
    return twin
