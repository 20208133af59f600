"""What a bot is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command


class Bot(Protocol):
    """Plays one seat of one game."""

    def choose(self, choices: Sequence[Choice]) -> Command:
        """The command to send, out of at least one choice."""
