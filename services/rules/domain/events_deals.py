"""Events of openings and exchanges: the offer of companies, auctions, obligations, 2 for 1 exchanges."""

from __future__ import annotations

from services.rules.domain.event_base import Event
from services.rules.domain.vocabulary import ExchangeKind, ServiceOrNone


class CompanyOffered(Event, frozen=True):
    """The draw put `company` on the next space of the offer: it can be opened from `phase` on and has this licence."""

    company: str
    phase: str
    licence: ServiceOrNone


class AuctionOpened(Event, frozen=True):
    """`company` is put to auction among `bidders`, in the order in which they are asked."""

    company: str
    bidders: tuple[str, ...]


class BidMade(Event, frozen=True):
    """`player` bids `price`, the highest so far."""

    player: str
    company: str
    price: int


class AuctionPassed(Event, frozen=True):
    """`player` is out of the auction of `company`."""

    player: str
    company: str


class AuctionWon(Event, frozen=True):
    """The auction of `company` is over: `player` has to open it."""

    player: str
    company: str
    price: int


class AuctionClosed(Event, frozen=True):
    """The winner has opened `company` and bought what he wanted of it."""

    company: str


class ObligationTaken(Event, frozen=True):
    """`player` answers for `company` being quoted before the end of the next stock round (1862/4.3-a)."""

    player: str
    company: str


class ObligationEnded(Event, frozen=True):
    """`player` answers no more for `company`; `met`: it was quoted in time."""

    player: str
    company: str
    met: bool


class ExchangeStarted(Event, frozen=True):
    """Shares of `company` and `other` (empty: a refinancing) are exchanged 2 for 1 into `company` at `price`.

    `player` started it; `holders` act in this order."""

    kind: ExchangeKind
    company: str
    other: str
    player: str
    price: int
    holders: tuple[str, ...]


class OptionMarked(Event, frozen=True):
    """`holder` keeps certificate `number` of `company` as an option, to be redeemed or given up for these sums."""

    holder: str
    company: str
    number: int
    redeem_price: int
    give_up_price: int


class OptionSettled(Event, frozen=True):
    """The option of `holder` on certificate `number` of `company` is redeemed, or given up."""

    holder: str
    company: str
    number: int
    redeemed: bool


class HolderSettled(Event, frozen=True):
    """`holder` is through with the exchange."""

    holder: str


class ExchangeEnded(Event, frozen=True):
    """The exchange of shares into `company` is over."""

    company: str
