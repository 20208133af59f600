"""What a player may ask for about trains."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.commands import Command


class Hop(Struct, frozen=True):
    """Track from one stop to the next, as the hexes it passes."""

    hexes: tuple[str, ...]


class TrainRun(Struct, frozen=True):
    """A run as the player draws it: for each hop between two stops, the hexes it passes, first and last included."""

    train: str
    hops: tuple[Hop, ...]


class RunTrains(Command, frozen=True):
    """Run the trains of `company`. Revenue is computed from the runs; a player never states it."""

    company: str
    runs: tuple[TrainRun, ...]


class DeclareDividend(Command, frozen=True):
    """Divide what the trains of `company` earned: `pay`, `withhold`, or in a way that only the title knows."""

    company: str
    kind: str


class BuyTrain(Command, frozen=True):
    """Buy `train` from `seller` (`bank` or a company) for `price`.

    What the treasury lacks in a forced purchase comes from the director and his loans (1824/VII.12)."""

    company: str
    train: str
    price: int
    seller: str = "bank"


COMMANDS: tuple[type[Command], ...] = (RunTrains, DeclareDividend, BuyTrain)
