"""The rules service as its callers use it, on every host."""

from __future__ import annotations

from typing import Protocol

from services.rules.reading import GameReader
from services.rules.requests import CommandResult, Request


class RulesService(Protocol):
    """Executes commands and reads games."""

    @property
    def reader(self) -> GameReader:
        """Reads games."""

    def execute(self, request: Request, seconds: float | None = None) -> CommandResult:
        """Execute a command or reject it. When this returns, its events can be read; those of a repeat perhaps later.

        `seconds`: how long the caller waits. Raises `StaleSequenceError`, `UnknownGameError`: nothing changed;
        `Unavailable`, `DeadlineExceeded`: the result is unknown, and the same request may be sent again."""
