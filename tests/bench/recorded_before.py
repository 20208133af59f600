"""Best runs of recorded games compared with a commit before: the same problems go to both in turn, each in a process of its own.
Milliseconds of one core for solving and verifying, of each problem the best of some rounds, and the ratio of the two.

`SIGNALBOX_BENCH_BASE=6bf71f7 python -m tests.bench recorded-before`; `python -m tests.bench.recorded_before --every 6` takes
every sixth problem. Problems that the commit's format cannot express are left out and counted."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import track

from services.routing.domain.problem import RouteProblem
from services.rules.importer.replay import RecordedRun
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData
from services.rules.parts.trains.bestruns import problem_for
from tests.bench.checkouts import BASE_VARIABLE, checkout_of, importing_from
from tests.bench.recorded import NAMES, of_each_run
from tests.conftest import REPOSITORY, SHARED_VARIABLE, shared_folder

ROUNDS = 3
NOW = "now"
SAMPLE = REPOSITORY / "tests" / "bench" / "solving_sample.py"
SHARES = {"p50": 50, "p90": 90, "p99": 99, "max": 100}


@dataclass
class Side:
    """One version: what it can read, and how long it took for each problem at best, with its answer."""

    name: str
    process: subprocess.Popen[str]
    readable: frozenset[int]
    best: dict[int, float]
    answers: dict[int, list[Any]]

    def solve(self, number: int) -> None:
        """Solve a problem once more."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        taken, *self.answers[number] = _said(self.process)
        self.best[number] = min(taken, self.best.get(number, taken))


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; 1 where the two find other money, 2 without recorded games."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.recorded_before", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the problems of a title")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--titles", nargs="+", default=NAMES)
    options = parser.parse_args(arguments)
    folder = shared_folder() / "fixtures" / "18xx.games"
    base, others = os.environ.get(BASE_VARIABLE, "HEAD^"), 0
    with checkout_of(base) as before, tempfile.TemporaryDirectory(prefix="signalbox-bench-") as scratch:
        for title in options.titles:
            problems = list(islice(of_each_run(folder / title, _problem), 0, None, options.every))
            if not problems:
                print(f"no recorded games of {title}; {SHARED_VARIABLE} may name a folder", file=sys.stderr)
                return 2
            path = Path(scratch) / f"{title}.jsonl"
            path.write_bytes(b"\n".join(_plain(problem) for problem in problems))
            with _side(base, before, path) as old, _side(NOW, REPOSITORY, path) as new:
                others += _compare(title, len(problems), (old, new), options.rounds)
    return int(others > 0)


def _problem(title: Title, run: RecordedRun, game: Game, data: TitleData) -> RouteProblem:
    """The question that a recorded run answered."""
    return problem_for(title, game, data, run.company)


def _plain(problem: RouteProblem) -> bytes:
    """Its JSON without what has its default, so that a format without a field can read what does not use it."""
    return msgspec.json.encode(_without_defaults(problem))


def _without_defaults(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        given = {each.name: (each, getattr(value, each.name)) for each in msgspec.structs.fields(value)}
        return {
            name: _without_defaults(content)
            for name, (each, content) in given.items()
            if content
            != (each.default if each.default_factory is msgspec.NODEFAULT else each.default_factory())
        }
    if isinstance(value, tuple | list):
        return [_without_defaults(each) for each in value]
    return value


@contextmanager
def _side(name: str, checkout: Path, problems: Path) -> Iterator[Side]:
    """A process that solves with the modules of this checkout."""
    with subprocess.Popen(
        (sys.executable, "-P", str(SAMPLE), str(problems)),
        cwd=checkout,
        env=importing_from(checkout),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Side(name, process, frozenset(_said(process)), {}, {})
        assert process.stdin is not None
        process.stdin.close()


def _said(process: subprocess.Popen[str]) -> list[Any]:
    assert process.stdout is not None
    said: list[Any] = json.loads(process.stdout.readline())
    return said


def _compare(title: str, count: int, sides: tuple[Side, Side], rounds: int) -> int:
    """Solve and print; returns how many answers differ in money or proof."""
    both = sorted(sides[0].readable & sides[1].readable)
    for number in range(rounds):
        turns = sides if number % 2 == 0 else sides[::-1]
        for problem in track(both, f"{title} {number + 1}", console=Console(stderr=True), transient=True):
            for side in turns:
                side.solve(problem)
    other = [each for each in both if sides[0].answers[each] != sides[1].answers[each]]
    print(f"  {title}: {len(both)} problems, {count - len(both)} left out, {len(other)} with another answer")
    print(f"    {'ms of one core':14}" + "".join(f"{name:>9}" for name in (*SHARES, "sum")))
    spreads = [_spread([side.best[each] for each in both]) for side in sides]
    for side, spread in zip(sides, spreads, strict=True):
        print(f"    {side.name:14}" + "".join(f"{value:>9.2f}" for value in spread))
    old, new = spreads
    print(f"    {'ratio':14}" + "".join(f"{b / a:>9.2f}" for a, b in zip(old, new, strict=True)))
    each_ratio = sorted(sides[1].best[each] / sides[0].best[each] for each in both)
    print(
        f"    ratio of each problem: median {statistics.median(each_ratio):.2f}, p90 {each_ratio[9 * len(both) // 10]:.2f}",
        flush=True,
    )
    return len(other)


def _spread(values: list[float]) -> list[float]:
    ordered = sorted(values)
    at = [ordered[-(-len(ordered) * share // 100) - 1] for share in SHARES.values()]
    return [*at, sum(ordered)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
