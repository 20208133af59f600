"""The order in which railways of 1865 operate (5-a)."""

from __future__ import annotations

from services.rules.kernel.draft import Draft
from services.rules.kernel.events import OrderChanged
from services.rules.kernel.titledata import TitleData
from services.rules.parts.market.market import operating_order
from services.rules.parts.market.state import market_of
from services.rules.titles.g1865.rulings import plays


def follow_prices(draft: Draft, data: TitleData) -> None:
    """By one ruling companies that have not had their turn follow the prices after a sale within the round."""
    if plays(draft.game, "operating_order", "fixed"):
        return
    current, markers = draft.game.current_round, market_of(draft.game).markers
    done, rest = current.order[: current.position + 1], current.order[current.position + 1 :]
    priced = [company for company in rest if company in markers]
    order = (*done, *operating_order(draft.game, data, priced))
    if order != current.order:
        draft.emit(OrderChanged(order))
