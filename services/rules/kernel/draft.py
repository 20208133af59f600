"""A draft of a decision: a copy of the game that events are written to one by one; dropped when the command is rejected."""

from __future__ import annotations

from services.rules.kernel.events import CashMoved, Event
from services.rules.kernel.fold import apply
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData


class Draft:
    """`game` is the state after all `events` so far; the game it was opened on is never touched."""

    __slots__ = ("data", "events", "game")

    def __init__(self, game: Game, data: TitleData) -> None:
        self.game = game.copy()
        self.data = data
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Record one fact and fold it in at once."""
        self.events.append(event)
        apply(self.game, event)

    def pay(self, source: str, target: str, amount: int, reason: str, subject: str = "") -> None:
        """Move money; nothing is recorded for nothing."""
        if amount:
            self.emit(CashMoved(source, target, amount, reason, subject))
