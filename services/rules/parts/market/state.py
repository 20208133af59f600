"""Where the markers of companies are on the price chart."""

from __future__ import annotations

from typing import Any, ClassVar

from services.rules.kernel.game import Game, PartState
from services.rules.kernel.titledata import TitleData

PART = "market"

Cell = tuple[int, int]


class MarketState(PartState):
    """`markers`: the (row, column) of each company's marker; `cells`: the companies of each cell, the topmost first."""

    PART: ClassVar[str] = PART

    cells: dict[Cell, tuple[str, ...]] = {}
    markers: dict[str, Cell] = {}

    def copy(self) -> MarketState:
        """An independent copy."""
        return MarketState(self.cells.copy(), self.markers.copy())

    def position(self, data: TitleData) -> object:
        """All of it."""
        return self.cells, self.markers


def market_of(game: Game) -> MarketState:
    """The market of a game, to be read."""
    try:
        found: Any = game.parts[PART]
    except KeyError:
        return MarketState()
    market: MarketState = found
    return market
