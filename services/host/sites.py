"""Where a program that this process starts runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Site:
    """An address to listen on, and what it takes to run there: a network namespace and a disk of its own, for example."""

    host: str = LOOPBACK
    entrance: tuple[str, ...] = ()
    """Stands before the program's command and starts it there."""
    folder: Path | None = None
    """For its data, if not the folder that all share."""

    def command(self, command: Sequence[str]) -> list[str]:
        """The command that runs this command here."""
        return [*self.entrance, *command]


HERE = Site()
