"""What a bot is, and the filling of a choice's open field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command


class Bot(Protocol):
    """Plays one seat of one game."""

    def choose(self, choices: Sequence[Choice]) -> Command:
        """The command to send, out of at least one choice."""


def filled(choice: Choice, value: int) -> Command:
    """The choice's command with its open number set to `value`, or unchanged when nothing or the runs are open."""
    if choice.open_field in ("", "runs"):
        return choice.command
    change: dict[str, Any] = {choice.open_field: value}
    return replace(choice.command, **change)
