"""`make mutate`: break rules on purpose, one place at a time, and see whether the tests of the title notice."""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutation.mutants import Mutant, mutants_in
from tests.mutation.report import score_lines, survivor_lines
from tests.mutation.sample import draw, read_equivalents, unused, without_equivalents
from tests.mutation.session import CannotRun, Job, Result, run
from tests.mutation.trial import Verdict

REPOSITORY = Path(__file__).resolve().parents[2]
CODE, TESTS = Path("services/rules/titles"), Path("tests/titles")
# What all titles share, which the tests of all of them hold: tried only when named, for it takes long.
SHARED_CODE, SHARED = Path("services/rules"), ("kernel", "parts")
SHARED_TESTS = (TESTS, Path("tests/rules"))
LISTED = Path("tests/mutation/equivalent.toml")
SECONDS_BETWEEN_LINES = 10.0


@dataclass(slots=True)
class Progress:
    """Prints every few seconds how far the trials are and how long the rest will take."""

    total: int
    verdicts: list[Verdict] = field(default_factory=list)
    began: float = 0.0
    printed: float = 0.0

    def add(self, result: Result) -> None:
        """Count one more; a survivor is named at once. The estimate counts from the first verdict on."""
        now = time.monotonic()
        self.began = self.began or now
        self.verdicts.append(result.verdict)
        if result.verdict is Verdict.SURVIVED:
            print(f"survived: {result.mutant.path}:{result.mutant.span[0]}", flush=True)
        done = len(self.verdicts)
        if done > 1 and now - self.printed >= SECONDS_BETWEEN_LINES:
            self.printed = now
            left = (now - self.began) / (done - 1) * (self.total - done)
            survived = self.verdicts.count(Verdict.SURVIVED)
            print(f"{done} of {self.total} tried, {survived} survived, about {left:.0f} s left", flush=True)


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument(
        "--title", help="only this folder of titles, such as g1862; kernel or parts for what all share"
    )
    parser.add_argument("--module", default="*", help="only files of this name; * and ? stand for anything")
    parser.add_argument("--number", type=int, help="so many mutants, drawn by the seed; otherwise all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 1), help="processes at a time"
    )
    parser.add_argument("--root", type=Path, default=REPOSITORY, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """1 where a mutant survived, 2 where nothing could be tried."""
    options = options_of(arguments)
    root: Path = options.root.resolve()
    titles = sorted(
        folder.name for folder in (root / CODE).iterdir() if (root / TESTS / folder.name).is_dir()
    )
    shared = [name for name in SHARED if (root / SHARED_CODE / name).is_dir()]
    folders = (*(CODE / title for title in titles), *(SHARED_CODE / name for name in shared))
    every = [mutant for folder in folders for mutant in mutants_in(root, root / folder)]
    listed = read_equivalents(root / LISTED)
    for entry in unused(every, listed):
        print(f"{LISTED}: no mutant of {entry.function} reads {entry.original}", file=sys.stderr)
        return 2
    chosen = [mutant for mutant in without_equivalents(every, listed) if _is_wanted(mutant, options)]
    if options.number is not None:
        chosen = draw(chosen, options.number, options.seed)
    if not chosen:
        print("nothing to break: no such title or module", file=sys.stderr)
        return 2
    by_title = {title: [each for each in chosen if _title_of(each) == title] for title in (*titles, *shared)}
    return _try_all(root, {title: mutants for title, mutants in by_title.items() if mutants}, options.jobs)


def _title_of(mutant: Mutant) -> str:
    """The folder of a title or of shared code."""
    path = Path(mutant.path)
    return path.relative_to(CODE if path.is_relative_to(CODE) else SHARED_CODE).parts[0]


def _tests_of(root: Path, title: str) -> tuple[Path, ...]:
    tests = SHARED_TESTS if title in SHARED else (TESTS / title,)
    return tuple(root / folder for folder in tests if (root / folder).is_dir())


def _is_wanted(mutant: Mutant, options: argparse.Namespace) -> bool:
    title = _title_of(mutant)
    named = title == options.title if options.title else title not in SHARED
    return named and fnmatch.fnmatch(Path(mutant.path).stem, options.module)


def _try_all(root: Path, chosen: dict[str, list[Mutant]], jobs: int) -> int:
    results: list[Result] = []
    progress = Progress(sum(len(mutants) for mutants in chosen.values()))
    for title, mutants in chosen.items():
        print(f"{title}: {len(mutants)} mutants; first all tests with nothing broken", flush=True)
        try:
            results += run(Job(root, _tests_of(root, title), mutants, jobs, progress.add))
        except CannotRun as error:
            print(error, file=sys.stderr)
            return 2
    print()
    for line in (*survivor_lines(root, results), *score_lines(results)):
        print(line)
    return int(any(result.verdict not in (Verdict.KILLED, Verdict.TIMED_OUT) for result in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
