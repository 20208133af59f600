"""What a company is worth after a merger, on the market and on the chart of initial offers, and what a refinancing brings by
that chart (1862/5.2.3, 7.5.3, 7.5.4, 7.11.2)."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.kernel.draft import Draft
from services.rules.kernel.game import Game
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.data import MarketCell, chart_of
from services.rules.parts.market.events import PriceMoved
from services.rules.parts.shares.events import ParSet
from services.rules.parts.shares.state import companies_of
from services.rules.titles.g1862.companies import effective_price
from services.rules.titles.g1862.events import ChartAreaSet
from services.rules.titles.g1862.figures import figures_of
from services.rules.titles.g1862.state import charter_of


def _highest_cell(data: TitleData, amount: int, cells: Sequence[MarketCell]) -> MarketCell:
    """Of cells by rising price that of the highest price up to `amount`; the first when all are above."""
    rows = chart_of(data).rows
    fitting = [cell for cell in cells if rows[cell[0]][cell[1]] <= amount]
    return fitting[-1] if fitting else cells[0]


def cell_after_merger(game: Game, data: TitleData, first: str, second: str) -> MarketCell:
    """The lower price and half the higher one, rounded down to a price on the market; the halves of trainless companies
    are compared (1862/7.5.3-a to 7.5.3-c). The space of the bankrupt is no price: the lowest one is what remains at least."""
    lower, higher = sorted(effective_price(game, data, symbol) for symbol in (first, second))
    rows = enumerate(chart_of(data).rows)
    cells = [(row, column) for row, prices in rows for column, price in enumerate(prices) if price]
    return _highest_cell(data, lower + higher // 2, cells)


def marker_price(data: TitleData, price: int) -> int:
    """Where the marker stands on the chart of initial offers for this share price: at the same price or the next below,
    between the ends of the chart (1862/5.2.3-b, 7.5.4-a)."""
    row, column = _highest_cell(data, price, chart_of(data).zones["par_chartered"])
    return chart_of(data).rows[row][column]


def in_chartered_area(game: Game, symbol: str) -> bool:
    """Whether the marker of a company stands in the chartered area of the chart of initial offers."""
    charter = charter_of(game, symbol)
    return charter.chartered or charter.in_chartered_area


def set_new_price(draft: Draft, data: TitleData, survivor: str, absorbed: str) -> int:
    """Mark the survivor's new price on the market and on the chart; returns it (1862/5.2.3-a, 7.5.4-b)."""
    row, column = cell_after_merger(draft.game, data, survivor, absorbed)
    price = chart_of(data).rows[row][column]
    area = any(in_chartered_area(draft.game, symbol) for symbol in (survivor, absorbed))
    draft.emit(PriceMoved(survivor, row, column, "1862.merged", price))
    draft.emit(ParSet(survivor, marker_price(data, price)))
    draft.emit(ChartAreaSet(survivor, area))
    return price


def refinancing_brings(game: Game, data: TitleData, symbol: str) -> int:
    """Ten times the price on the chart of initial offers, up to 1000 (1862/5.1.3-b, 7.11.2-b)."""
    limits = figures_of(data)
    return min(limits.refinancing_times_marker * companies_of(game)[symbol].par, limits.refinancing_most)
