"""Rounds of a group changed so that repeated meetings are shared: two pairs twice rather than one pair three times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

Rounds = list[list[list[int]]]

EVENED_PLAYERS_MAX = 40
SWEEPS_MAX = 20
"""How often all exchanges are tried; most rounds have none left after three or four."""


def evened(rounds: Sequence[Sequence[Sequence[int]]], preferred: int) -> Rounds:
    """The rounds after exchanges of two players of a round, as long as one lowers the sum of the squares of how often pairs meet.

    Players are 0, 1, ...; tables without the preferred size stay as evenly shared. Rounds in which nobody meets more than
    once stay as they are, and so do those of more than `EVENED_PLAYERS_MAX` players."""
    evening = _Evening(rounds, preferred)
    if evening.is_small:
        for _ in range(SWEEPS_MAX):
            if not evening.sweep():
                break
    return evening.rounds


class _Evening:
    def __init__(self, rounds: Sequence[Sequence[Sequence[int]]], preferred: int) -> None:
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        self._preferred = preferred
        count = sum(map(len, rounds[0])) if rounds else 0
        self.is_small = count <= EVENED_PLAYERS_MAX
        self._met = [[0] * count for _ in range(count)]
        self._odd = [0] * count
        for table in (table for tables in self.rounds for table in tables):
            for one, other in combinations(table, 2):
                self._meet(one, other, 1)
            for player in table:
                self._odd[player] += self._is_odd(table)

    def sweep(self) -> bool:
        """Makes each exchange that helps; whether there was one."""
        has_changed = False
        for home, away, here, there in self._places():
            if self._is_fair(home, away, here, there) and self._difference(home, away, here, there) < 0:
                self._exchange(home, away, here, there)
                has_changed = True
        return has_changed

    def _places(self) -> Iterator[tuple[list[int], list[int], int, int]]:
        """Two tables of a round and a place at each."""
        for tables in self.rounds:
            for home, away in combinations(tables, 2):
                for here, there in product(range(len(home)), range(len(away))):
                    yield home, away, here, there

    def _is_odd(self, table: Sequence[int]) -> bool:
        return len(table) != self._preferred

    def _is_fair(self, home: Sequence[int], away: Sequence[int], here: int, there: int) -> bool:
        """Whether who comes to an odd table has had fewer of them than who leaves it."""
        comes, goes = self._odd[home[here]], self._odd[away[there]]
        if self._is_odd(home) == self._is_odd(away):
            return True
        return comes < goes if self._is_odd(away) else goes < comes

    def _difference(self, home: Sequence[int], away: Sequence[int], here: int, there: int) -> int:
        """What an exchange adds to the sum of the squares, halved."""
        met_here, met_there = self._met[home[here]], self._met[away[there]]
        leaving = sum(met_there[each] - met_here[each] + 1 for each in home if each != home[here])
        return leaving + sum(met_here[each] - met_there[each] + 1 for each in away if each != away[there])

    def _exchange(self, home: list[int], away: list[int], here: int, there: int) -> None:
        one, other = home[here], away[there]
        for table, goes, comes in ((home, one, other), (away, other, one)):
            for each in table:
                if each != goes:
                    self._meet(goes, each, -1)
                    self._meet(comes, each, 1)
        change = self._is_odd(away) - self._is_odd(home)
        self._odd[one] += change
        self._odd[other] -= change
        home[here], away[there] = other, one

    def _meet(self, one: int, other: int, change: int) -> None:
        self._met[one][other] += change
        self._met[other][one] += change
