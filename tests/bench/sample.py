"""One sample of speed, as JSON: seconds of processor time for deciding, folding and rebuilding a recorded game, and for a
fixed computation that shows how fast this machine is just now: `python -P tests/bench/sample.py GAME.json.gz`.

`ratios` runs this file on the services of two checkouts, so it takes their modules by the name that they have there."""

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

RUNS = 7
REFERENCE_STEPS = 60_000


def _of_rules(name: str, before: str) -> Any:
    """A module of rules; `before`: what it was called before the core was parted into kernel, parts and titles."""
    parted = find_spec("services.rules.kernel") is not None
    return import_module(f"services.rules.{name if parted else before}")


class DecideClock:
    """Stands for `decide` and adds up the processor time it takes."""

    def __init__(self, decide: Callable[..., Any]) -> None:
        self._decide = decide
        self.seconds = 0.0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Decide, and note how long that takes."""
        began = time.process_time()
        outcome = self._decide(*arguments, **named)
        self.seconds += time.process_time() - began
        return outcome


def reference() -> int:
    """Work of the kind that rules do: small dictionaries, tuples and function calls."""
    seen: dict[tuple[int, int], int] = {}
    for step in range(REFERENCE_STEPS):
        key = (step % 997, step % 31)
        seen[key] = seen.get(key, 0) + len(str(step))
    return max(seen.values())


def _least_seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(RUNS):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def main(path: Path) -> None:
    """Measure and print."""
    importer, fold = (
        _of_rules("importer.replay", "recorded.replay"),
        _of_rules("kernel.fold", "domain.evolve"),
    )
    codec = import_module("services.rules.adapters.codec")
    record = _of_rules("importer.files", "recorded.files").read_record(path)
    title = import_module("services.rules.titles").TITLES[record.title]
    decide = importer.decide
    decide_seconds = []
    for _ in range(RUNS):
        importer.decide = clock = DecideClock(decide)
        played = importer.play(record, title, time.monotonic, as_recorded=True)
        decide_seconds.append(clock.seconds)
    stored = [codec.encode_event(event) for event in played.events]
    sample = {
        "actions": played.actions,
        "events": len(stored),
        "decide": min(decide_seconds),
        "fold": _least_seconds(lambda: fold.replay(played.events)),
        "rebuild": _least_seconds(lambda: fold.replay([codec.decode_event(*each) for each in stored])),
        "reference": _least_seconds(reference),
    }
    print(json.dumps(sample))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
