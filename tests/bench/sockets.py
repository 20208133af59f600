"""How many bytes processes have got over their open connections, as the kernel counts them."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Collection, Sequence

OWNERS = re.compile(r"pid=(\d+),")
RECEIVED = re.compile(r"bytes_received:(\d+)")


def received_from(ports: Collection[int], pids: Sequence[int]) -> list[int]:
    """Bytes that each of these processes has received from servers at these ports, over the connections that are open now.

    Needs `ss` (iproute2)."""
    there = " or ".join(f"dport = :{port}" for port in ports)
    asked = ["ss", "--tcp", "--info", "--processes", "--numeric", "--no-header", "--oneline", there]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    found: Counter[int] = Counter()
    for line in listed.splitlines():
        owner, received = OWNERS.search(line), RECEIVED.search(line)
        if owner is not None and received is not None:
            found[int(owner[1])] += int(received[1])
    return [found[pid] for pid in pids]
