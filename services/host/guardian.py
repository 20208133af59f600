"""Ends what a process has started once that process is dead, however it died.

Run as a script of its own without any package: lines "+pid" and "-pid" come in; when the input ends, the processes
that are left are killed.
"""

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Follow the list to its end, then kill what is on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    alive: set[int] = set()
    for line in sys.stdin:
        pid = int(line[1:])
        if line.startswith("+"):
            alive.add(pid)
        else:
            alive.discard(pid)
    for pid in alive:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
