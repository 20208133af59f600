"""Events of the price chart."""

from __future__ import annotations

from services.rules.kernel.events import Event
from services.rules.kernel.game import Game
from services.rules.parts.market.state import Cell, MarketState


class PriceStarted(Event, frozen=True):
    """`company` got its first market price: its marker is on the market at (`row`, `column`), the cell of `price`."""

    company: str
    price: int
    row: int
    column: int

    def write(self, game: Game) -> None:
        """The marker lies under those of the cell."""
        _place(game, self.company, (self.row, self.column))


class PriceMoved(Event, frozen=True):
    """The marker of `company` moved under the markers at (`row`, `column`), the cell of `price`."""

    company: str
    row: int
    column: int
    reason: str
    price: int

    def write(self, game: Game) -> None:
        """The marker lies under those of the cell, also when it was there already."""
        _place(game, self.company, (self.row, self.column))


class PriceRemoved(Event, frozen=True):
    """The marker of `company` left the market."""

    company: str

    def write(self, game: Game) -> None:
        """The company has no market price."""
        _take_off(MarketState.to_write(game), self.company)


def _place(game: Game, company: str, cell: Cell) -> None:
    market = MarketState.to_write(game)
    _take_off(market, company)
    market.markers[company] = cell
    market.cells[cell] = (*market.cells.get(cell, ()), company)


def _take_off(market: MarketState, company: str) -> None:
    old = market.markers.pop(company, None)
    if old is None:
        return
    left = tuple([symbol for symbol in market.cells.pop(old) if symbol != company])
    if left:
        market.cells[old] = left


EVENTS: tuple[type[Event], ...] = (PriceStarted, PriceMoved, PriceRemoved)
