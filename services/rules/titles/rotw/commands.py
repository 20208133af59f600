"""What a player may ask for in this title alone. Raises in an auction, votes and passes are commands of all titles."""

from __future__ import annotations

from services.rules.kernel.commands import Command


class NameShare(Command, frozen=True):
    """Put a share of `company` up for auction and bid `price` for it; it comes from `source`: `bank` (available) or `pool`
    (issued)."""

    company: str
    source: str
    price: int


class BuildLink(Command, frozen=True):
    """Build a link over the hexes of `path`, from a city to the next. What the treasury lacks comes from so many `shares`
    that the company issues, then from so many `bonds`."""

    company: str
    path: tuple[str, ...]
    shares: int = 0
    bonds: int = 0


class DeliverGood(Command, frozen=True):
    """Move a cube of `colour` from `city` over these links, in order."""

    company: str
    city: str
    colour: str
    links: tuple[str, ...]


class RepayBonds(Command, frozen=True):
    """Repay bonds of `company` for `amount` dollars altogether."""

    company: str
    amount: int


class PayDividend(Command, frozen=True):
    """Pay `amount` dollars as the dividend of `company`, all shares together; 0: none."""

    company: str
    amount: int


class ProposeMerger(Command, frozen=True):
    """Propose that `company` acquires `target`. What the treasury lacks comes from so many `shares` that it would issue, then
    from so many `bonds`."""

    company: str
    target: str
    shares: int = 0
    bonds: int = 0


COMMANDS: tuple[type[Command], ...] = (
    NameShare,
    BuildLink,
    DeliverGood,
    RepayBonds,
    PayDividend,
    ProposeMerger,
)
