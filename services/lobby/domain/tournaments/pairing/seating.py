"""Who sits where at a table: the arrangement that is fairest to all, by trying each one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from services.lobby.domain.tournaments.pairing.problem import PastTable

SeatCounts = Mapping[str, Counter[int]]


def seat_counts(past: Iterable[PastTable]) -> dict[str, Counter[int]]:
    """How often each player has sat in each seat, 0 being the first."""
    counts: dict[str, Counter[int]] = {}
    for table in past:
        for seat, player in enumerate(table.seats):
            counts.setdefault(player, Counter())[seat] += 1
    return counts


def seat_cost(seats: Sequence[str], counts: SeatCounts) -> int:
    """2k+1 for each player who has sat k times in the seat before."""
    return sum(_cost(player, seat, counts) for seat, player in enumerate(seats))


def fairest_seats(players: Sequence[str], counts: SeatCounts) -> tuple[str, ...]:
    """The players in the seat order of the least cost; of several, the one nearest to the order given."""
    rows = [[_cost(player, seat, counts) for seat in range(len(players))] for player in players]
    best = min(
        permutations(range(len(players))),
        key=lambda order: sum(rows[player][seat] for seat, player in enumerate(order)),
    )
    return tuple(players[player] for player in best)


def _cost(player: str, seat: int, counts: SeatCounts) -> int:
    return 2 * counts[player][seat] + 1 if player in counts else 1
