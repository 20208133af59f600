"""What simple bots make of the commands that only 1824 has."""

from __future__ import annotations

from services.rules.parts.botpreferences import BotPreference
from services.rules.titles.g1824.commands import BuyCompany, ExchangeCompany, RepayDebt, TradeInTrain


def _from_dearest(command: TradeInTrain) -> int:
    return -command.price


PREFERENCES = (
    BotPreference(RepayDebt, "debts"),
    BotPreference(ExchangeCompany, "before_shares"),
    BotPreference(BuyCompany, "before_shares", "middle_price"),
    BotPreference(TradeInTrain, "trains", distance=_from_dearest),
)
