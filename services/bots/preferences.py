"""What the titles that are played here say about commands of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from services.rules.kernel.choice import Choice
from services.rules.kernel.commands import Command
from services.rules.parts.botpreferences import BotPreference, Moment, bot_preferences_of
from services.rules.titles import TITLES

BY_COMMAND: Mapping[type[Command], BotPreference] = {
    preference.command: preference for title in TITLES.values() for preference in bot_preferences_of(title)
}


def offered_at(choices: Sequence[Choice], moment: Moment) -> bool:
    """Whether any choice is of a kind that is thought of at that moment."""
    return any(
        preference.moment == moment
        for choice in choices
        if (preference := BY_COMMAND.get(type(choice.command))) is not None
    )


def by_preference(choices: Sequence[Choice], moment: Moment, draw: Random) -> Choice | None:
    """The choice that is taken at that moment, if any."""
    for preference in BY_COMMAND.values():
        if preference.moment != moment:
            continue
        wanted = [
            each
            for each in choices
            if type(each.command) is preference.command and preference.wanted(each.command)
        ]
        if wanted and (preference.one_in == 1 or not draw.randrange(preference.one_in)):
            return _picked(preference, wanted, draw)
    return None


def _picked(preference: BotPreference, wanted: Sequence[Choice], draw: Random) -> Choice:
    if preference.pick == "any":
        return draw.choice(wanted)
    if preference.pick == "nearest":
        return min(wanted, key=lambda each: preference.distance(each.command))
    prices = prices_of_one(wanted, draw)
    return prices[len(prices) // 2]


def prices_of_one(choices: Sequence[Choice], draw: Random) -> list[Choice]:
    """The choices for one of the companies, drawn by lot, the cheapest first."""
    named = {each: str(getattr(each.command, "company", "")) for each in choices}
    company = draw.choice(sorted(set(named.values())))
    return sorted((each for each in choices if named[each] == company), key=lambda each: each.cost)
