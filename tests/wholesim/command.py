"""The command of this package, in a process whose sets of texts have the same order in every run.

Every seed that failed is printed with the command that plays it again, with its faults and the log of all processes.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import fields

from tests.wholesim.broken import BREAKAGES
from tests.wholesim.players import Amount
from tests.wholesim.run import Outcome, run

LINES_SHOWN = 40


def main(description: str) -> int:
    """Exit 1 where a run failed. `description`: for the help."""
    options = _options(description)
    if options.broken:
        return _find(options)
    amount = Amount(options.players, options.games, options.moves)
    if options.seeds == 1:
        outcome = run(options.seed, amount, print if options.verbose else None)
        print(summary_line(outcome, 0.0))
        _show(outcome, amount)
        return 1 if outcome.failures else 0
    return _run_many(options, amount)


def _find(options: argparse.Namespace) -> int:
    """Break something on purpose, one thing after another, and exit 1 when each is found."""
    prepare_process()
    found = [_is_found(broken, options) for broken in options.broken]
    return int(all(found))


def _is_found(broken: str, options: argparse.Namespace) -> bool:
    """Whether a seed finds what is broken; the first is printed."""
    began = time.monotonic()
    with BREAKAGES[broken]():
        for seed in range(options.seed, options.seed + options.seeds):
            outcome = run(seed, Amount(options.players, options.games, options.moves))
            if outcome.failures:
                seconds = time.monotonic() - began
                print(f"{broken}: found by seed {seed} in {seconds:.0f} s: {outcome.failures[0]}", flush=True)
                return True
    print(f"{broken}: not found by {options.seeds} seeds in {time.monotonic() - began:.0f} s", flush=True)
    return False


def _run_many(options: argparse.Namespace, amount: Amount) -> int:
    began = time.monotonic()
    failed: list[Outcome] = []
    totals: Counter[str] = Counter()
    deaths: Counter[str] = Counter()
    reached: set[str] = set()
    for outcome, seconds in _outcomes(
        range(options.seed, options.seed + options.seeds), amount, options.processes
    ):
        if options.verbose or outcome.failures:
            print(summary_line(outcome, seconds), flush=True)
        failed += [outcome] if outcome.failures else []
        totals += Counter(
            commands=outcome.acknowledged, games=outcome.games, seconds=int(outcome.simulated_seconds)
        )
        deaths += Counter(outcome.deaths)
        reached |= outcome.reached
    for outcome in failed[: options.shown]:
        _show(outcome, amount)
    seconds = time.monotonic() - began
    print(
        f"{options.seeds} seeds from {options.seed} in {seconds:.0f} s, {options.seeds / seconds:.1f} a second: "
        f"{totals['games']} games, {totals['commands']} commands, {sum(deaths.values())} deaths, "
        f"{totals['seconds']} simulated seconds"
    )
    print("crash points reached:", ", ".join(sorted(reached)))
    print("deaths:", ", ".join(f"{point} {count}" for point, count in sorted(deaths.items())))
    print(
        "failed:", ", ".join(str(each.seed) for each in sorted(failed, key=lambda each: each.seed)) or "none"
    )
    return 1 if failed else 0


def _outcomes(seeds: range, amount: Amount, processes: int) -> Iterator[tuple[Outcome, float]]:
    with ProcessPoolExecutor(processes, initializer=prepare_process) as pool:
        asked = [pool.submit(timed, seed, amount) for seed in seeds]
        for done in as_completed(asked):
            yield done.result()


def timed(seed: int, amount: Amount) -> tuple[Outcome, float]:
    """The outcome of a seed and how long it took."""
    began = time.monotonic()
    return run(seed, amount), time.monotonic() - began


def prepare_process() -> None:
    """What is there before the first run is not searched for garbage after each."""
    gc.freeze()


def summary_line(outcome: Outcome, seconds: float) -> str:
    """One line about a run."""
    verdict = "FAILED" if outcome.failures else "ok"
    return (
        f"seed {outcome.seed} {verdict} in {seconds:.2f} s: {outcome.games} games, {outcome.acknowledged} commands, "
        f"{outcome.repeats} repeats, {sum(outcome.deaths.values())} deaths, {outcome.records} records, "
        f"{outcome.simulated_seconds:.1f} simulated s, digest {outcome.digest}"
    )


def _show(outcome: Outcome, amount: Amount) -> None:
    if outcome.failures:
        print(*outcome.faults, sep="\n")
        print(*list(outcome.lines)[-LINES_SHOWN:], sep="\n")
        print(*outcome.failures, sep="\n")
        print(f"again: {command_of(outcome.seed, amount)}", flush=True)


def command_of(seed: int, amount: Amount) -> str:
    """The command that plays a run again."""
    usual = Amount()
    options = [
        f"--{field.name} {getattr(amount, field.name)}"
        for field in fields(amount)
        if getattr(amount, field.name) != getattr(usual, field.name)
    ]
    return " ".join(["python -m tests.wholesim", f"--seed {seed}", *options, "--verbose"])


def _options(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.wholesim", description=description)
    parser.add_argument("--seed", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--seeds", type=int, default=1, help="so many seeds, one after another (1)")
    parser.add_argument("--processes", type=int, default=2, help="runs at a time (2)")
    parser.add_argument("--players", type=int, default=Amount.players, help="games at a time")
    parser.add_argument("--games", type=int, default=Amount.games, help="games one after another")
    parser.add_argument("--moves", type=int, default=Amount.moves, help="most commands of a game")
    parser.add_argument("--shown", type=int, default=3, help="failed runs of which the log is shown (3)")
    parser.add_argument(
        "--broken",
        nargs="+",
        choices=list(BREAKAGES),
        help="break these on purpose, one after another, and see whether each is found",
    )
    parser.add_argument("--verbose", action="store_true", help="every line of the log, or of every run")
    return parser.parse_args()
