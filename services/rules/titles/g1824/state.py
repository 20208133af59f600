"""What only a game of 1824 knows: certificates in the bank that are kept for an exchange."""

from __future__ import annotations

from typing import ClassVar

from services.rules.kernel.game import Game, PartState
from services.rules.kernel.titledata import TitleData


class State(PartState):
    """`reserved`: the numbers of certificates that are not for sale, by company."""

    PART: ClassVar[str] = "1824"

    reserved: dict[str, tuple[int, ...]] = {}

    def copy(self) -> State:
        """An independent copy."""
        return State(self.reserved.copy())

    def position(self, data: TitleData) -> object:
        """All of it."""
        return self.reserved


def reserved_of(game: Game, company: str) -> tuple[int, ...]:
    """The certificates of `company` in the bank that are kept for an exchange."""
    return State.of(game).reserved.get(company, ())
