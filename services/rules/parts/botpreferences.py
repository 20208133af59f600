"""What simple bots make of commands that only one title has. A title without preferences can be played by them as well: they then
use such commands only when there is nothing else to do, or by chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from services.rules.kernel.commands import Command
from services.rules.kernel.title import Title

# The name of this capability among those of a title.
BOT_PREFERENCES = "bot_preferences"

# Before anything else; when a debt may be repaid; before shares are bought; when trains are bought, next to the command that
# all titles have for it; after trains are bought.
Moment = Literal["at_once", "debts", "before_shares", "trains", "after_trains"]


def any_command(command: Any) -> bool:
    """Every command of the kind is worth sending."""
    return True


def nothing(command: Any) -> int:
    """All commands of the kind are as good."""
    return 0


@dataclass(frozen=True, slots=True)
class BotPreference:
    """When a bot thinks of a kind of `command`, and which of its choices it takes.

    `wanted`: whether one is worth sending. `pick`: the first of those with the least `distance`, the one with the middle price
    for a company drawn by lot, or any by lot. It is taken one time in `one_in`; `weight`: how often the eager bot draws
    this kind beside one of weight 1."""

    command: type[Command]
    moment: Moment
    pick: Literal["nearest", "middle_price", "any"] = "nearest"
    wanted: Callable[[Any], bool] = any_command
    distance: Callable[[Any], int] = nothing
    one_in: int = 1
    weight: float = 1


def bot_preferences_of(title: Title) -> tuple[BotPreference, ...]:
    """The preferences of a title, in the order in which bots think of them."""
    found: tuple[BotPreference, ...] = title.capabilities.get(BOT_PREFERENCES, ())
    return found
