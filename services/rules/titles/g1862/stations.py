"""Placing stations, and which companies' stations are joined."""

from __future__ import annotations

from services.rules.domain.game import Game
from services.rules.domain.titledata import TitleData


def connected(game: Game, data: TitleData, a: str, b: str) -> bool:
    """Whether the stations of two companies are joined by track (1862/7.5.2)."""
    raise NotImplementedError
