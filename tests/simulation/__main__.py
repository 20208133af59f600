"""Many random games under all laws: `python -m tests.simulation --title 1862 --games 1000 --seed 900000`.

One line for each game as it ends, and last the seeds of those in which a law did not hold, each with what went wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import NamedTuple

from services.rules.titles import BUILT_IN
from tests.simulation.tables import bot_of, table_of
from tests.simulation.test_random_games import _check_game


class Played(NamedTuple):
    """A game that ended; `problem` is empty where all laws held."""

    title: str
    seed: int
    seconds: float
    problem: str


def play(title: str, seed: int) -> Played:
    """One game under all laws; `seconds` of processor time."""
    began = time.process_time()
    problem = ""
    try:
        _check_game(seed, table_of(seed, title), bot_of(seed, title))
    except Exception:
        problem = traceback.format_exc()
    return Played(title, seed, time.process_time() - began, problem)


def summary_of(played: Played, number: int, games: int) -> str:
    """The line of a game."""
    table = table_of(played.seed, played.title)
    options = " ".join(table.options) or "no options"
    verdict = "FAILED" if played.problem else "ok"
    return (
        f"[{number}/{games}] {played.title} {played.seed} {verdict} {played.seconds:.1f} s, "
        f"{len(table.players)} {bot_of(played.seed, played.title)} players, {options}"
    )


def played_games(titles: list[str], seeds: range, processes: int) -> Iterator[Played]:
    """All games, in the order in which they end."""
    with ProcessPoolExecutor(processes) as pool:
        asked = [pool.submit(play, title, seed) for seed in seeds for title in titles]
        for done in as_completed(asked):
            yield done.result()


def main() -> int:
    """Play, report, and answer 1 if a law did not hold."""
    names = [title.name for title in BUILT_IN]
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--title", choices=[*names, "all"], default="all")
    parser.add_argument("--games", type=int, default=500, help="games of each title (500)")
    parser.add_argument("--seed", type=int, default=1_000, help="seed of the first game (1000)")
    parser.add_argument("--processes", type=int, default=2, help="games at a time (2)")
    chosen = parser.parse_args()
    titles = names if chosen.title == "all" else [chosen.title]
    seeds = range(chosen.seed, chosen.seed + chosen.games)
    failed: list[Played] = []
    seconds = dict.fromkeys(titles, 0.0)
    for number, played in enumerate(played_games(titles, seeds, chosen.processes), start=1):
        print(summary_of(played, number, len(titles) * len(seeds)), flush=True)
        seconds[played.title] += played.seconds
        failed += [played] if played.problem else []
    for played in failed:
        print(f"\n{played.title} {played.seed}:\n{played.problem}")
    for title in titles:
        seeds_failed = [played.seed for played in failed if played.title == title]
        print(
            f"{title}: {len(seeds)} games from seed {seeds.start}, "
            f"{seconds[title] / max(1, len(seeds)):.1f} s of processor time each, "
            f"{len(seeds_failed)} failed: {', '.join(map(str, sorted(seeds_failed))) or 'none'}"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
