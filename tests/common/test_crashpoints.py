"""Processes that die at a point."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from services.common.process.crashpoints import VARIABLE, CrashPoint
from services.common.settings.service import SettingsError
from tests.conftest import REPOSITORY

PASSES_TWICE = (
    "from services.common.process.crashpoints import reach\n"
    "reach('owner.after-decide'); print('once', flush=True)\n"
    "reach('owner.before-commit'); reach('owner.after-decide'); print('twice', flush=True)"
)


@pytest.mark.integration
@pytest.mark.parametrize(
    ("armed", "code", "said"),
    [
        ("", 0, "once\ntwice\n"),
        ("owner.after-decide", -signal.SIGKILL, ""),
        ("owner.after-decide:2", -signal.SIGKILL, "once\n"),
        ("owner.after-decide:3", 0, "once\ntwice\n"),
    ],
)
def test_a_process_dies_at_the_armed_point(armed: str, code: int, said: str) -> None:
    """It dies when it comes there for the n-th time, and at no other point."""
    done = subprocess.run(
        [sys.executable, "-c", PASSES_TWICE],
        env=os.environ | {VARIABLE: armed},
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
    )
    assert (done.returncode, done.stdout) == (code, said)


@pytest.mark.parametrize("armed", ["owner.nowhere", "owner.after-decide:often"])
def test_a_point_that_does_not_exist_is_refused(armed: str) -> None:
    """A test that misspells a point must not pass by never killing."""
    with pytest.raises(SettingsError, match=VARIABLE):
        CrashPoint(armed)
