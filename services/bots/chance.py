"""The bot `random`: anything legal, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from services.bots.bot import filled
from services.rules.domain.choice import Choice
from services.rules.domain.commands import Command


class RandomBot:
    """Draws the kind of command first, then one of that kind, then the open number; trains run as they are suggested."""

    def __init__(self, seed: int) -> None:
        self._draw = Random(seed)

    def choose(self, choices: Sequence[Choice]) -> Command:
        """Any legal command; the same seed and the same choices lead to the same ones."""
        kinds = list(dict.fromkeys(type(choice.command) for choice in choices))
        kind = self._draw.choice(kinds)
        choice = self._draw.choice([each for each in choices if type(each.command) is kind])
        return filled(choice, self._draw.randrange(choice.minimum, choice.maximum + 1, choice.step))
