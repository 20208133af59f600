"""Purchases and sales of shares as the stock round notes them, and the end of a company's turn."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import PlayerActed, TurnEnded
from services.rules.parts.shares.events import CompanyOperated, SharesBought, SharesSold
from services.rules.parts.shares.state import companies_of


def note_purchase(draft: Draft, player: str, company: str, count: int = 1) -> None:
    """`player` bought `count` shares of `company` in the turn at hand."""
    draft.emit(PlayerActed(player))
    draft.emit(SharesBought(player, company, count))


def note_sale(draft: Draft, player: str, company: str) -> None:
    """`player` sold shares of `company` in the turn at hand."""
    draft.emit(PlayerActed(player))
    draft.emit(SharesSold(player, company))


def end_company_turn(draft: Draft) -> None:
    """The company at turn is through; that it has operated is recorded once."""
    company = draft.game.actor
    if not companies_of(draft.game)[company].operated:
        draft.emit(CompanyOperated(company))
    draft.emit(TurnEnded(company))
