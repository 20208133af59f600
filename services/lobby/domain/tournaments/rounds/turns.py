"""Who played how much of a seat, for points that are split by turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from services.lobby.domain.directing import bearer_of
from services.lobby.domain.table_clocks import PlayedTurn
from services.lobby.domain.tables import Table
from services.lobby.domain.tournaments.scoring.results import SubstituteTurns


class SeatTurns(msgspec.Struct, frozen=True):
    """All turns of a seat, and those that each account began to which it does not belong, in the order of their taking it."""

    turns: int = 0
    substitutes: tuple[SubstituteTurns, ...] = ()

    @property
    def of_substitutes(self) -> int:
        """The turns that the seat's own player did not begin."""
        return sum(each.turns for each in self.substitutes)


def turns_of_seats(table: Table, played: Iterable[PlayedTurn]) -> dict[str, SeatTurns]:
    """For each seat that another account took: its turns.

    `played`: the turns by the clocks. Without any the events of the game stand for them, since nothing else counts turns."""
    turns = tuple(played)
    found = {}
    for seat in {each.seat for each in table.seat_takers}:
        sequences = [each.sequence for each in turns if each.seat == seat]
        if not turns:
            sequences = list(range(1, table.result_sequence + 1))
        began = Counter(_account(table, seat, each) for each in sequences)
        takers = (each.bearer.player_id for each in table.seat_takers if each.seat == seat)
        others = [each for each in dict.fromkeys(takers) if each != seat]
        found[seat] = SeatTurns(len(sequences), tuple(SubstituteTurns(each, began[each]) for each in others))
    return found


def _account(table: Table, seat: str, sequence: int) -> str:
    """Who played a seat after this event of the game."""
    return bearer_of(tuple(each for each in table.seat_takers if each.sequence <= sequence), seat)
