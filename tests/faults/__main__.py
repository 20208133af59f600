"""`make faults`: processes killed without number while games are played, then the check. A seed makes a plan.

Losses, crashes and standstills all count as failures; the logs of a run that failed are kept in build/faults.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.busy import busy_cores
from tests.faults.isolation import NotIsolated, is_isolated, isolate
from tests.faults.run import FOR_EVER, Outcome, Scale, run
from tests.faults.times import Seconds, table, together

COPIES_OF_SEED = (0, 2)
"""How many replicas of rules keep a part of the log, by turns."""


def main() -> int:
    """Exit 1 where a run failed."""
    options = _options()
    if options.times == "production" and not is_isolated():
        try:
            isolate("tests.faults", sys.argv[1:])
        except NotIsolated as problem:
            print(f"{problem}; nothing is cut off, and no disk made full", flush=True)
    began = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - began:7.1f} s  {line}", flush=True)

    summary: list[str] = []
    measured: list[Seconds] = []
    has_failed = False
    for number in range(options.seeds):
        seed = options.seed + number
        busy = options.busy if options.busy_from <= number else 0
        run_began = time.monotonic()
        outcome = _one_run(options, seed, busy, say)
        for line in outcome.lines():
            print(line, flush=True)
        minutes = (time.monotonic() - run_began) / 60
        summary.append(
            f"seed {seed}, busy cores {busy}: kills {outcome.kills}, {outcome.counts}, {minutes:.1f} min"
        )
        measured.append(outcome.without_service)
        has_failed = has_failed or bool(outcome.failures)
    if len(measured) > 1:
        print(*table(together(measured)), sep="\n")
    print(*summary, sep="\n")
    return 1 if has_failed else 0


def _one_run(options: argparse.Namespace, seed: int, busy: int, say: Callable[[str], None]) -> Outcome:
    with tempfile.TemporaryDirectory() as temporary, busy_cores(busy):
        folder = options.folder or Path(temporary)
        is_quick = options.times == "quick"
        copies = COPIES_OF_SEED[seed % len(COPIES_OF_SEED)] if options.copies is None else options.copies
        kinds = None if options.kinds is None else options.kinds.split(",")
        return run(
            Scale(seed, options.kills, options.disturbances, kinds, options.minutes * 60, is_quick, copies),
            folder,
            say,
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="processes of services that die by kill -9")
    parser.add_argument(
        "--disturbances",
        type=int,
        help="pauses, faults of brokers, Redis, network, disks and object store; by default every kind twice",
    )
    parser.add_argument("--kinds", help="the kinds of disturbances, separated by commas; by default all")
    parser.add_argument(
        "--times",
        choices=("production", "quick"),
        default="production",
        help="of brokers and sessions: as Kafka has them by default, or as short as they can be",
    )
    parser.add_argument(
        "--copies",
        type=int,
        help="replicas of rules that keep each partition; 0: all of them. By default 0 for even seeds, 2 for others",
    )
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="runs with this many seeds, one after another")
    parser.add_argument("--busy", type=int, default=0, help="cores kept busy beside")
    parser.add_argument(
        "--busy-from", type=int, default=0, help="the number of the first run beside busy cores"
    )
    parser.add_argument(
        "--minutes", type=float, default=FOR_EVER, help="end each run after so long, however much is left"
    )
    parser.add_argument("--folder", type=Path, help="where data and logs of one run stay; removed otherwise")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
