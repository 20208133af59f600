"""What counts as a failure of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["loss", "crash", "standstill"]
KINDS: tuple[Kind, ...] = ("loss", "crash", "standstill")


@dataclass(frozen=True, slots=True)
class Failure:
    """One of them in words. A loss is anything that contradicts an earlier answer, a crash is a process that ended by
    itself, a standstill is work that did not go on in time or only because a watchdog ended a process."""

    kind: Kind
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"
