"""A process that hangs at its start or stop ends itself, so that its orchestrator starts another."""

from __future__ import annotations

import json
import subprocess
import sys

from services.common.process.exit_on_timeout import EXIT_HUNG

HANGS = """
import time
from services.common.process.exit_on_timeout import exit_on_timeout
from services.common.telemetry.logs import configure_logging
configure_logging("info")
with exit_on_timeout("going through quickly", 30):
    pass
with exit_on_timeout("starting to listen", 0.2):
    time.sleep(30)
print("never said")
"""


def test_who_hangs_ends_and_says_at_what() -> None:
    """With an exit code of its own, one line in the log, and the stacks of its threads."""
    done = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=120)
    assert done.returncode == EXIT_HUNG
    assert "never said" not in done.stdout
    (line,) = (each for each in (done.stdout + done.stderr).splitlines() if "hung" in each)
    logged = json.loads(line)
    assert (logged["level"], logged["doing"], logged["seconds"]) == ("critical", "starting to listen", 0.2)
    assert 'File "<string>", line 9 in <module>' in done.stderr
