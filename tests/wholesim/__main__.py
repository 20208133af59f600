"""Runs of the whole platform by seed: `python -m tests.wholesim --seed 17` is the same run wherever it is made."""

from __future__ import annotations

import os
import sys

HASH_SEED = "PYTHONHASHSEED"


def main() -> int:
    """Exit 1 where a run failed."""
    if os.environ.get(HASH_SEED) != "0":
        # The order of sets of texts depends on it.
        arguments = [sys.executable, "-m", "tests.wholesim", *sys.argv[1:]]
        os.execve(sys.executable, arguments, os.environ | {HASH_SEED: "0"})
    # What takes long to import is imported by the process that stays.
    from tests.wholesim.command import main as run_command

    return run_command(__doc__ or "")


if __name__ == "__main__":
    sys.exit(main())
