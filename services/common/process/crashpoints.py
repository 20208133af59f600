"""Places at which a test may let this process die, to prove that nothing is lost there.

SIGNALBOX_CRASH_AT=POINT:N kills the process (kill -9) when it reaches POINT for the N-th time, POINT alone the first
time. Unset, as in every real run, a point costs a comparison.
"""

from __future__ import annotations

import os
import signal
import threading

from services.common.settings.service import SettingsError

VARIABLE = "SIGNALBOX_CRASH_AT"

POINTS = (
    "gateway.before-send",
    "gateway.after-send",
    "gateway.before-answer",
    "owner.after-consume",
    "owner.after-begin",
    "owner.after-decide",
    "owner.after-produce",
    "owner.before-commit",
    "owner.after-commit",
    "owner.after-assign",
    "copy.before-write",
    "copy.after-write",
    "copy.before-put",
    "copy.after-put",
    "follower.before-handle",
    "follower.after-handle",
    "follower.after-offset",
    "archive.after-put",
    "archive.after-list",
    "archive.after-drop",
    "archive.after-live",
    "partition.after-piece",
    "partition.before-manifest",
    "partition.after-batch",
    "append.before-send",
    "append.before-answer",
)
# Of commands, which no run of `make faults` starts.
POINTS_OF_COMMANDS = (
    "archive.after-deletion",
    "backup.after-begin",
    "backup.before-segment",
    "backup.after-segment",
    "backup.before-point",
    "backup.after-point",
    "restore.before-write",
    "restore.after-facts",
    "restore.after-derived",
    "repartition.after-close",
    "repartition.after-backup",
    "repartition.before-open",
)


class CrashPoint:
    """The armed point, if any."""

    def __init__(self, wanted: str | None) -> None:
        """`wanted` is what the variable says. Raises `SettingsError` for a point that does not exist."""
        name, _, count = (wanted or "").partition(":")
        known = (*POINTS, *POINTS_OF_COMMANDS)
        if name and name not in known:
            raise SettingsError(f"{VARIABLE}: {name!r} is not one of {', '.join(known)}")
        if count and not count.isdecimal():
            raise SettingsError(f"{VARIABLE}: {count!r} is no number")
        self._name = name
        self._left = int(count or 1)
        self._lock = threading.Lock()

    def reach(self, name: str) -> None:
        """Die here if it is time."""
        if name != self._name:
            return
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


reach = CrashPoint(os.environ.get(VARIABLE)).reach
