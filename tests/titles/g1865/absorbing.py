"""Two companies of 1865 that may be joined by absorption."""

from services.rules.titles.g1865.commands import Absorb
from tests.titles.g1865.table import (
    ADA,
    TO_CAGLIARI,
    Table,
    stock_table,
)

A, B = "RCSF", "FMS"
ABSORB = Absorb(A, B, ("C38",), ())


def pair(
    *order: str,
    a_treasury: int = 1000,
    b_treasury: int = 0,
    price: int = 100,
    b_shares: int = 2,
    **rulings: str,
) -> Table:
    """RCSF in Cagliari and FMS in Iglesias, both of Ada and joined by a direct route; the first of the order is at turn."""
    table = stock_table(**rulings)
    for player in table.game.players:
        table.has_cash(player, 500)
    table.is_launched(A, 120, ADA, shares=2, treasury=a_treasury)
    table.is_launched(B, price, ADA, shares=b_shares, treasury=b_treasury)
    table.tiles_lie(TO_CAGLIARI)
    table.company_turn_is(*(order or (A, B)), step="absorb")
    return table
