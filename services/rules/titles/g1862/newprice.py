"""What a company is worth after a merger, on the market and on the chart of initial offers, and what a refinancing brings by
that chart (1862/5.2.3, 7.5.3, 7.5.4, 7.11.2)."""

from __future__ import annotations

from services.rules.domain import events as e
from services.rules.domain.draft import Draft
from services.rules.domain.game import Game
from services.rules.domain.titledata import MarketCell, TitleData
from services.rules.titles.g1862.companies import effective_price


def _highest_cell(data: TitleData, amount: int, cells: list[MarketCell]) -> MarketCell:
    """The cell of the highest price up to `amount`; the lowest cell when all are above."""
    rows = data.market.rows
    ladder = sorted(cells, key=lambda cell: rows[cell[0]][cell[1]])
    fitting = [cell for cell in ladder if rows[cell[0]][cell[1]] <= amount]
    return fitting[-1] if fitting else ladder[0]


def cell_after_merger(game: Game, data: TitleData, first: str, second: str) -> MarketCell:
    """The lower price and half the higher one, rounded down to a price on the market; the halves of trainless companies
    are compared (1862/7.5.3-a to 7.5.3-c). The space of the bankrupt is no price: the lowest one is what remains at least."""
    lower, higher = sorted(effective_price(game, data, symbol) for symbol in (first, second))
    rows = enumerate(data.market.rows)
    cells = [(row, column) for row, prices in rows for column, price in enumerate(prices) if price]
    return _highest_cell(data, lower + higher // 2, cells)


def marker_price(data: TitleData, price: int) -> int:
    """Where the marker stands on the chart of initial offers for this share price: at the same price or the next below,
    between the ends of the chart (1862/5.2.3-b, 7.5.4-a)."""
    row, column = _highest_cell(data, price, list(data.market.zones["par_chartered"]))
    return data.market.rows[row][column]


def in_chartered_area(game: Game, symbol: str) -> bool:
    """Whether the marker of a company stands in the chartered area of the chart of initial offers."""
    company = game.companies[symbol]
    return company.chartered or company.marker_chartered


def set_new_price(draft: Draft, data: TitleData, survivor: str, absorbed: str) -> int:
    """Mark the survivor's new price on the market and on the chart; returns it (1862/5.2.3-a, 7.5.4-b)."""
    row, column = cell_after_merger(draft.game, data, survivor, absorbed)
    price = data.market.rows[row][column]
    area = any(in_chartered_area(draft.game, symbol) for symbol in (survivor, absorbed))
    draft.emit(e.PriceMoved(survivor, row, column, "merged", price))
    draft.emit(e.IpoMarkerSet(survivor, marker_price(data, price), area))
    return price


def refinancing_brings(game: Game, data: TitleData, symbol: str) -> int:
    """Ten times the price on the chart of initial offers, up to 1000 (1862/5.1.3-b, 7.11.2-b)."""
    limits = data.figures.limits
    return min(limits["refinancing_times_marker"] * game.companies[symbol].par, limits["refinancing_most"])
