"""Purchases and sales of shares as the stock round notes them."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PlayerActed
from services.rules.parts.shares.events import SharesBought, SharesSold


def note_purchase(draft: Draft, player: str, company: str, count: int = 1) -> None:
    """`player` bought `count` shares of `company` in the turn at hand."""
    draft.emit(PlayerActed(player))
    draft.emit(SharesBought(player, company, count))


def note_sale(draft: Draft, player: str, company: str) -> None:
    """`player` sold shares of `company` in the turn at hand."""
    draft.emit(PlayerActed(player))
    draft.emit(SharesSold(player, company))
