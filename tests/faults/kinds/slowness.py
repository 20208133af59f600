"""A server that gets a small share of a processor: it answers everything, but late."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from typing import Protocol

from services.host.children import ChildFailed

STOPPED_SECONDS = (0.1, 0.6)
RUNNING_SECONDS = (0.01, 0.05)
GONE = (ProcessLookupError, ChildFailed)


class Server(Protocol):
    """A broker, or another program."""

    def pause(self) -> None:
        """Stop it; its connections stay open."""

    def resume(self) -> None:
        """Continue it."""


def slow_down(server: Server, seconds: float, draw: random.Random) -> None:
    """Stop and continue it in short slices for so long."""
    end = time.monotonic() + seconds
    with suppress(*GONE):
        try:
            while time.monotonic() < end:
                server.pause()
                time.sleep(draw.uniform(*STOPPED_SECONDS))
                server.resume()
                time.sleep(draw.uniform(*RUNNING_SECONDS))
        finally:
            server.resume()
