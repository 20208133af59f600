"""Stands in for refinancing."""

from services.rules.domain.draft import Draft
from services.rules.domain.title import Context


def refinance(draft: Draft, context: Context, symbol: str, player: str) -> None:
    """Stands in."""
    raise NotImplementedError
