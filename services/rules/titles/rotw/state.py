"""What only this title knows of a game: links, goods, income markers, and what a turn has brought so far."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from services.rules.kernel.game import Game, PartNote, PartState
from services.rules.kernel.titledata import TitleData

PART = "rotw"
BUILD, DELIVER, PASSED = "build", "deliver", "pass"


class Link(Struct, frozen=True):
    """A completed link: its `owner`, and the hexes of its track from one city to the other, both included."""

    owner: str
    path: tuple[str, ...]


class NamedShare(Struct, frozen=True):
    """The share that is auctioned: who named it, and where it comes from, the bank (available) or the pool (issued)."""

    player: str
    source: str


class Vote(Struct, frozen=True):
    """How a player voted."""

    player: str
    accept: bool


class Merger(Struct, frozen=True):
    """A merger that is voted on: `company` proposes to acquire `target`, and would issue so many shares and bonds for it.
    `voting`: whose shareholders vote now, with the `votes` so far."""

    company: str
    target: str
    shares: int
    bonds: int
    voting: str = ""
    votes: tuple[Vote, ...] = ()


class State(PartState):
    """`links` by id, in the order in which they were built. `goods` by city; `emptied`: the cities with a marker, in order.
    `income`: spaces on the income track, by company; none stands for 0. `actions`: what each company has chosen in the
    rounds of this turn. `idle_turns`: in so many turns before this one no company built or delivered."""

    PART: ClassVar[str] = PART

    links: dict[str, Link] = {}
    goods: dict[str, tuple[str, ...]] = {}
    emptied: tuple[str, ...] = ()
    income: dict[str, int] = {}
    actions: dict[str, tuple[str, ...]] = {}
    idle_turns: int = 0
    named: NamedShare | None = None
    merger: Merger | None = None

    def copy(self) -> State:
        """An independent copy."""
        return State(
            self.links.copy(),
            self.goods.copy(),
            self.emptied,
            self.income.copy(),
            self.actions.copy(),
            self.idle_turns,
            self.named,
            self.merger,
        )

    def position(self, data: TitleData) -> object:
        """All that lasts beyond a turn."""
        return self.links, self.goods, self.emptied, self.idle_turns


class RoundNote(PartNote, frozen=True):
    """`done`: the players who name no more shares in this round of auctions; `acquirers`: the companies that have acquired
    another one in this round of mergers."""

    PART: ClassVar[str] = PART

    done: tuple[str, ...] = ()
    acquirers: tuple[str, ...] = ()


own = State.of


def links_of(game: Game, company: str) -> dict[str, Link]:
    """The links of a company by id."""
    return {name: link for name, link in own(game).links.items() if link.owner == company}
