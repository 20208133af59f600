"""Which run counts which place, so that no place counts twice and all runs together count the most."""

from __future__ import annotations

from collections.abc import Sequence

from services.routing.domain.problem import Stop
from services.routing.domain.shape import Claimed


def counted_by(routes: Sequence[Claimed], countable: Sequence[Sequence[Stop]]) -> list[list[Stop]]:
    """For each route the stops that it counts of those it may.

    A train of limited counts counts so many; a local train's towns always count beside them. Sets of places that can be
    counted together are such that taking the richest first, where one more still fits, is best.
    """
    share = _Shares(routes, countable)
    value = {stop.place: stop.revenue for stops in countable for stop in stops}
    for place in sorted(value, key=lambda place: (-value[place], place)):
        share.take_up(place, set())
    return [
        [stop for stop in stops if share.counter_of.get(stop.place) == number]
        for number, stops in enumerate(countable)
    ]


class _Shares:
    """The assignment of places to runs so far."""

    def __init__(self, routes: Sequence[Claimed], countable: Sequence[Sequence[Stop]]) -> None:
        self.counter_of: dict[str, int] = {}
        self._room = [route.train.counts or len(route.stops) for route in routes]
        self._visitors: dict[str, list[int]] = {}
        self._free: set[tuple[int, str]] = set()
        for number, stops in enumerate(countable):
            for stop in stops:
                self._visitors.setdefault(stop.place, []).append(number)
                if stop.kind == "town":
                    self._free.add((number, stop.place))

    def take_up(self, place: str, asked: set[int]) -> bool:
        """Assign `place` to a run that visits it; a run not yet `asked` may pass one of its places on to make space."""
        for number in self._visitors[place]:
            if (number, place) in self._free or self._room[number]:
                self._give(place, number)
                return True
        for number in self._visitors[place]:
            if number in asked:
                continue
            asked.add(number)
            for held in sorted(held for held, by in self.counter_of.items() if by == number):
                if (number, held) not in self._free and self.take_up(held, asked):
                    self._give(place, number)
                    return True
        return False

    def _give(self, place: str, number: int) -> None:
        before = self.counter_of.get(place)
        if before is not None and (before, place) not in self._free:
            self._room[before] += 1
        if (number, place) not in self._free:
            self._room[number] -= 1
        self.counter_of[place] = number
