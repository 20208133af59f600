"""How pods ended: what the kubelet says of their containers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from tests.deploy.pod_history import PodEvent


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a pod that was to go."""

    pod: str
    exit_code: int
    seconds: float
    """From the order to the end of its container."""
    grace_seconds: float


def endings(events: list[PodEvent]) -> Iterator[Ending]:
    """Of every pod that was to go while its container ran."""
    seen = set()
    for event in events:
        metadata = event.pod["metadata"]
        states = event.pod["status"].get("containerStatuses", [])
        ended = next((each["state"]["terminated"] for each in states if "terminated" in each["state"]), None)
        if ended is None or "deletionTimestamp" not in metadata or metadata["uid"] in seen:
            continue
        seen.add(metadata["uid"])
        grace = metadata["deletionGracePeriodSeconds"]
        # The time of deletion is when the pod has to be gone.
        left = (_moment(metadata["deletionTimestamp"]) - _moment(ended["finishedAt"])).total_seconds()
        if left <= grace:
            yield Ending(event.name, ended["exitCode"], grace - left, grace)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
