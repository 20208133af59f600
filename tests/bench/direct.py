"""Direct routes: milliseconds of one core, ways extended, the longest time without a look at the clock, and the verifier, on
networks of towns, on the largest problem that is taken, and in games of 1865.

`python -m tests.bench.direct`.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from services.routing.domain.problem import RouteProblem
from services.routing.domain.solution import RouteSolution
from services.routing.domain.solver import solve
from services.routing.domain.verify import verify_solution
from services.rules.kernel.commands import CreateGame
from services.rules.kernel.decide import Accepted
from services.rules.titles.g1865.figures import railway_cards
from tests.routing.direct_boards import dense_board, largest_board
from tests.simulation.play import Play
from tests.titles.g1865.direct_question import direct_problem

SEEDS = 5
TOWNS = (8, 12, 16, 20)
CITIES = 6
PLAYERS = ("ann", "bob", "cleo", "dora")
GAMES = (1, 2)
EVERY = 60
LIMIT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A problem solved: seconds of one core for it and for the verifier, and the longest between two looks at the clock."""

    solution: RouteSolution
    seconds: float
    look_seconds: float
    verifying_seconds: float
    fault: str


def main() -> int:
    """Measure and print the table; 1 if an answer fails its check."""
    print(f"  {'boards':<26}{'median':>9}{'max':>9}{'look':>8}{'verify':>9} ms{'ways':>10}   proven")
    rows = [
        (f"{towns} towns", [dense_board(towns, CITIES, seed) for seed in range(SEEDS)]) for towns in TOWNS
    ]
    rows += [("400 stops, 4000 segments", [largest_board()]), ("games of 1865", list(_positions()))]
    wrong = False
    for name, problems in rows:
        attempts = [attempt(problem) for problem in problems]
        print(f"  {name:<26}{_figures(attempts)}", flush=True)
        wrong |= any(each.fault for each in attempts)
    return int(wrong)


def attempt(problem: RouteProblem) -> Attempt:
    """Solve and verify a problem."""
    began = last = time.process_time()
    longest = 0.0

    def is_late() -> bool:
        nonlocal last, longest
        now = time.process_time()
        longest, last = max(longest, now - last), now
        return now - began > LIMIT_SECONDS

    solution = solve(problem, is_late)
    ended = time.process_time()
    fault = verify_solution(problem, solution)
    verified = time.process_time()
    longest = max(longest, ended - last)
    return Attempt(solution, ended - began, longest, verified - ended, "" if fault is None else fault.message)


def _positions() -> Iterator[RouteProblem]:
    """The question of every railway, every so many commands of games that bots play."""
    for seed in GAMES:
        play = Play(CreateGame("1865", PLAYERS, seed=seed), "sensible")
        number = 0
        while not play.game.finished:
            outcome = play.decided(play.player, play.choose())
            assert isinstance(outcome, Accepted), outcome
            play.carry_out(outcome)
            number += 1
            if number % EVERY == 0:
                yield from (
                    direct_problem(play.game, play.data, company) for company in railway_cards(play.data)
                )


def _figures(attempts: list[Attempt]) -> str:
    seconds = [each.seconds for each in attempts]
    looks = max(each.look_seconds for each in attempts)
    verifying = max(each.verifying_seconds for each in attempts)
    ways = max(each.solution.nodes_explored for each in attempts)
    proven = sum(each.solution.proven for each in attempts)
    times = (statistics.median(seconds), max(seconds))
    return (
        "".join(f"{1000 * each:9.1f}" for each in times)
        + f"{1000 * looks:8.1f}{1000 * verifying:9.1f}   {ways:>10}   {proven}/{len(attempts)}"
    )


if __name__ == "__main__":
    sys.exit(main())
