"""What is printed of the trials: survivors with their diffs, and a score for each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.mutation.session import Result
from tests.mutation.trial import Verdict

CLAUSES_MOST = 8


def survivor_lines(root: Path, results: Sequence[Result]) -> Iterator[str]:
    """Every mutant that no test killed: place, what was done, diff, and the clauses whose tests run that place."""
    for result in sorted(results, key=lambda result: (result.mutant.path, result.mutant.span)):
        if result.verdict in (Verdict.KILLED, Verdict.TIMED_OUT):
            continue
        mutant = result.mutant
        word = "survived" if result.verdict is Verdict.SURVIVED else "could not be tried"
        yield f"{mutant.path}:{mutant.span[0]} {mutant.function}: {mutant.operator}, {word}"
        yield from (f"    {line}" for line in mutant.diff((root / mutant.path).read_text(encoding="utf-8")))
        yield f"    {_reached(result)}"
        yield ""


def _reached(result: Result) -> str:
    if not result.reached:
        return "no test runs this"
    if not result.clauses:
        return "run by tests without a clause"
    more = len(result.clauses) - CLAUSES_MOST
    rest = f" and {more} more" if more > 0 else ""
    return "run by tests of " + ", ".join(result.clauses[:CLAUSES_MOST]) + rest


def score_lines(results: Sequence[Result]) -> Iterator[str]:
    """Killed of tried, by file and in all; a mutant that was stopped by the time limit counts as killed."""
    paths = sorted({result.mutant.path for result in results})
    width = max((len(path) for path in paths), default=0)
    yield f"{'':{width}}  killed of tried  stopped by time"
    for path in paths:
        yield f"{path:{width}}  {_score([result for result in results if result.mutant.path == path])}"
    yield f"{'all':{width}}  {_score(results)}"


def _score(results: Sequence[Result]) -> str:
    stopped = sum(result.verdict is Verdict.TIMED_OUT for result in results)
    killed = stopped + sum(result.verdict is Verdict.KILLED for result in results)
    return f"{killed:6} of {len(results):5}  {stopped:15}"
