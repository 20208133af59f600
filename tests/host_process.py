"""`signalbox up` as a process of its own, which tests kill and start again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from services.host.addresses import Addresses
from services.host.children import free_ports

REPOSITORY = Path(__file__).parent.parent
GRACE_SECONDS = 60
SECONDS_TO_END = 120
PORTS = ("LOBBY", "RULES", "ROUTING", "LEDGER", "METRICS", "WEB")


class HostProcess:
    """The embedded host with its files in a folder."""

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        """Returns when it serves. `environment`: further variables. `prepare` is called in the new process before it runs.

        Raises `RuntimeError` with what it wrote when it ends instead."""
        given = {
            "SIGNALBOX_DATABASE": str(folder / "signalbox.db"),
            "SIGNALBOX_SIGNING_KEY": str(folder / "key.pem"),
            "SIGNALBOX_LOG_LEVEL": "warning",
            "SIGNALBOX_ROUTING_WORKERS": "0",
            "SIGNALBOX_STOP_GRACE_SECONDS": str(GRACE_SECONDS),
            **{f"SIGNALBOX_{name}_PORT": "0" for name in PORTS},
            **(environment or {}),
        }
        self.log = folder / "host.log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "from services.cli.main import app; app()", "up"],
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=REPOSITORY,
                env=os.environ | given,
                text=True,
                preexec_fn=prepare,
            )
        self.addresses = self._addresses()

    def _addresses(self) -> Addresses:
        found: dict[str, str] = {}
        assert self.process.stdout is not None
        for line in self.process.stdout:
            name, address = line.split(maxsplit=1)
            found[name] = re.sub(r"http://|/metrics", "", address.strip())
            if name == "events":
                return Addresses(**{each: found[each] for each in Addresses.__slots__})
        code = self.process.wait(SECONDS_TO_END)
        raise RuntimeError(f"the host ended with {code}: {self.log.read_text()[-2000:]}")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send the signal and wait; returns the exit code."""
        self.process.send_signal(how)
        self.process.communicate(timeout=SECONDS_TO_END)
        return self.process.returncode


def fixed_ports() -> dict[str, str]:
    """Variables that give a host the same free ports at every start."""
    return {
        f"SIGNALBOX_{name}_PORT": str(port) for name, port in zip(PORTS, free_ports(len(PORTS)), strict=True)
    }
