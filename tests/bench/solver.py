"""The solver on hard boards: milliseconds and the longest time without a look at the clock, both of processor time, so that they
are the same on a busy machine; proof and bound by board and train set; then the verifier on the answers.

`python -m tests.bench.solver --seeds 30 --budget 10`; `--boards` and `--trains` pick rows by name, separated by commas.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from rich.console import Console
from rich.progress import track

from services.routing.domain.problem import RouteProblem, Train, TrainKind
from services.routing.domain.solution import RouteSolution, maximised_value
from services.routing.domain.solver import solve, warm_up
from services.routing.domain.verify import verify_solution
from tests.routing.boards import HARD_VARIANTS, hard_board
from tests.routing.joint_late import RIPE_BOARDS, late_network

SEEDS = 6
BUDGET_SECONDS = 10.0
BOARDS = "dense,realistic"
VERIFY_ROUNDS = 5
SOON_SECONDS = 1.0
NETWORK = "network "
# Boards on which all runs of the company visit each place once.
ONCE = "once "
ONCE_TRAIN_SETS = ("D+D", "D+D+D")
NETWORK_BOARDS = "ripe,dense"


def _normal(*reaches: int) -> tuple[Train, ...]:
    return tuple(Train(f"{reach or 'D'}-{place}", "normal", reach) for place, reach in enumerate(reaches))


def _goods(*reaches: int) -> tuple[Train, ...]:
    return tuple(Train(f"{reach}g-{place}", "goods", reach, "free") for place, reach in enumerate(reaches))


TRAIN_SETS: dict[str, tuple[Train, ...]] = {
    "3+4": _normal(3, 4),
    "5+6": _normal(5, 6),
    "8+8+6": _normal(8, 8, 6),
    "6+6+5+5": _normal(6, 6, 5, 5),
    "10+5g+4g": (*_normal(10), *_goods(5, 4)),
    "5/8+4/6": (Train("5/8", "normal", 8, counts=5), Train("4/6", "normal", 6, counts=4)),
    "5skip+6skip": (Train("5", "normal", 5, "skip"), Train("6", "normal", 6, "skip")),
    "D": _normal(0),
    "D+6": _normal(0, 6),
    "D+6+5": _normal(0, 6, 5),
    "D+D": _normal(0, 0),
    "D+D+D": _normal(0, 0, 0),
}

# Freight, local and express trains of one network by their names in 1862; freight trains below 6 must join.
NETWORK_TRAIN_SETS = (
    "4E",
    "4/5L",
    "9F",
    "2F+3F",
    "6F+5E+4/5L+4/5E",
    "7F+7F+6E",
    "6L+5/6L+6L",
    "6E+6E+5/6E",
    "9F+6L+6E",
    "5F+3F+3F",
    "4E+4E+4E+4E+4E+4E",
    "6F+7F+8F+9F+10F+11F+12F+13F",
    "+".join(["3E"] * 12),
    "+".join(["6E"] * 12),
)
NETWORK_KINDS: dict[str, TrainKind] = {"F": "freight", "L": "local", "E": "express"}
PERMANENT_LEAST = 6


def network_trains(names: str) -> tuple[Train, ...]:
    """Trains by names such as 6F+4/5L."""
    trains = []
    for place, name in enumerate(names.split("+")):
        kind = NETWORK_KINDS[name[-1]]
        counts, _, reach = name[:-1].rpartition("/")
        joins = kind == "freight" and int(reach) < PERMANENT_LEAST
        trains.append(Train(f"{name}-{place}", kind, int(reach), counts=int(counts or 0), joins=joins))
    return tuple(trains)


def board_with(board: str, trains: str, seed: int) -> RouteProblem:
    """The board of this name and seed with the trains of this name."""
    if board.startswith(ONCE):
        problem = board_with(board.removeprefix(ONCE), trains, seed)
        once = msgspec.structs.replace(problem.parameters, places_once="company")
        return msgspec.structs.replace(problem, parameters=once)
    if trains in TRAIN_SETS:
        return hard_board(seed, TRAIN_SETS[trains], HARD_VARIANTS[board])
    return late_network(seed, network_trains(trains), RIPE_BOARDS[board.removeprefix(NETWORK)])


@dataclass(frozen=True, slots=True)
class Attempt:
    """One board solved: processor seconds of all threads, and the longest time of one core between two looks at the clock."""

    problem: RouteProblem
    solution: RouteSolution
    seconds: float
    look_seconds: float

    @property
    def gap_percent(self) -> float:
        """Bound above value, in percent of the value."""
        value = maximised_value(self.solution, self.problem.parameters.compare_treasury_income)
        return 100 * (self.solution.upper_bound - value) / max(1, value)


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print the tables; 1 if an answer fails its check."""
    options = _options(arguments)
    began = time.perf_counter()
    warm_up()
    print(
        f"warm up {time.perf_counter() - began:.2f} s; {options.seeds} boards a row, {options.budget:g} s a board"
    )
    print(
        f"  {'board':<14}{'trains':<16}{'min':>9}{'median':>9}{'p90':>9}{'max':>9}{'look':>8} ms"
        "   in 1 s   proven   gap median, max"
    )
    attempts: list[Attempt] = []
    for board, trains in _rows(options):
        row = list(_attempts(board, trains, options.seeds, options.budget))
        print(f"  {board:<14}{trains:<16}{_figures(row)}", flush=True)
        attempts += row
    return verify(attempts)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.bench.solver", description="The solver on hard boards.")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="boards for each row")
    parser.add_argument(
        "--budget",
        type=float,
        default=BUDGET_SECONDS,
        metavar="SECONDS",
        help="most processor time for a board",
    )
    parser.add_argument("--boards", default=BOARDS, metavar="NAMES", help=", ".join(HARD_VARIANTS))
    parser.add_argument("--networks", default=NETWORK_BOARDS, metavar="NAMES", help=", ".join(RIPE_BOARDS))
    parser.add_argument(
        "--trains", default="", metavar="NAMES", help=", ".join((*TRAIN_SETS, *NETWORK_TRAIN_SETS))
    )
    return parser.parse_args(arguments)


def _rows(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Boards and trains, those of one network last."""
    sets = _picked(options.trains, {**TRAIN_SETS, **dict.fromkeys(NETWORK_TRAIN_SETS)})
    rows = [
        (board, trains)
        for board in _picked(options.boards, HARD_VARIANTS)
        for trains in sets
        if trains in TRAIN_SETS
    ]
    once = [
        (ONCE + board, trains)
        for board in _picked(options.boards, HARD_VARIANTS)
        for trains in sets
        if trains in ONCE_TRAIN_SETS
    ]
    networks = [
        (NETWORK + board, trains)
        for board in _picked(options.networks, RIPE_BOARDS)
        for trains in sets
        if trains not in TRAIN_SETS
    ]
    return rows + once + networks


def _picked(names: str, known: Mapping[str, object]) -> list[str]:
    picked = names.split(",") if names else list(known)
    unknown = [name for name in picked if name not in known]
    if unknown:
        sys.exit(f"no {unknown[0]!r} among {', '.join(known)}")
    return picked


def _attempts(board: str, trains: str, seeds: int, budget: float) -> Iterator[Attempt]:
    for seed in track(range(seeds), f"{board} {trains}", transient=True, console=Console(stderr=True)):
        problem = board_with(board, trains, seed)
        yield attempt(problem, budget)


def attempt(problem: RouteProblem, budget: float) -> Attempt:
    """Solve one board within `budget` seconds of the processor."""
    began, looks = time.process_time(), [time.thread_time()]
    longest = 0.0

    def is_over() -> bool:
        nonlocal longest
        now = time.thread_time()
        longest, looks[0] = max(longest, now - looks[0]), now
        return time.process_time() > began + budget

    solution = solve(problem, is_over)
    is_over()
    return Attempt(problem, solution, time.process_time() - began, longest)


def _figures(row: list[Attempt]) -> str:
    taken = sorted(attempt.seconds * 1000 for attempt in row)
    ninth = taken[min(len(taken) - 1, round(0.9 * (len(taken) - 1)))]
    times = "".join(f"{each:>9.1f}" for each in (taken[0], statistics.median(taken), ninth, taken[-1]))
    gaps = [attempt.gap_percent for attempt in row if not attempt.solution.proven]
    soon = sum(attempt.solution.proven and attempt.seconds <= SOON_SECONDS for attempt in row)
    proven = f"{soon:>8}{len(row) - len(gaps):>6}/{len(row)}"
    look = max(attempt.look_seconds for attempt in row) * 1000
    return f"{times}{look:>8.1f}   {proven}" + (
        f"   {statistics.median(gaps):.1f} %, {max(gaps):.1f} %" if gaps else ""
    )


def verify(attempts: list[Attempt]) -> int:
    """Time the verifier on every answer; the best of some rounds, for its own cost and not the machine's mood."""
    taken = []
    for attempt in attempts:
        rounds = []
        for _ in range(VERIFY_ROUNDS):
            began = time.perf_counter()
            fault = verify_solution(attempt.problem, attempt.solution)
            rounds.append((time.perf_counter() - began) * 1000)
            if fault is not None:
                print(f"an answer fails its check: {fault.message}", file=sys.stderr)
                return 1
        taken.append(min(rounds))
    print(
        f"verify: {len(taken)} answers, all right; {statistics.median(taken):.3f} ms median, {max(taken):.3f} ms worst"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
