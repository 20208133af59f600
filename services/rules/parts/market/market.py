"""The share price chart: rows from the top, cells from the left, rows of different lengths."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.data import MarketMove, chart_of
from services.rules.parts.market.events import PriceMoved
from services.rules.parts.market.state import market_of

Cell = tuple[int, int]

_STEPS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0), "stay": (0, 0)}


def price_at(data: TitleData, cell: Cell) -> int:
    """Price printed in a cell."""
    return chart_of(data).rows[cell[0]][cell[1]]


def price_of(game: Game, data: TitleData, company: str) -> int:
    """Present share price of `company`, 0 while it has none."""
    cell = market_of(game).markers.get(company)
    return price_at(data, cell) if cell is not None else 0


def _beside(data: TitleData, cell: Cell, direction: str) -> Cell | None:
    step = _STEPS[direction]
    row, column = cell[0] + step[0], cell[1] + step[1]
    rows = chart_of(data).rows
    return (row, column) if 0 <= row < len(rows) and 0 <= column < len(rows[row]) else None


def target(data: TitleData, cell: Cell, move: MarketMove, times: int = 1) -> Cell:
    """Where `move`, made so many times, leads from `cell`; where the chart ends both ways the marker stays."""
    for _ in range(move.cells * times):
        cell = _beside(data, cell, move.to) or _beside(data, cell, move.at_the_end) or cell
    return cell


def shift(draft: Draft, data: TitleData, company: str, move: MarketMove, reason: str, times: int = 1) -> None:
    """Make `move` with the marker of `company`, under the markers already there; standing still is no event."""
    cell = market_of(draft.game).markers[company]
    goal = target(data, cell, move, times)
    if goal != cell:
        draft.emit(PriceMoved(company, goal[0], goal[1], reason, price_at(data, goal)))


def operating_order(game: Game, data: TitleData, companies: list[str]) -> list[str]:
    """By falling price, then the marker farther right, then the upper one in the cell (1824/VII.4-d..f)."""

    def key(company: str) -> tuple[int, int, int]:
        cell = market_of(game).markers[company]
        return -price_at(data, cell), -cell[1], market_of(game).cells[cell].index(company)

    return sorted(companies, key=key)
