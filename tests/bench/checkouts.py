"""Checkouts of a commit before, to measure beside this one. `SIGNALBOX_BENCH_BASE` names the commit."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import REPOSITORY

BASE_VARIABLE = "SIGNALBOX_BENCH_BASE"


@contextmanager
def checkout_of(base: str) -> Iterator[Path]:
    """A folder with this commit as it was; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="signalbox-bench-") as scratch:
        before = Path(scratch) / "before"
        _git("worktree", "add", "--detach", "--quiet", str(before), base)
        try:
            yield before
        finally:
            _git("worktree", "remove", "--force", str(before))


def importing_from(checkout: Path) -> dict[str, str]:
    """Our environment, but that Python takes modules from this checkout."""
    return {**os.environ, "PYTHONPATH": str(checkout)}


def _git(*arguments: str) -> None:
    subprocess.run(("git", *arguments), cwd=REPOSITORY, check=True)
