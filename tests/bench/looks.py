"""How long the solver works between two looks at the clock, and after the last: a search among random boards at the limits of
the format. Seconds of one core, so that the machine's other work matters little.

`NUMPY_MADVISE_HUGEPAGE=0 python -m tests.bench.looks --seconds 600`, as in worker processes; `--family`, `--shape` and
`--seed` repeat one board, `--where` names the places.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import FrameType

from services.routing.adapters.process_worker import SMALL_PAGES
from services.routing.adapters.search import Search
from services.routing.domain.problem import Family, RouteProblem
from services.routing.domain.solver import warm_up
from tests.routing.hostile_boards import FAMILIES, SHAPES, hostile_board

GRANTED = 1.0
SECONDS = 600.0
SHOWN, FRAMES_SHOWN = 12, 6
SOLVER = "services/routing/"


@dataclass
class Looks:
    """The longest time between two looks, and from the end of the time granted to the answer, in seconds of one core."""

    longest: float = 0.0
    place: str = ""
    late: float = 0.0
    last: float = field(default_factory=time.thread_time)
    last_place: str = "the beginning"
    beside: float = 0.0

    def now(self) -> float:
        """The time that the search took so far, without what these looks took."""
        return time.thread_time() - self.beside

    def look(self) -> bool:
        """A look at the clock; it ends nothing."""
        began = time.thread_time()
        now, place = began - self.beside, _place(sys._getframe(1))
        if now - self.last > self.longest:
            self.longest, self.place = now - self.last, f"{self.last_place}\n      -> {place}"
        self.last, self.last_place = now, place
        self.beside += time.thread_time() - began
        return False


def _place(frame: FrameType | None) -> str:
    """The innermost functions of the solver."""
    names: list[str] = []
    while frame is not None and len(names) < FRAMES_SHOWN:
        path = frame.f_code.co_filename
        if SOLVER in path and "budget.py" not in path:
            names.append(f"{path.rpartition('/')[2]}:{frame.f_lineno}")
        frame = frame.f_back
    return " ".join(names)


def looked(problem: RouteProblem, granted: float) -> Looks:
    """Solve, verify and explain this problem within so many seconds of one core."""
    gc.collect()
    gc.disable()
    try:
        looks = Looks()
        end = looks.now() + granted
        Search(problem, granted, looks.look, lambda _: None, looks.now).run()
        looks.late = max(0.0, looks.now() - end)
    finally:
        gc.enable()
    return looks


def main(arguments: Sequence[str] = ()) -> int:
    """Search, and print the longest by family."""
    options = _options(arguments)
    if not SMALL_PAGES.items() <= os.environ.items():
        print("not as in worker processes:", *(f"{name}={value}" for name, value in SMALL_PAGES.items()))
    warm_up()
    found: dict[Family, list[tuple[Looks, str, int]]] = defaultdict(list)
    began = time.monotonic()
    for family, shape, seed in _boards(options):
        if time.monotonic() - began > options.seconds:
            break
        looks = looked(hostile_board(seed, family, shape), options.granted)
        found[family].append((looks, shape, seed))
        if max(looks.longest, looks.late) > options.least / 1000:
            times = f"{1000 * looks.longest:6.1f} ms between looks, {1000 * looks.late:6.1f} ms late"
            where = looks.place if options.where else ""
            print(f"  {family:15} {shape:10} {seed:4} {times}   {where}", flush=True)
    for family, boards in found.items():
        longest, late = max(each.longest for each, _, _ in boards), max(each.late for each, _, _ in boards)
        print(
            f"  {family:15} {len(boards)} boards: {1000 * longest:.1f} ms between two looks, ends {1000 * late:.1f} ms late",
            flush=True,
        )
    return 0


def _boards(options: argparse.Namespace) -> Iterator[tuple[Family, str, int]]:
    seeds = count(options.first) if options.seed is None else (options.seed,)
    for seed in seeds:
        for shape in [options.shape] if options.shape else SHAPES:
            for family in FAMILIES:
                if options.family in ("", family):
                    yield family, shape, seed


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.looks", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the search lasts")
    parser.add_argument("--granted", type=float, default=GRANTED, help="seconds of one core for a board")
    parser.add_argument("--family", default="", choices=("", *FAMILIES))
    parser.add_argument("--shape", default="", choices=("", *SHAPES))
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--least", type=float, default=SHOWN, help="milliseconds from which a board is shown")
    parser.add_argument("--where", action="store_true", help="with the places in the solver")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
