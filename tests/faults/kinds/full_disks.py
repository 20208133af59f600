"""Disks without room: of one broker, of all brokers, of a replica's copy, of the ledger's books; and Redis without memory."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack

from devtools.brokers.redis import RedisServer
from tests.faults.disks import Disk

ROOM_BYTES = 64 * 1024
"""So that it becomes full in the midst of a write."""
FULL_MEMORY_BYTES = 1024
# As in deploy/k8s/components/redis-plain.
EVICTION = "volatile-lru"


def fill(full: Sequence[Disk], seconds: float) -> None:
    """Take their room, wait, give it back."""
    with ExitStack() as stack:
        for disk in full:
            stack.callback(disk.free)
            disk.fill(ROOM_BYTES)
        time.sleep(seconds)


def fill_redis(redis: RedisServer, seconds: float) -> None:
    """Let Redis take nothing more that has no end, wait, let it again."""
    with redis.client() as client:
        client.config_set("maxmemory-policy", EVICTION)
        client.config_set("maxmemory", FULL_MEMORY_BYTES)
        try:
            time.sleep(seconds)
        finally:
            client.config_set("maxmemory", 0)
