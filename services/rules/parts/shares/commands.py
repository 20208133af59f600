"""What a player may ask for about shares."""

from __future__ import annotations

from services.rules.kernel.commands import Command


class BuyCertificate(Command, frozen=True):
    """Buy one certificate of `company` from `source` (`bank`, `pool`, or a company for its treasury).

    `number` picks one printed certificate; -1 takes the first plain one."""

    company: str
    source: str = "bank"
    number: int = -1


class StartCompany(Command, frozen=True):
    """Buy the director's certificate of a company without price and set its starting price (after an auction: par)."""

    company: str
    price: int


class SellCertificates(Command, frozen=True):
    """Sell `shares` shares of `company` in one sale. `numbers` picks printed certificates; empty: the first plain ones."""

    company: str
    shares: int
    numbers: tuple[int, ...] = ()


COMMANDS: tuple[type[Command], ...] = (BuyCertificate, StartCompany, SellCertificates)
