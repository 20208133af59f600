"""Who goes on, and to which table."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from services.lobby.domain.tournaments.pairing.problem import SizePolicy
from services.lobby.domain.tournaments.pairing.sizes import table_sizes


def serpentine(players: Sequence[str], count: int) -> tuple[tuple[str, ...], ...]:
    """The players in `count` groups, forwards and backwards in turn: 1-8-9-16, 2-7-10-15, 3-6-11-14, 4-5-12-13."""
    groups: list[list[str]] = [[] for _ in range(count)]
    for rank, player in enumerate(players):
        row, column = divmod(rank, count)
        groups[column if row % 2 == 0 else count - 1 - column].append(player)
    return tuple(map(tuple, groups))


def seeded_tables(players: Sequence[str], sizes: SizePolicy) -> tuple[tuple[str, ...], ...]:
    """Tables for players in order of their seeds; the strongest meet as late as possible. The large tables are the last.

    Where tables of these sizes do not hold everybody, the last seeds are at none."""
    wanted = sorted(table_sizes(len(players), sizes))
    tables: list[list[str]] = [[] for _ in wanted]
    order = list(range(len(wanted)))
    waiting = list(players[: sum(wanted)])
    while waiting:
        for index in order:
            if waiting and len(tables[index]) < wanted[index]:
                tables[index].append(waiting.pop(0))
        order.reverse()
    return tuple(map(tuple, tables))


def qualifiers(
    ranking: Sequence[str], places: int, present: Collection[str], refused: Collection[str] = ()
) -> tuple[str, ...]:
    """The first players of a ranking who are present and do not refuse: a place that one leaves passes down."""
    able = [player for player in ranking if player in present and player not in refused]
    return tuple(able[:places])
