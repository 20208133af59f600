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


class HomeSpaceChanged(Event, frozen=True):
    """After cities of its home were joined, the first token of `state` is to take space `slot` of its city."""

    state: str
    slot: int

    def write(self, game: Game) -> None:
        """The space is replaced."""
        State.to_write(game).home_spaces[self.state] = self.slot


class ListedSharesChanged(Event, frozen=True):
    """By the list of holders `player` has `shares` more of `company` than he holds (negative: less)."""

    company: str
    player: str
    shares: int

    def write(self, game: Game) -> None:
        """The difference is replaced."""
        State.to_write(game).listed[self.player, self.company] = self.shares


class DirectorLost(Event, frozen=True):
    """`company` fell into receivership; `player` was its last director."""

    company: str
    player: str

    def write(self, game: Game) -> None:
        """He is remembered."""
        State.to_write(game).last_directors[self.company] = self.player


EVENTS: tuple[type[Event], ...] = (
    CertificatesReserved,
    StacksLaid,
    BondCompanyBegun,
    TokenTrainChanged,
    HomeSpaceChanged,
    ListedSharesChanged,
    DirectorLost,
)
