"""The bots behind the seats of the house: each remembers what it did while it is in memory."""

from __future__ import annotations

from collections import OrderedDict

from services.bots.bot import Bot
from services.bots.sensible import SensibleBot

BOTS_IN_MEMORY = 1_000


class BotMemory:
    """The bots of those seats that were asked last. For one thread."""

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, str], Bot] = OrderedDict()

    def of(self, game_id: str, seat: str) -> Bot:
        """The bot of a seat; a new one where it was forgotten."""
        key = (game_id, seat)
        bot = self._bots.setdefault(key, SensibleBot(len(self._bots)))
        self._bots.move_to_end(key)
        if len(self._bots) > BOTS_IN_MEMORY:
            self._bots.popitem(last=False)
        return bot
