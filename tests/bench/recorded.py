"""Best runs of recorded games: how long building and solving each problem takes, by title.

`python -m tests.bench.recorded FOLDER`: the folder `18xx.games` of the shared fixtures, which is the default.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from services.cli.routes_check import CheckedRun, checked_run, summary
from services.routing.domain.solver import warm_up
from services.rules.importer.files import read_record
from services.rules.importer.replay import RecordedRun, play
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.titles import TITLES
from tests.conftest import REPOSITORY, SHARED_VARIABLE

NAMES = ("1824", "1862")


def main(arguments: Sequence[str] = ()) -> int:
    """Solve every run and print the table; 1 if one is not proven or below what people took."""
    shared = Path(os.environ.get(SHARED_VARIABLE, REPOSITORY.parent / "shared"))
    folder = Path(arguments[0]) if arguments else shared / "fixtures" / "18xx.games"
    warm_up()
    print(f"  {'title':<7}{'runs':>6}{'proven':>8}{'below':>7}{'above':>7}   p50, p99, max ms; of one core")
    failures = 0
    for name in NAMES:
        games = sorted(path for path in (folder / name).glob("*.json*") if ".trace." not in path.name)
        found = summary(
            [
                run
                for game in track(games, name, console=Console(stderr=True), transient=True)
                for run in _runs(game)
            ]
        )
        failures += found["runs"] - found["proven"] + found["below"]
        times, core = (
            ", ".join(f"{value:.2f}" for value in found[each].values())
            for each in ("milliseconds", "core_milliseconds")
        )
        counts = f"{found['runs']:>6}{found['proven']:>8}{found['below']:>7}{found['above']:>7}"
        print(f"  {name:<7}{counts}   {times}; {core}", flush=True)
    return int(failures > 0)


def _runs(path: Path) -> list[CheckedRun]:
    record = read_record(path)
    title = TITLES[record.title]
    found: list[CheckedRun] = []

    def on_run(run: RecordedRun, game: Game, data: TitleData) -> None:
        found.append(checked_run(title, run, game, data))

    play(record, title, time.perf_counter, as_recorded=True, on_run=on_run)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
