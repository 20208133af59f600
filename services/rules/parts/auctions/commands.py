"""What a player may ask for in an auction."""

from __future__ import annotations

from services.rules.kernel.commands import Command


class Bid(Command, frozen=True):
    """Bid `price` for `company`: the first bid opens its auction."""

    company: str
    price: int


COMMANDS: tuple[type[Command], ...] = (Bid,)
