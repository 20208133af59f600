"""A process that does not come back from starting or stopping ends itself, so that whoever keeps it starts another."""

from __future__ import annotations

import json
import subprocess
import sys

from services.common.process.hanging import HUNG

HANGS = """
import time
from services.common.process.hanging import ended_if_hung
from services.common.telemetry.logs import configure_logging
configure_logging("info")
with ended_if_hung("going through quickly", 30):
    pass
with ended_if_hung("starting to listen", 0.2):
    time.sleep(30)
print("never said")
"""


def test_who_hangs_ends_and_says_at_what() -> None:
    """With an exit code of its own, one line in the log, and the stacks of its threads."""
    done = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=20)
    assert done.returncode == HUNG
    assert "never said" not in done.stdout
    (line,) = (each for each in (done.stdout + done.stderr).splitlines() if "hung" in each)
    told = json.loads(line)
    assert (told["level"], told["doing"], told["seconds"]) == ("critical", "starting to listen", 0.2)
    assert 'File "<string>", line 9 in <module>' in done.stderr
