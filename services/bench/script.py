"""The commands of a game played beforehand, so that a load generator has nothing to think about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from services.bots import BOTS
from services.common.errors import SignalboxError
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.rules.adapters.codec import command_message
from services.rules.catalogue import TableRulings, rulings_of
from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted, acting_players, choices, create, decide
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.bestruns import problem_for, question_for, reckon_for
from services.rules.parts.trains.commands import RunTrains
from services.rules.parts.trains.runs import as_drawn
from services.rules.titles import TITLES

BOT = "sensible"
STEPS_FOR_A_PROOF = 20_000_000
STEPS_WITHOUT_PROOF = 500_000


class ScriptFailed(SignalboxError):
    """The rules refuse what the bots do."""


class Move(msgspec.Struct, frozen=True):
    """One command: who gives it, the sequence it expects, and its message."""

    player: str
    expected: int
    command: bytes


class Solved(msgspec.Struct, frozen=True):
    """A choice with its best runs. `unproven`: they are needed, and too hard to prove here."""

    choice: Choice
    solution: RouteSolution | None = None
    unproven: bool = False


def with_best_runs(title: Title, data: TitleData, game: Game, choice: Choice) -> Solved:
    """`choice`, its runs filled in with the best ones where it leaves them open. Raises `ScriptFailed` where routing and rules
    do not agree on them."""
    if choice.open_field != "runs" or not isinstance(choice.command, RunTrains):
        return Solved(choice)
    problem = problem_for(title, game, data, choice.command.company)
    needed = question_for(title, game, data, None) is not None
    steps = STEPS_FOR_A_PROOF if needed else STEPS_WITHOUT_PROOF
    problem = replace(problem, options=replace(problem.options, node_budget=steps))
    solution = solve(problem)
    difference = reckon_for(title, game, data, solution).disagreement(solution)
    if difference:
        raise ScriptFailed(difference)
    filled = replace(choice, command=replace(choice.command, runs=as_drawn(problem, solution)))
    return Solved(filled, solution, needed and not solution.proven)


def script(
    title_name: str,
    seats: Sequence[str],
    seed: int,
    most: int,
    on_move: Callable[[int], None] = lambda _count: None,
) -> list[Move]:
    """The first `most` commands of a game of sensible bots; the same at every table with these seats and this seed. `on_move` is
    called with how many there are. Raises `ScriptFailed`, `KeyError` for an unknown title."""
    title = TITLES[title_name]
    table = CreateGame(
        title_name, tuple(seats), (), rulings_of(title, TableRulings("", {})), "own_turn", seed
    )
    outcome = create(title, table)
    if not isinstance(outcome, Accepted):
        raise ScriptFailed(f"{title_name} with {len(seats)} players: {outcome}")
    game, data = outcome.game, title.data_of(outcome.game)
    bots = {player: BOTS[BOT](seed + seat) for seat, player in enumerate(table.players)}
    moves: list[Move] = []
    while len(moves) < most and not game.finished:
        player = acting_players(title, data, game)[0]
        solved = [with_best_runs(title, data, game, each) for each in choices(title, data, game, player)]
        if any(each.unproven for each in solved):
            break
        command = bots[player].choose([each.choice for each in solved])
        solution = next((each.solution for each in solved if each.solution is not None), None)
        moves.append(Move(player, game.sequence, command_message(command).SerializeToString()))
        decided = decide(title, data, game, player, command, solution)
        if not isinstance(decided, Accepted):
            raise ScriptFailed(f"command {len(moves)} of {title_name}, seed {seed}: {decided}")
        game = decided.game
        on_move(len(moves))
    return moves
