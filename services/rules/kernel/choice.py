"""What a player may do now. Every choice is a complete command, but for at most one open field with its bounds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from services.rules.kernel.commands import Command

OpenField = Literal["", "price", "amount", "runs"]


class Choice(Struct, frozen=True):
    """`command` may be sent as it is when `open_field` is empty; else that field is to be filled between `minimum` and
    `maximum` in steps of `step` (runs: any legal set of runs). `cost` is what the actor pays, in whole units."""

    player: str
    command: Command
    open_field: OpenField = ""
    minimum: int = 0
    maximum: int = 0
    step: int = 1
    cost: int = 0
