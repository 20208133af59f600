"""Where markers stand on the chart of prices."""

from __future__ import annotations

from services.rules.parts.market.data import chart_of
from services.rules.parts.market.events import PriceMoved, PriceStarted
from services.rules.parts.market.market import price_of
from services.rules.parts.market.state import market_of
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
