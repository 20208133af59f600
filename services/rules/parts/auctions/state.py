"""The auction of a game: one thing at a time, bidders in a fixed order, the highest bid wins."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from services.rules.kernel.game import Game, PartNote, PartState
from services.rules.kernel.titledata import TitleData

PART = "auctions"


class Auction(Struct, frozen=True):
    """An auction: `bidders` are still in it, in the order in which they are asked; the highest bid is `price` of `leader`.

    Once it is `won` there are no bidders, and the leader has what the title gives for it."""

    company: str
    bidders: tuple[str, ...]
    leader: str = ""
    price: int = 0
    won: bool = False


class AuctionState(PartState):
    """The auction that is under way, if any."""

    PART: ClassVar[str] = PART

    auction: Auction | None = None

    def copy(self) -> AuctionState:
        """An independent copy."""
        return AuctionState(self.auction)

    def position(self, data: TitleData) -> object:
        """Nothing: an auction ends with the round it is held in."""
        return None


class AuctionRound(PartNote, frozen=True):
    """`won`: the players who won an auction in this round."""

    PART: ClassVar[str] = PART

    won: tuple[str, ...] = ()


def auction_of(game: Game) -> Auction | None:
    """The auction that is under way."""
    return AuctionState.of(game).auction


def auction_round(game: Game) -> AuctionRound:
    """The auctions of the round at hand."""
    return AuctionRound.of_round(game)
