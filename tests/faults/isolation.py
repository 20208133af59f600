"""A network and mounts of this run's own: what is cut or made full is nobody else's, and is gone when the run ends."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import NoReturn

from services.common.errors import SignalboxError

VARIABLE = "FAULTS_ISOLATED"
CHECK_SECONDS = 10.0


def is_isolated() -> bool:
    """Whether this process has been started again by `isolate`."""
    return VARIABLE in os.environ


class NotIsolated(SignalboxError):
    """This machine gives a run no network of its own; the message says why."""


def isolate(module: str, arguments: Sequence[str]) -> NoReturn:
    """Start this module again with a network and mounts of its own, in place of this process. Raises `NotIsolated`."""
    entrance = ["unshare", "--net", "--mount"]
    if os.geteuid() != 0:
        entrance.append("--map-root-user")
    try:
        subprocess.run(
            [*entrance, "ip", "link", "set", "lo", "up"],
            check=True,
            capture_output=True,
            timeout=CHECK_SECONDS,
        )
    except (OSError, subprocess.SubprocessError) as problem:
        raise NotIsolated(f"no network of its own: {problem}") from problem
    os.environ[VARIABLE] = "yes"
    os.execvp(entrance[0], [*entrance, sys.executable, "-m", module, *arguments])
