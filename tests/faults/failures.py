"""What counts as a failure of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["loss", "stale", "crash", "standstill"]
KINDS: Mapping[Kind, str] = {
    "loss": "losses and contradictions",
    "stale": "answers older than promised",
    "crash": "crashes",
    "standstill": "standstills",
}
"""With their names in the plural."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One of them in words. A loss is anything that contradicts an earlier answer, a stale answer is one without commands
    that were acknowledged longer ago than an answer may be old, a crash is a process that ended by
    itself, a standstill is work that did not go on in time or only because a watchdog ended a process."""

    kind: Kind
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"
