"""How a company that was absorbed, went bankrupt or was not quoted in time comes back on offer (1862/4.3-d, 7.5.7, 7.12)."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.draft import Draft


def restart(draft: Draft, symbol: str, successor: str = "") -> None:
    """Its certificates go back to the bank, its marker off the market; it has its first licence and can be opened again
    (1862/4.3-d, 5.2.6-k, 7.5.7-a to 7.5.7-c)."""
    held = [
        holder for (holder, company), numbers in draft.game.holdings.items() if company == symbol and numbers
    ]
    for holder in held:
        if holder != e.BANK:
            draft.move_certificates(symbol, draft.game.held(holder, symbol), holder, e.BANK, "returned")
    if symbol in draft.game.markers:
        draft.emit(e.PriceRemoved(symbol))
    draft.emit(e.CompanyReset(symbol, successor))
