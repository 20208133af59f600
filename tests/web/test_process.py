"""`signalbox serve web`: a process in front of services elsewhere."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosting import hosting
from tests.web.serving import LOBBY, SECONDS, Web, until

pytestmark = pytest.mark.integration


def test_a_process_of_its_own(tmp_path: Path, repository: Path) -> None:
    """It prints its address, offers all but routing, which on a cluster asks for no token, and ends when asked to."""
    with hosting(tmp_path) as host:
        services = {
            f"SIGNALBOX_{name.upper()}_ADDRESSES": getattr(host.addresses, name)
            for name in ("lobby", "rules", "routing", "ledger")
        }
        ports = {"SIGNALBOX_WEB_PORT": "0", "SIGNALBOX_METRICS_PORT": "0", "SIGNALBOX_LOG_LEVEL": "error"}
        process = subprocess.Popen(
            [sys.executable, "-m", "services.cli", "serve", "web"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=repository,
            env={**os.environ, **services, **ports},
        )
        try:
            assert process.stdout is not None
            web = Web(process.stdout.readline().split()[-1])
            assert until(lambda: web.ask("GET", "/health").status, 200)
            assert web.ask("POST", f"{LOBBY}/ListTables", {}).status == 200
            assert web.ask("POST", "/api/signalbox.routing.v1.Routing/Solve", {}).status == 404
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0


def test_what_is_missing_is_named(repository: Path) -> None:
    """The addresses of services are needed: exit 1 and a sentence."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SIGNALBOX_")}
    done = subprocess.run(
        [sys.executable, "-m", "services.cli", "serve", "web"],
        capture_output=True,
        text=True,
        cwd=repository,
        env=plain | {"SIGNALBOX_WEB_PORT": "0", "SIGNALBOX_METRICS_PORT": "0"},
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert "SIGNALBOX_LOBBY_ADDRESSES" in done.stderr and "Traceback" not in done.stderr
