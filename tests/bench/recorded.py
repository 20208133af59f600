"""Best runs of recorded games: how long building and solving each problem takes, by title.

`python -m tests.bench.recorded FOLDER`: the folder `18xx.games` of the shared fixtures, which is the default.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from services.cli.routes_check import checked_run, summary
from services.routing.domain.solver import warm_up
from services.rules.importer.files import read_record
from services.rules.importer.replay import RecordedRun, play
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.titles import TITLES
from tests.conftest import shared_folder

NAMES = ("1824", "1862")
Found = TypeVar("Found")


def main(arguments: Sequence[str] = ()) -> int:
    """Solve every run and print the table; 1 if one is not proven or below what people took."""
    shared = shared_folder()
    folder = Path(arguments[0]) if arguments else shared / "fixtures" / "18xx.games"
    warm_up()
    print(f"  {'title':<7}{'runs':>6}{'proven':>8}{'below':>7}{'above':>7}   p50, p99, max ms; of one core")
    failures = 0
    for name in NAMES:
        found = summary(list(of_each_run(folder / name, checked_run)))
        failures += found["runs"] - found["proven"] + found["below"]
        times, core = (
            ", ".join(f"{value:.2f}" for value in found[each].values())
            for each in ("milliseconds", "core_milliseconds")
        )
        counts = f"{found['runs']:>6}{found['proven']:>8}{found['below']:>7}{found['above']:>7}"
        print(f"  {name:<7}{counts}   {times}; {core}", flush=True)
    return int(failures > 0)


def of_each_run(
    folder: Path, look: Callable[[Title, RecordedRun, Game, TitleData], Found]
) -> Iterator[Found]:
    """What `look` makes of each run of the recorded games in a folder, with the game just before it."""
    games = sorted(path for path in folder.glob("*.json*") if ".trace." not in path.name)
    for path in track(games, folder.name, console=Console(stderr=True), transient=True):
        record = read_record(path)
        title, found = TITLES[record.title], list[Found]()

        def on_run(run: RecordedRun, game: Game, data: TitleData) -> None:
            found.append(look(title, run, game, data))  # noqa: B023

        play(record, title, time.perf_counter, as_recorded=True, on_run=on_run)
        yield from found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
