"""What only a player of 1862 may ask for."""

from __future__ import annotations

from services.rules.kernel.commands import Command


class BuyTokens(Command, frozen=True):
    """Buy `count` tokens, the home token among them, for a company that has just been quoted (1862/6.5.4.2)."""

    company: str
    count: int


class Merge(Command, frozen=True):
    """Propose that `company`, whose turn it is, merges with `other` or acquires it (1862/7.5, 7.14)."""

    company: str
    other: str


class ChooseSurvivor(Command, frozen=True):
    """Name which of two merging companies goes on (1862/5.2.1-a)."""

    company: str


class SettleOption(Command, frozen=True):
    """Redeem one's option in an exchange of shares, or give it up (1862/5.2.4)."""

    redeem: bool


class RedeemCertificate(Command, frozen=True):
    """Buy a certificate of `company` from the pool into its own treasury (1862/7.13)."""

    company: str


class BuyNewTrain(Command, frozen=True):
    """Buy the bank's `train` for `price`, to run as `kind`, with `warranties` bought for it (1862/2.2-a, 7.9, 7.10-a).

    `price` is that of the train alone. Trains of other companies are bought with `BuyTrain`."""

    company: str
    train: str
    price: int
    kind: str
    warranties: int = 0


class RaiseCash(Command, frozen=True):
    """Raise what `company` lacks for a train it must buy, from `treasury_shares` or by `refinancing` (1862/7.11)."""

    company: str
    source: str


COMMANDS: tuple[type[Command], ...] = (
    BuyTokens,
    Merge,
    ChooseSurvivor,
    SettleOption,
    RedeemCertificate,
    BuyNewTrain,
    RaiseCash,
)
