"""What all writers of events share."""

from __future__ import annotations

from services.rules.domain.game import Company, Game


class BrokenLog(Exception):
    """The log holds an event that cannot follow the state before it."""


def company_of(game: Game, symbol: str) -> Company:
    """What is known of a company, one as new if nothing was written about it."""
    return game.companies.get(symbol) or Company()
