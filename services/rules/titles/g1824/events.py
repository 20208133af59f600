"""Events that only 1824 knows."""

from __future__ import annotations

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.titles.g1824.state import State


class CertificatesReserved(Event, frozen=True):
    """From now on exactly these certificates of `company` in the bank are kept for an exchange, not for sale."""

    company: str
    numbers: tuple[int, ...]

    def write(self, game: Game) -> None:
        """The numbers are replaced."""
        State.to_write(game).reserved[self.company] = self.numbers


EVENTS: tuple[type[Event], ...] = (CertificatesReserved,)
