"""A decision in the making: events written one by one into a copy of the game, thrown away as a whole when refused."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.evolve import apply
from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData


class Draft:
    """`game` is the state after all `events` so far; the game it was opened on is never touched."""

    __slots__ = ("data", "events", "game")

    def __init__(self, game: Game, data: TitleData) -> None:
        self.game = game.copy()
        self.data = data
        self.events: list[e.Event] = []

    def emit(self, event: e.Event) -> None:
        """Record one fact and fold it in at once."""
        self.events.append(event)
        apply(self.game, event)

    def pay(self, source: str, target: str, amount: int, reason: e.MoneyReason, subject: str = "") -> None:
        """Move money; nothing is recorded for nothing."""
        if amount:
            self.emit(e.CashMoved(source, target, amount, reason, subject))

    def move_certificates(
        self, company: str, numbers: tuple[int, ...], source: str, target: str, reason: e.CertificateReason
    ) -> None:
        """Move certificates; nothing is recorded for none."""
        if numbers:
            sizes = self.data.companies[company].certificates
            percent = sum(sizes[number] for number in numbers)
            self.emit(e.CertificatesMoved(company, numbers, source, target, reason, percent))
