"""Events that only 1824 knows."""

from __future__ import annotations

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.titles.g1824.state import Stack, State


class CertificatesReserved(Event, frozen=True):
    """From now on exactly these certificates of `company` in the bank are kept for an exchange, not for sale."""

    company: str
    numbers: tuple[int, ...]

    def write(self, game: Game) -> None:
        """The numbers are replaced."""
        State.to_write(game).reserved[self.company] = self.numbers


class StacksLaid(Event, frozen=True):
    """The private companies lie in these stacks; the first holds the construction companies."""

    stacks: tuple[Stack, ...]

    def write(self, game: Game) -> None:
        """The stacks as they are laid out."""
        State.to_write(game).stacks = self.stacks


class BondCompanyBegun(Event, frozen=True):
    """`company` is the regional without director from now on."""

    company: str

    def write(self, game: Game) -> None:
        """The company is known."""
        State.to_write(game).bond = self.company


class TokenTrainChanged(Event, frozen=True):
    """The last train of this kind brings the regional without director a token; no train does when it is empty."""

    kind: str

    def write(self, game: Game) -> None:
        """The kind is replaced."""
        State.to_write(game).token_train = self.kind


EVENTS: tuple[type[Event], ...] = (CertificatesReserved, StacksLaid, BondCompanyBegun, TokenTrainChanged)
