"""What owners wrote into their logs about the partitions that they took over, step by step, with the time since the kill of
another one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

STEPS = (
    "transaction aborted",
    "revoked",
    "lost",
    "assigned",
    "dead owner's transaction is aborted",
    "nothing is missing to take over",
    "taken over",
)
OF_ALL_LINES = ("event", "level", "service", "timestamp")


def steps_since(logs: Iterable[Path], killed: datetime) -> Iterator[str]:
    """The steps of all these logs after a time, in their order."""
    found = []
    for path in logs:
        for text in path.read_text().splitlines():
            line = json.loads(text) if text.startswith("{") else {}
            if line.get("event") in STEPS and (at := datetime.fromisoformat(line["timestamp"])) >= killed:
                said = {name: value for name, value in line.items() if name not in OF_ALL_LINES}
                found.append(((at - killed).total_seconds(), path.stem, line["event"], said))
    for seconds, replica, step, said in sorted(found, key=lambda each: each[0]):
        yield f"{seconds:6.2f} s {replica} {step} " + ", ".join(
            f"{name} {value}" for name, value in said.items()
        )
