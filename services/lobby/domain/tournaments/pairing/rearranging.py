"""Tables or groups that a format gives, changed as little as needed where some of their players may not be together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from services.lobby.domain.tournaments.pairing.problem import PairingProblem, hour_mask

STEPS_MAX = 200_000
"""Of a search; a step is one player who was tried at one table. More than the players of the largest event."""

Tables = tuple[tuple[str, ...], ...]
_Fits = Callable[[str, Sequence[str]], bool]
"""Whether a player may be together with these."""


class Rearranged(msgspec.Struct, frozen=True):
    """Tables without a forbidden pair, None where none were found; `has_tried_all`: whether there are none then."""

    tables: Tables | None
    has_tried_all: bool


def rearranged_tables(problem: PairingProblem, tables: Sequence[Sequence[str]]) -> Rearranged:
    """The tables with players exchanged until none has a forbidden pair or shares too few hours: the tables given, if so already.

    A player at place n of a table goes to place n of another, so that seeds and seats stay as equal, and the last entrants of
    the problem are moved first. Where that gives no tables, anybody may be at any table. Sizes stay as they are."""
    hours = _hours_of(problem)

    def share_hours(player: str, others: Sequence[str]) -> bool:
        shared = hours[player]
        for other in others:
            shared &= hours[other]
        return shared.bit_count() >= problem.hours_min

    return _rearranged(problem, tables, share_hours)


def rearranged_groups(problem: PairingProblem, groups: Sequence[Sequence[str]]) -> Rearranged:
    """The same for groups in which every pair meets, though not all at one table: each pair has to share enough hours."""
    hours = _hours_of(problem)

    def share_hours(player: str, others: Sequence[str]) -> bool:
        own = hours[player]
        return all((own & hours[other]).bit_count() >= problem.hours_min for other in others)

    return _rearranged(problem, groups, share_hours)


def _hours_of(problem: PairingProblem) -> dict[str, int]:
    return {each.player: hour_mask(each) for each in problem.entrants}


def _may_meet(problem: PairingProblem) -> _Fits:
    apart: dict[str, set[str]] = {}
    for first, second in problem.forbidden:
        apart.setdefault(first, set()).add(second)
        apart.setdefault(second, set()).add(first)
    return lambda player, others: player not in apart or apart[player].isdisjoint(others)


def _rearranged(problem: PairingProblem, tables: Sequence[Sequence[str]], share_hours: _Fits) -> Rearranged:
    may_meet = _may_meet(problem)

    def fits(player: str, others: Sequence[str]) -> bool:
        return share_hours(player, others) and may_meet(player, others)

    rank = {each.player: index for index, each in enumerate(problem.entrants)}
    playing = sorted((player for table in tables for player in table), key=rank.__getitem__)
    by_place = _Search(tables, playing, fits, keeps_places=True)
    if by_place.run():
        return Rearranged(by_place.tables(), True)
    named = [player for pair in problem.forbidden for player in pair]
    free = _Search(tables, sorted(playing, key=lambda each: -named.count(each)), fits, keeps_places=False)
    found = free.run()
    return Rearranged(free.tables() if found else None, free.has_tried_all)


class _Search:
    """Seats one player after the other in the given order, each as near to the own table as it goes; goes back where that fails.

    So the players at the end of the order are moved before the others, and in the end everything is tried."""

    def __init__(
        self, tables: Sequence[Sequence[str]], order: Sequence[str], fits: _Fits, keeps_places: bool
    ) -> None:
        self._given = tables
        self._order = order
        self._fits = fits
        self._keeps_places = keeps_places
        self._own = {
            player: (number, place)
            for number, table in enumerate(tables)
            for place, player in enumerate(table)
        }
        self._seated: list[list[str]] = [[] for _ in tables]
        self._steps = 0
        self.has_tried_all = True

    def run(self) -> bool:
        """Whether everybody is seated in the end."""
        options = [self._near(self._order[0])] if self._order else []
        taken: list[int] = []
        while options:
            table = self._next(self._order[len(taken)], options[-1])
            if self._steps >= STEPS_MAX:
                self.has_tried_all = False
                return False
            if table is None:
                options.pop()
                if taken:
                    self._seated[taken.pop()].pop()
                continue
            self._seated[table].append(self._order[len(taken)])
            taken.append(table)
            if len(taken) == len(self._order):
                return True
            options.append(self._near(self._order[len(taken)]))
        return not self._order

    def tables(self) -> Tables:
        """Who sits where; at each table in the order of the places that the players had."""
        return tuple(tuple(sorted(table, key=lambda each: self._own[each][1])) for table in self._seated)

    def _next(self, player: str, tables: Iterator[int]) -> int | None:
        """The next of these tables where the player may sit."""
        for table in tables:
            self._steps += 1
            if self._steps >= STEPS_MAX:
                break
            if self._is_open(table, player) and self._fits(player, self._seated[table]):
                return table
        return None

    def _is_open(self, table: int, player: str) -> bool:
        size, seated = len(self._given[table]), self._seated[table]
        if not self._keeps_places:
            return len(seated) < size
        place = self._own[player][1]
        return place < size and all(self._own[each][1] != place for each in seated)

    def _near(self, player: str) -> Iterator[int]:
        """All tables, the player's own first, then those beside it."""
        own, _ = self._own[player]
        return iter(sorted(range(len(self._given)), key=lambda table: (abs(table - own), table)))
