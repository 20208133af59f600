"""`make faults`: kills without number while games are played, then the check. The seed makes the plan."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.run import FOR_EVER, run


def main() -> int:
    """Exit 1 where anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="processes of services that die by kill -9")
    parser.add_argument(
        "--disturbances", type=int, default=40, help="pauses, broker and Redis faults, full disks"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--minutes", type=float, default=FOR_EVER, help="end after so long, however much is left"
    )
    parser.add_argument("--folder", type=Path, help="where logs and data stay; otherwise they are removed")
    options = parser.parse_args()
    began = time.monotonic()

    def say(line: str) -> None:
        print(f"{time.monotonic() - began:7.1f} s  {line}", flush=True)

    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        outcome = run(folder, options.seed, options.kills, options.disturbances, say, options.minutes * 60)
    for line in outcome.lines():
        print(line)
    return 1 if outcome.problems else 0


if __name__ == "__main__":
    sys.exit(main())
