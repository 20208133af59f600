"""Refinancing a company that must buy a train and cannot pay for it (1862/5.1.3, 7.11.2)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.title import Context
from services.rules.titles.g1862.mergers import shareexchange as exchange


def refinance(draft: Draft, context: Context, symbol: str, player: str) -> None:
    """Exchange the company's shares 2 for 1 and give it its new capital; no survivor is chosen and its price stays
    (1862/5.1.3-b, 5.1.3-c). Holders may have options to settle first."""
    exchange.start(draft, context, "refinancing", symbol, "", player)
