"""How fast `decide` is in each title: games that bots play are decided again, command by command, the titles in turns.

`python -m tests.bench played`. Rates of one run can be compared, those of two hours on one machine cannot."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from dataclasses import dataclass

from services.routing.domain.solution import RouteSolution
from services.rules.kernel.commands import Command, CreateGame
from services.rules.kernel.decide import Accepted, create, decide
from services.rules.titles import BUILT_IN, TITLES
from tests.simulation.play import Play
from tests.simulation.tables import NAMES

PLAYERS = 3
SEED = 1
BOTS = ("sensible", "eager")
COMMANDS_MOST = 1_000
ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Played:
    """A whole game: its table, and who commanded what; with the best runs, where the command needed them."""

    table: CreateGame
    commands: list[tuple[str, Command, RouteSolution | None]]


def main() -> int:
    """Measure and print the table."""
    print(f"  {'title':<8}{'bots':<10}{'commands':>9}{'best':>9}{'median':>9} commands/s")
    for bot in BOTS:
        games = [played(title.name, bot) for title in BUILT_IN]
        seconds: list[list[float]] = [[] for _ in games]
        for _ in range(ROUNDS):
            for taken, game in zip(seconds, games, strict=True):
                taken.append(seconds_to_decide(game))
        for taken, game in zip(seconds, games, strict=True):
            rates = [len(game.commands) / each for each in taken]
            print(
                f"  {game.table.title:<8}{bot:<10}{len(game.commands):>9}"
                f"{max(rates):9.0f}{statistics.median(rates):9.0f}",
                flush=True,
            )
    return 0


def played(title: str, bot: str) -> Played:
    """A game that bots play to its end, or so far as is enough here or as its best runs can be proven."""
    play = Play(CreateGame(title, NAMES[:PLAYERS], seed=SEED), bot)
    commands: list[tuple[str, Command, RouteSolution | None]] = []
    while not play.game.finished and not play.unproven and len(commands) < COMMANDS_MOST:
        player, command, solution = play.player, play.choose(), play.solution
        outcome = play.decided(player, command)
        assert isinstance(outcome, Accepted), outcome
        commands.append((player, command, solution))
        play.carry_out(outcome)
    return Played(play.table, commands)


def seconds_to_decide(game: Played) -> float:
    """Processor time that `decide` takes for all commands, one after the other."""
    title = TITLES[game.table.title]
    created = create(title, game.table)
    assert isinstance(created, Accepted), created
    state, data = created.game, title.data_of(created.game)
    gc.collect()
    seconds = 0.0
    for player, command, solution in game.commands:
        began = time.process_time()
        outcome = decide(title, data, state, player, command, solution)
        seconds += time.process_time() - began
        assert isinstance(outcome, Accepted), outcome
        state = outcome.game
    return seconds


if __name__ == "__main__":
    sys.exit(main())
