"""What only a game of 1824 knows: certificates in the bank that are kept for an exchange; with two players the stacks."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from services.rules.kernel.game import Game, PartState
from services.rules.kernel.titledata import TitleData


class Stack(Struct, frozen=True):
    """Private companies that two players share out between them."""

    companies: tuple[str, ...]


class State(PartState):
    """`reserved`: the numbers of certificates that are not for sale, by company. `stacks`: all stacks as they were laid out,
    that of the construction companies first. `bond`: the regional without director, once it has begun; `token_train`:
    the train whose last piece brings it a token, empty when none does any more. `home_spaces`: by state the space that
    its first token is to take, where that is no longer the one with the number of its printed city. `listed`: by player and
    company the shares that the list of holders shows beyond those held. `last_directors`: by company who directed it when
    it fell into receivership."""

    PART: ClassVar[str] = "1824"

    reserved: dict[str, tuple[int, ...]] = {}
    stacks: tuple[Stack, ...] = ()
    bond: str = ""
    token_train: str = ""
    home_spaces: dict[str, int] = {}
    listed: dict[tuple[str, str], int] = {}
    last_directors: dict[str, str] = {}

    def copy(self) -> State:
        """An independent copy."""
        return State(
            self.reserved.copy(),
            self.stacks,
            self.bond,
            self.token_train,
            self.home_spaces.copy(),
            self.listed.copy(),
            self.last_directors.copy(),
        )

    def position(self, data: TitleData) -> object:
        """All of it."""
        return (
            self.reserved,
            self.stacks,
            self.bond,
            self.token_train,
            self.home_spaces,
            self.listed,
            self.last_directors,
        )


def reserved_of(game: Game, company: str) -> tuple[int, ...]:
    """The certificates of `company` in the bank that are kept for an exchange."""
    return State.of(game).reserved.get(company, ())


def construction_of(game: Game) -> tuple[str, ...]:
    """The companies that are construction companies in this game (1824/X.3-a)."""
    stacks = State.of(game).stacks
    return stacks[0].companies if stacks else ()


def bond_of(game: Game) -> str:
    """The regional without director (1824/X.4-d), empty where there is none."""
    return State.of(game).bond
