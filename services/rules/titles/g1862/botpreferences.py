"""What simple bots make of the commands that only 1862 has."""

from __future__ import annotations

from services.rules.kernel.botpreferences import BotPreference
from services.rules.titles.g1862.commands import BuyTokens, Merge, SettleOption

# Tokens to begin with.
TOKENS = 3


def _is_redeemed(command: SettleOption) -> bool:
    """Shares are worth keeping."""
    return command.redeem


def _from_few(command: BuyTokens) -> int:
    return abs(command.count - TOKENS)


PREFERENCES = (
    BotPreference(SettleOption, "at_once", wanted=_is_redeemed),
    BotPreference(BuyTokens, "at_once", distance=_from_few),
    BotPreference(Merge, "after_trains", "any", one_in=24, weight=0.03),
)
