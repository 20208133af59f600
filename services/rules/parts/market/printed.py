"""The price chart as printed, in its wire form: messages of the same names have the same fields."""

from __future__ import annotations

from msgspec import Struct

from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.data import MarketMove, chart_of


class MarketRow(Struct, frozen=True):
    """Prices of one row, from the left."""

    prices: tuple[int, ...]


class MarketPosition(Struct, frozen=True):
    """A cell, counted from 0."""

    row: int
    column: int


class MarketZone(Struct, frozen=True):
    """A named group of cells, for example those at which a company may start."""

    name: str
    cells: tuple[MarketPosition, ...]


class MarkerMove(Struct, frozen=True):
    """Where a marker goes, by how many cells, and where instead when its row or column ends."""

    cause: str
    to: str
    cells: int
    at_the_end: str


class PrintedMarket(Struct, frozen=True):
    """The chart, top row first, and what moves a marker on it."""

    rows: tuple[MarketRow, ...]
    zones: tuple[MarketZone, ...]
    moves: tuple[MarkerMove, ...]


def printed(data: TitleData) -> PrintedMarket:
    """The chart of a title that has one."""
    chart = chart_of(data)
    moves = {name: getattr(chart.moves, name) for name in chart.moves.__struct_fields__}
    return PrintedMarket(
        rows=tuple(MarketRow(prices) for prices in chart.rows),
        zones=tuple(
            MarketZone(name, tuple(MarketPosition(row, column) for row, column in cells))
            for name, cells in chart.zones.items()
        ),
        moves=tuple(_move(cause, move) for cause, move in moves.items()),
    )


def _move(cause: str, move: MarketMove) -> MarkerMove:
    return MarkerMove(cause, move.to, move.cells, move.at_the_end)
