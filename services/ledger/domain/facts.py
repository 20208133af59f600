"""The facts of a game that matter to the ledger, as its own types. Each carries its sequence in the game's
log.

Money is whole units. Holders are plain strings; an empty source or target means that something enters or
leaves the game.
"""

from __future__ import annotations

from msgspec import Struct


class Fact(Struct, frozen=True):
    """Base of all facts. `sequence`: index in the game's log, from 1, without gaps."""

    sequence: int


class Unmoved(Fact, frozen=True):
    """Something happened that no book counts: track, tokens, trains, questions."""


class GameCreated(Fact, frozen=True):
    """The game begins with `players` in seat order and `bank_cash` in the bank."""

    players: tuple[str, ...]
    bank_cash: int


class AudienceSet(Fact, frozen=True):
    """Not everybody may see the game."""


class CashMoved(Fact, frozen=True):
    """`amount` went from `source` to `target` because of `reason`, about `subject`."""

    source: str
    target: str
    amount: int
    reason: str
    subject: str


class CertificatesMoved(Fact, frozen=True):
    """Certificates that stand for `shares` shares of `company` went from `source` to `target`."""

    company: str
    shares: int
    source: str
    target: str
    reason: str


class CompanyBought(Fact, frozen=True):
    """`owner` bought the private company `company`, which counts at `price` from now on."""

    company: str
    owner: str
    price: int


class CompanyClosed(Fact, frozen=True):
    """`company` left the game and is worth nothing."""

    company: str


class PriceSet(Fact, frozen=True):
    """A share of `company` is worth `price` on the market from now on."""

    company: str
    price: int


class InitialPriceSet(Fact, frozen=True):
    """A share of `company` is sold for `price` at first, which it is worth until the market has a price."""

    company: str
    price: int


class DebtChanged(Fact, frozen=True):
    """The debt of `player` grew by `amount`, or shrank when it is negative."""

    player: str
    amount: int
    reason: str


class DividendDeclared(Fact, frozen=True):
    """`company` decided (`kind`) about `revenue`; a share received `per_share`."""

    company: str
    kind: str
    revenue: int
    per_share: int


class PhaseStarted(Fact, frozen=True):
    """The phase named `phase` began."""

    phase: str


class RoundStarted(Fact, frozen=True):
    """Round `number` of its set began in game turn `turn`, acted in `order`."""

    kind: str
    turn: int
    number: int
    order: tuple[str, ...]


class RoundEnded(Fact, frozen=True):
    """The round is over with all that follows from it."""


class OrderChanged(Fact, frozen=True):
    """The round continues in this order."""

    order: tuple[str, ...]


class TurnStarted(Fact, frozen=True):
    """The turn of the actor at `position` in the order began; a position after its end means no actor."""

    position: int


class TurnEnded(Fact, frozen=True):
    """The current turn is over."""


class GameEnded(Fact, frozen=True):
    """The game is over."""


class Undone(Fact, frozen=True):
    """The game returns to its state after `to_sequence`."""

    to_sequence: int
