"""A stock round of 1862 for tests: ESR is quoted, Ada directs it, Ben has some of it."""

from __future__ import annotations

from tests.titles.g1862.table import ADA, BEN, Table, new_table

STOCK_OFFER = ("ESR", "ECR", "EUR", "L&H", "WNR", "Y&N")


def stock_table(
    price: int = 74, *, players: int = 4, train: bool = True, first: str = ADA, **rulings: str
) -> Table:
    """ESR is quoted at this price, Ada directs it with half of it; Ben has three shares. A stock round begins."""
    table = new_table(players, offer=STOCK_OFFER, by=rulings)
    table.found("ESR", price, ADA, shares=4)
    table.hold(BEN, "ESR", 3)
    if train:
        table.train("ESR", "A")
    table.stock_round(first)
    return table
