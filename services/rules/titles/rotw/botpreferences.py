"""What simple bots make of the commands that only this title has."""

from __future__ import annotations

from services.rules.parts.botpreferences import BotPreference
from services.rules.titles.rotw.commands import (
    BuildLink,
    DeliverGood,
    NameShare,
    PayDividend,
    ProposeMerger,
    RepayBonds,
)


def _length(command: BuildLink) -> int:
    """Short links are cheap."""
    return len(command.path)


# A dividend is paid as high as can be; of deliveries the first is taken, which brings most.
PREFERENCES = (
    BotPreference(PayDividend, "at_once"),
    BotPreference(RepayBonds, "debts"),
    BotPreference(NameShare, "before_shares", "any"),
    BotPreference(DeliverGood, "trains", weight=4),
    BotPreference(BuildLink, "after_trains", distance=_length, weight=4),
    BotPreference(ProposeMerger, "after_trains", "any", one_in=12, weight=0.5),
)
