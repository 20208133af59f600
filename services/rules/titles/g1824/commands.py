"""What only a player of 1824 may ask for."""

from __future__ import annotations

from services.rules.kernel.commands import Command


class BuyCompany(Command, frozen=True):
    """Buy a privately held company (mountain, coal, pre-state) from the bank at `price`."""

    company: str
    price: int


class ExchangeCompany(Command, frozen=True):
    """Hand in `company` for a certificate of `target`. `number` picks the printed certificate; -1 takes the first plain one."""

    company: str
    target: str
    number: int = -1


class TradeInTrain(Command, frozen=True):
    """Buy `train` from the bank for `price`, handing in `trade_in`, a train of the type before (VII.13)."""

    company: str
    train: str
    price: int
    trade_in: str


class DiscardTrain(Command, frozen=True):
    """Give up a train above the limit."""

    company: str
    train: str


class RepayDebt(Command, frozen=True):
    """Pay back `amount` of one's own debt."""

    amount: int


COMMANDS: tuple[type[Command], ...] = (
    BuyCompany,
    ExchangeCompany,
    TradeInTrain,
    DiscardTrain,
    RepayDebt,
)
