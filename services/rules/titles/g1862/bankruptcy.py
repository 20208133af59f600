"""Stands in for bankruptcy."""

from services.rules.domain.draft import Draft
from services.rules.domain.title import Context


def go_bankrupt(draft: Draft, context: Context, symbol: str, cause: str) -> None:
    """Stands in."""
    raise NotImplementedError
