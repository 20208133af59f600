"""What simple bots make of the commands that only 1865 has."""

from __future__ import annotations

from services.rules.parts.botpreferences import BotPreference
from services.rules.titles.g1865.commands import (
    Absorb,
    ConvertCompany,
    HandOver,
    LaunchAnew,
    PlaceTokenByRoute,
    TakeMaritime,
)


def _length(command: PlaceTokenByRoute) -> int:
    """A short way is cheap."""
    return len(command.route)


PREFERENCES = (
    BotPreference(TakeMaritime, "at_once", "any"),
    BotPreference(ConvertCompany, "at_once"),
    BotPreference(PlaceTokenByRoute, "at_once", distance=_length),
    BotPreference(HandOver, "after_trains", "any", one_in=4, weight=0.3),
    BotPreference(Absorb, "after_trains", "any", one_in=8, weight=0.1),
    BotPreference(LaunchAnew, "before_shares", "middle_price", one_in=2, weight=0.1),
)
