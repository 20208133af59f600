"""What the least harmful move, which a clock makes for an absent player, needs to know of commands that only one title has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command
from services.rules.kernel.game import Game
from services.rules.kernel.title import Title
from services.rules.kernel.titledata import TitleData

# The name of this capability among those of a title.
LEAST_HARM = "least_harm"

Figure = Callable[[Game, TitleData, Choice], int]


@dataclass(frozen=True, slots=True)
class LeastHarm:
    """`numbers`: an open number where it is not the smallest. `lost`: what a choice gives away beside its cost. `new_trains`:
    commands that buy a train of the bank. `never_due`: commands that nobody has to send, ever."""

    numbers: Mapping[type[Command], Figure] = field(default_factory=dict)
    lost: Mapping[type[Command], Figure] = field(default_factory=dict)
    new_trains: tuple[type[Command], ...] = ()
    never_due: tuple[type[Command], ...] = ()


def least_harm_of(title: Title) -> LeastHarm:
    """What the title says; nothing about a title that has no such commands."""
    found: LeastHarm = title.capabilities.get(LEAST_HARM, LeastHarm())
    return found
