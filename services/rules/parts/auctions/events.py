"""Events of auctions."""

from __future__ import annotations

from msgspec.structs import replace

from services.rules.kernel.events import BrokenLog, Event
from services.rules.kernel.game import Game
from services.rules.parts.auctions.state import Auction, AuctionRound, AuctionState


class AuctionOpened(Event, frozen=True):
    """`company` is put to auction among `bidders`, in the order in which they are asked."""

    company: str
    bidders: tuple[str, ...]

    def write(self, game: Game) -> None:
        """There is no bid yet."""
        AuctionState.to_write(game).auction = Auction(self.company, self.bidders)


class BidMade(Event, frozen=True):
    """`player` bids `price`, the highest so far."""

    player: str
    company: str
    price: int

    def write(self, game: Game) -> None:
        """The player leads."""
        _set(game, replace(_auction(game), leader=self.player, price=self.price))


class AuctionPassed(Event, frozen=True):
    """`player` is out of the auction of `company`."""

    player: str
    company: str

    def write(self, game: Game) -> None:
        """The others go on."""
        auction = _auction(game)
        _set(game, replace(auction, bidders=tuple(each for each in auction.bidders if each != self.player)))


class AuctionWon(Event, frozen=True):
    """The auction of `company` is over: `player` won it."""

    player: str
    company: str
    price: int

    def write(self, game: Game) -> None:
        """The bidding is over; the round keeps the winner."""
        _set(game, replace(_auction(game), leader=self.player, price=self.price, bidders=(), won=True))
        so_far = AuctionRound.of_round(game)
        replace(so_far, won=(*so_far.won, self.player)).note_round(game)


class AuctionClosed(Event, frozen=True):
    """The winner of `company` has had what the auction was for."""

    company: str

    def write(self, game: Game) -> None:
        """No auction is under way."""
        _set(game, None)


def _auction(game: Game) -> Auction:
    auction = AuctionState.of(game).auction
    if auction is None:
        raise BrokenLog("no auction is open")
    return auction


def _set(game: Game, auction: Auction | None) -> None:
    AuctionState.to_write(game).auction = auction


EVENTS: tuple[type[Event], ...] = (AuctionOpened, BidMade, AuctionPassed, AuctionWon, AuctionClosed)
