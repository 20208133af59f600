"""Who played how much of a seat, for points that are split by turns."""

from __future__ import annotations

from collections.abc import Iterable

from services.lobby.domain.table_clocks import PlayedTurn
from services.lobby.domain.tables import Table


def turns_of_seats(table: Table, played: Iterable[PlayedTurn]) -> dict[str, tuple[int, int]]:
    """For each seat that another account took: the turns that its own player did not begin, and all turns of the seat.

    `played`: the turns by the clocks. Without any the events of the game stand for them, since nothing else counts turns."""
    taken = {each.seat for each in table.seat_takers}
    turns = tuple(played)
    found = {}
    for seat in taken:
        sequences = [each.sequence for each in turns if each.seat == seat]
        if not turns:
            sequences = list(range(1, table.result_sequence + 1))
        found[seat] = sum(_is_taken(table, seat, each) for each in sequences), len(sequences)
    return found


def _is_taken(table: Table, seat: str, sequence: int) -> bool:
    earlier = [each for each in table.seat_takers if each.seat == seat and each.sequence <= sequence]
    return bool(earlier) and earlier[-1].bearer.player_id != seat
