"""The track of a problem as a search for direct routes needs it: where each town and start leads, and what is left to gain."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.routing.domain.budget import Budget, Tally
from services.routing.domain.problem import RouteProblem, Segment, Stop

# Names of resources, and goals with what it costs to reach them, between two looks at the clock; a segment takes as long as so
# many names.
NAMES_PER_LOOK, GOALS_PER_LOOK, NAMES_PER_SEGMENT = 10_000, 20, 20


class Lead(NamedTuple):
    """A segment taken from one of its ends. `taken`: bits of the places and resources that a route may visit and use once."""

    cost: int
    stop: str
    segment: str
    taken: int
    traffic: int


class DirectNetwork:
    """`leads`: by start and town, the cheapest first, of equals the one that brings most. `goals`: the stops that routes are
    asked to; `costs_to`: by goal and stop the least that is to pay, if stops and track could be used again, `goals_from` the same
    by stop."""

    def __init__(self, problem: RouteProblem, budget: Budget) -> None:
        """Raises `BudgetSpent` when the caller wants an end before all of it is known."""
        self.stops = {stop.id: stop for stop in problem.stops}
        self.segments = {segment.id: segment for segment in problem.segments}
        self.starts = tuple(sorted(problem.token_stops))
        self.goals = goals_of(problem)
        ends = {self.stops[goal].place for goal in self.goals}
        self._place_bits = _bits(ends | {stop.place for stop in problem.stops if stop.kind == "town"})
        self._resource_bits = _resource_bits(problem, len(self._place_bits), budget)
        self.leads = self._leads(problem, budget)
        budget.spend(0)
        self._backwards: dict[str, list[tuple[int, str]]] = {}
        for stop, leads in self.leads.items():
            for lead in leads:
                self._backwards.setdefault(lead.stop, []).append((lead.cost, stop))
        self.costs_to: dict[str, dict[str, int]] = {}
        self._towns_to: dict[str, tuple[tuple[int, int], ...]] = {}
        for goal in self.goals:
            budget.spend(0)
            self.costs_to[goal] = self._costs_to(goal)
            self._towns_to[goal] = self._towns_on(self.costs_to[goal])
        budget.spend(0)
        self.goals_from = _by_stop(self.costs_to, budget)

    def place_bit(self, stop: str) -> int:
        """The bit of the place of a stop; none where no route could reach it a second time."""
        return self._place_bits.get(self.stops[stop].place, 0)

    def _is_town(self, stop: str) -> bool:
        return self.stops[stop].kind == "town"

    def _leads(self, problem: RouteProblem, budget: Budget) -> Mapping[str, tuple[Lead, ...]]:
        found: dict[str, list[Lead]] = {}
        starts, goals = frozenset(self.starts), frozenset(self.goals)
        budget.spend(0)
        tally = Tally(budget, NAMES_PER_LOOK)
        for segment in problem.segments:
            tally.add(NAMES_PER_SEGMENT + len(segment.resources))
            for one, other, terminal_one, terminal_other in (
                (segment.a, segment.b, segment.terminal_a, segment.terminal_b),
                (segment.b, segment.a, segment.terminal_b, segment.terminal_a),
            ):
                begin, end = self.stops[one], self.stops[other]
                leaves = one in starts or (begin.kind == "town" and not terminal_one)
                arrives = other in goals or (end.kind == "town" and not terminal_other)
                if leaves and arrives and begin.place != end.place:
                    found.setdefault(one, []).append(self._lead(segment, end))
        return {stop: tuple(sorted(leads, key=_in_turn)) for stop, leads in found.items()}

    def _lead(self, segment: Segment, end: Stop) -> Lead:
        used = 0
        if segment.resources:
            numbers = [self._resource_bits[name] for name in segment.resources if name in self._resource_bits]
            used = _mask(numbers)
        return Lead(segment.cost, end.id, segment.id, self.place_bit(end.id) | used, end.revenue)

    def _costs_to(self, goal: str) -> dict[str, int]:
        """By stop the least that is still to pay to the goal, if stops and track could be used again."""
        costs = {goal: 0}
        waiting = [(0, goal)]
        while waiting:
            cost, stop = heapq.heappop(waiting)
            if cost > costs[stop]:
                continue
            if stop != goal and not self._is_town(stop):
                continue
            for more, before in self._backwards.get(stop, ()):
                if cost + more < costs.get(before, cost + more + 1):
                    costs[before] = cost + more
                    heapq.heappush(waiting, (cost + more, before))
        return costs

    def _towns_on(self, costs: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
        """The places with towns that have such a cost, by the most traffic that a town of the place has: that, and their bits."""
        most: dict[int, int] = {}
        for name in costs:
            if self._is_town(name):
                bit = self.place_bit(name)
                most[bit] = max(most.get(bit, 0), self.stops[name].revenue)
        bits: dict[int, int] = {}
        for bit, traffic in most.items():
            bits[traffic] = bits.get(traffic, 0) | bit
        return tuple(bits.items())

    def traffic_ahead(self, goal: str, taken: int) -> int:
        """The most that a route may still gather on the way to the goal, that has taken these places."""
        towns = sum(traffic * (bits & ~taken).bit_count() for traffic, bits in self._towns_to[goal])
        return towns + self.stops[goal].revenue


def _in_turn(lead: Lead) -> tuple[int, int, str, str]:
    return lead.cost, -lead.traffic, lead.stop, lead.segment


def _by_stop(
    costs_to: Mapping[str, Mapping[str, int]], budget: Budget
) -> dict[str, tuple[tuple[str, int], ...]]:
    """By stop the goals that can be reached from it, with the least that is to pay to them."""
    found: dict[str, list[tuple[str, int]]] = {}
    for number, (goal, costs) in enumerate(costs_to.items()):
        if number and number % GOALS_PER_LOOK == 0:
            budget.spend(0)
        for stop, cost in costs.items():
            if stop != goal:
                found.setdefault(stop, []).append((goal, cost))
    return {stop: tuple(goals) for stop, goals in found.items()}


def goals_of(problem: RouteProblem) -> tuple[str, ...]:
    """The stops that direct routes are asked to, by id: those with a free space and no token of the company, and those named."""
    named, tokens = frozenset(problem.parameters.goals), frozenset(problem.token_stops)
    return tuple(
        sorted(
            stop.id
            for stop in problem.stops
            if stop.id in named or (stop.kind != "town" and "" in stop.slots and stop.id not in tokens)
        )
    )


def _bits(names: set[str]) -> dict[str, int]:
    return {name: 1 << number for number, name in enumerate(sorted(names))}


def _mask(numbers: Sequence[int]) -> int:
    """These bits; many are written to bytes, for a sum would copy all of them each time."""
    row = bytearray(1 + max(numbers, default=0) // 8)
    for number in numbers:
        row[number // 8] |= 1 << number % 8
    return int.from_bytes(row, "little")


def _resource_bits(problem: RouteProblem, first: int, budget: Budget) -> dict[str, int]:
    """A bit's number for each resource that more than one segment has: no other can be used twice by a route that visits no
    place twice."""
    seen: set[str] = set()
    number: dict[str, int] = {}
    tally = Tally(budget, NAMES_PER_LOOK)
    for segment in problem.segments:
        tally.add(len(segment.resources))
        for name in dict.fromkeys(segment.resources):
            if name not in seen:
                seen.add(name)
            elif name not in number:
                number[name] = first + len(number)
    return number
