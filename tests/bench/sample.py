"""One sample of speed, as JSON: seconds of processor time for deciding and rebuilding a recorded game, and for a fixed
computation that tells how fast this machine is just now. `python -m tests.bench.sample GAME.json.gz`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from services.rules.adapters.codec import decode_event, encode_event
from services.rules.importer.files import read_record
from services.rules.importer.replay import play
from services.rules.kernel.fold import replay
from services.rules.titles import TITLES

RUNS = 5
REFERENCE_STEPS = 60_000


def reference() -> int:
    """Work of the kind that rules do: small dictionaries, tuples and function calls."""
    seen: dict[tuple[int, int], int] = {}
    for step in range(REFERENCE_STEPS):
        key = (step % 997, step % 31)
        seen[key] = seen.get(key, 0) + len(str(step))
    return max(seen.values())


def _best_seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(RUNS):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def main(path: Path) -> None:
    """Measure and print."""
    record = read_record(path)
    title = TITLES[record.title]
    played = play(record, title, time.monotonic, as_recorded=True)
    stored = [encode_event(event) for event in played.events]
    sample = {
        "actions": played.actions,
        "events": len(stored),
        "decide": _best_seconds(lambda: play(record, title, time.monotonic, as_recorded=True)),
        "rebuild": _best_seconds(lambda: replay([decode_event(*each) for each in stored])),
        "reference": _best_seconds(reference),
    }
    print(json.dumps(sample))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
