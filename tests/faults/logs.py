"""Logs of the processes of a run: written on demand while it runs, and kept when it fails."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from services.common.telemetry.stack_dumps import DUMP_SIGNAL
from services.host.children import ChildFailed
from services.host.processes import Replica
from tests.conftest import REPOSITORY

FOLDER = REPOSITORY / "build" / "faults"
LOG = "*.log"


def dump_stacks(replicas: Iterable[Replica], say: Callable[[str], None]) -> None:
    """Have every process of a service write the stacks of its threads into its log."""
    say("no command acknowledged: stacks of all processes go into their logs")
    for replica in replicas:
        with suppress(ChildFailed, OSError):
            if _catches(replica.process.pid, DUMP_SIGNAL):
                replica.process.send(DUMP_SIGNAL)


def _catches(pid: int, sent: int) -> bool:
    """Whether a process has a handler for a signal; one that is just starting would be ended by it."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (sent - 1) & 1)


def keep_logs(folder: Path, seed: int, say: Callable[[str], None], kept: Path = FOLDER) -> Path:
    """Copy the logs of services and brokers to a folder of this seed, which is returned."""
    target = kept / f"seed-{seed}"
    shutil.rmtree(target, ignore_errors=True)
    for log in folder.rglob(LOG):
        place = target / log.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(log, place)
    say(f"logs are kept in {target}")
    return target
