"""A broker that gets a small share of a processor: it answers everything, but late."""

from __future__ import annotations

import random
import time
from contextlib import suppress

from devtools.brokers.kafka import KafkaNode
from services.host.children import ChildFailed

STOPPED_SECONDS = (0.1, 0.6)
RUNNING_SECONDS = (0.01, 0.05)
GONE = (ProcessLookupError, ChildFailed)


def slow_down(node: KafkaNode, seconds: float, draw: random.Random) -> None:
    """Stop and continue it in short slices for so long."""
    end = time.monotonic() + seconds
    with suppress(*GONE):
        try:
            while time.monotonic() < end:
                node.pause()
                time.sleep(draw.uniform(*STOPPED_SECONDS))
                node.resume()
                time.sleep(draw.uniform(*RUNNING_SECONDS))
        finally:
            node.resume()
