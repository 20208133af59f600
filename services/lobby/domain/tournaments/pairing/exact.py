"""The cheapest tables of a few players, by dynamic programming over sets of players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from services.lobby.domain.tournaments.pairing.costs import TableCosts

EXACT_PLAYERS_MAX = 16

Tables = list[list[int]]
_Chain = tuple[tuple[int, ...], "_Chain | None"]
_Layer = dict[tuple[int, tuple[int, ...]], tuple[int, "_Chain | None"]]
"""The players seated and the sizes left -> the least cost and its tables."""


def cheapest_tables(costs: TableCosts, sizes: Sequence[int]) -> Tables:
    """The tables of the least cost; among equal costs those whose players have the lowest numbers.

    Of all players left, the one with the lowest number is seated next, so each arrangement is built once."""
    count = sum(sizes)
    table_costs: dict[tuple[int, ...], int] = {}
    layer: _Layer = {(0, tuple(sizes)): (0, None)}
    for _ in sizes:
        following: _Layer = {}
        for (seated, left), (total, chain) in layer.items():
            free = [player for player in range(count) if not seated >> player & 1]
            for size in sorted(set(left)):
                rest = tuple((Counter(left) - Counter([size])).elements())
                for others in combinations(free[1:], size - 1):
                    table = (free[0], *others)
                    if table not in table_costs:
                        table_costs[table] = costs.of(table)
                    state = (seated | sum(1 << player for player in table), rest)
                    better = total + table_costs[table]
                    known = following.get(state)
                    if known is None or better < known[0]:
                        following[state] = (better, (table, chain))
        layer = following
    ((_, chain),) = layer.values()
    tables: Tables = []
    while chain is not None:
        tables.insert(0, list(chain[0]))
        chain = chain[1]
    return tables
