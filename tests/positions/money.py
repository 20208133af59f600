"""Who has how much money."""

from __future__ import annotations

from services.rules.kernel.events import CashMoved, DebtChanged
from services.rules.kernel.vocabulary import BANK
from tests.positions.written import WrittenGame


class MoneyFacts(WrittenGame):
    """Cash and debts."""

    __slots__ = ()

    def has_cash(self, holder: str, amount: int) -> None:
        """The holder has exactly this much; the difference is the bank's."""
        change = amount - self.game.money(holder)
        if change > 0:
            self.write(CashMoved(BANK, holder, change, "correction"))
        elif change < 0:
            self.write(CashMoved(holder, BANK, -change, "correction"))

    def bank_has(self, amount: int) -> None:
        """The bank has exactly this much; the difference is the last player's."""
        holder = self.game.players[-1]
        self.has_cash(holder, self.game.money(holder) + self.game.money(BANK) - amount)

    def borrows(self, player: str, amount: int, reason: str) -> None:
        """The player owes so much more, and has no more cash for it."""
        self.write(DebtChanged(player, amount, reason))
