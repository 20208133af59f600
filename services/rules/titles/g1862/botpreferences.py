"""What simple bots make of the commands that only 1862 has."""

from __future__ import annotations

from services.rules.parts.botpreferences import BotPreference
from services.rules.titles.g1862.commands import BuyNewTrain, BuyTokens, Merge, SettleOption

# Tokens to begin with.
TOKENS = 3


def _is_redeemed(command: SettleOption) -> bool:
    """Shares are worth keeping."""
    return command.redeem


def _from_few(command: BuyTokens) -> int:
    return abs(command.count - TOKENS)


def _has_no_warranties(command: BuyNewTrain) -> bool:
    """The money is better spent on another train."""
    return not command.warranties


PREFERENCES = (
    BotPreference(SettleOption, "at_once", wanted=_is_redeemed),
    BotPreference(BuyTokens, "at_once", distance=_from_few),
    BotPreference(BuyNewTrain, "trains", wanted=_has_no_warranties, weight=6),
    BotPreference(Merge, "after_trains", "any", one_in=24, weight=0.03),
)
