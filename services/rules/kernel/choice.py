"""What a player may do now. Every choice is a complete command, but for at most one open field with its bounds."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from services.rules.kernel.commands import Command

OpenField = Literal["", "price", "amount", "runs"]


class Choice(Struct, frozen=True, gc=False):
    """`command` may be sent as it is when `open_field` is empty; else that field is to be filled between `minimum` and
    `maximum` in steps of `step` (runs: any legal set of runs). `cost` is what the actor pays, in whole units."""

    player: str
    command: Command
    open_field: OpenField = ""
    minimum: int = 0
    maximum: int = 0
    step: int = 1
    cost: int = 0


def filled(choice: Choice, value: int) -> Command:
    """The choice's command with its open number set to `value`, or unchanged when nothing or the runs are open."""
    if choice.open_field in ("", "runs"):
        return choice.command
    change: dict[str, Any] = {choice.open_field: value}
    return replace(choice.command, **change)
