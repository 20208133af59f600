"""Where markers stand on the chart of prices."""

from __future__ import annotations

from typing import NamedTuple

from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceMoved, PriceRemoved, PriceStarted
from services.rules.parts.market.market import price_of
from services.rules.parts.market.state import market_of
from tests.positions.reading import Events, facts
from tests.positions.written import WrittenGame


class MarketFacts(WrittenGame):
    """Prices."""

    __slots__ = ()

    def marker_stands(self, company: str, row: int, column: int) -> None:
        """The marker of the company is on this cell of the chart, counted from 0; it comes last there."""
        price = chart_of(self.data).rows[row][column]
        if company in market_of(self.game).markers:
            self.write(PriceMoved(company, row, column, "sale", price))
        else:
            self.write(PriceStarted(company, price, row, column))

    def price_of(self, company: str) -> int:
        """The present market price."""
        return price_of(self.game, self.data, company)


class PriceMove(NamedTuple):
    """A marker that moved to a cell of the chart, and the price there."""

    company: str
    row: int
    column: int
    reason: str
    price: int


def price_moves(events: Events, *reasons: str) -> list[PriceMove]:
    """All markers that moved, or those that did for these reasons."""
    return [
        PriceMove(each.company, each.row, each.column, each.reason, each.price)
        for each in facts(events, PriceMoved)
        if not reasons or each.reason in reasons
    ]


def removed_prices(events: Events) -> list[str]:
    """The companies whose markers left the chart."""
    return [each.company for each in facts(events, PriceRemoved)]
