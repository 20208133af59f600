"""All direct routes of a company that no other one dominates, proven, or those found with a bound when the search was cut
short; and how much traffic its trains cover."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.direct.answer import DirectRoute, Goal
from services.routing.domain.direct.covering import covered_by
from services.routing.domain.direct.network import DirectNetwork, Lead
from services.routing.domain.problem import RouteProblem
from services.routing.domain.shape import hexes_of
from services.routing.domain.solution import RouteSolution

# Ways that are extended at most: some seconds, and as much memory as one question may take.
NODE_BUDGET = 200_000


class Label(NamedTuple):
    """A way from a start to the last of `stops`. Compared in this order, so that equal problems are searched alike.
    `brings` is what it gathered, below 0 so that more comes first."""

    cost: int
    brings: int
    length: int
    stops: tuple[str, ...]
    segments: tuple[str, ...]
    places: int
    used: int


def solve_direct(problem: RouteProblem, should_stop: Callable[[], bool]) -> RouteSolution:
    """The answer for a valid problem of the family."""
    budget = Budget(min(problem.options.node_budget or NODE_BUDGET, NODE_BUDGET), should_stop)
    search = DirectSearch(DirectNetwork(problem), budget)
    goals = search.run()
    covered = covered_by(problem)
    traffic = sum(each.traffic for each in covered)
    return RouteSolution(
        runs=(),
        revenue=traffic,
        treasury_income=0,
        proven=all(goal.proven for goal in goals),
        upper_bound=traffic,
        nodes_explored=budget.steps,
        goals=goals,
        covered=covered,
    )


class DirectSearch:
    """Extends ways over towns, the cheapest first, and drops those that can become nothing better than what is known."""

    def __init__(self, network: DirectNetwork, budget: Budget) -> None:
        self._network = network
        self._budget = budget
        self._waiting: list[Label] = [
            Label(0, 0, 0, (start,), (), network.place_bit(start), 0) for start in network.starts
        ]
        heapq.heapify(self._waiting)
        self._known: dict[tuple[str, int, int], list[tuple[int, int]]] = {}
        self._found: dict[str, list[Label]] = {goal: [] for goal in network.goals}

    def run(self) -> tuple[Goal, ...]:
        """The goals with their routes."""
        try:
            while self._waiting:
                self._budget.spend(1)
                self._extend(heapq.heappop(self._waiting))
        except BudgetSpent:
            pass
        return tuple(self._goals())

    def _extend(self, label: Label) -> None:
        if all(self._is_closed(goal, cost, traffic) for goal, cost, traffic in self._ahead(label)):
            return
        for lead in self._network.leads.get(label.stops[-1], ()):
            if label.places & lead.places or label.used & lead.used:
                continue
            longer = _longer(label, lead)
            if lead.stop in self._found:
                self._arrive(lead.stop, longer)
            elif not self._is_matched(lead.stop, longer):
                heapq.heappush(self._waiting, longer)

    def _arrive(self, goal: str, label: Label) -> None:
        """Keep the label unless a route costs no more and brings no less; of equal ones the first is kept."""
        routes = self._found[goal]
        if any(each.cost <= label.cost and each.brings <= label.brings for each in routes):
            return
        dominated = [each for each in routes if label.cost <= each.cost and label.brings <= each.brings]
        self._found[goal] = sorted([each for each in routes if each not in dominated] + [label])

    def _is_matched(self, stop: str, label: Label) -> bool:
        """Whether another way to this stop over the same places costs no more and brings no less; else the label is noted."""
        known = self._known.setdefault((stop, label.places, label.used), [])
        if any(cost <= label.cost and brings <= label.brings for cost, brings in known):
            return True
        known.append((label.cost, label.brings))
        return False

    def _is_closed(self, goal: str, cost: int, traffic: int) -> bool:
        """Whether a known route to the goal costs no more than this and brings no less."""
        return any(route.cost <= cost and -route.brings >= traffic for route in self._found[goal])

    def _ahead(self, label: Label) -> Iterator[tuple[str, int, int]]:
        """The goals to which a way may lead that begins with the label: the least it costs, the most it brings."""
        return self._ahead_of(label.stops[-1], label.cost, label.brings, label.places)

    def _ahead_of(self, stop: str, cost: int, brings: int, places: int) -> Iterator[tuple[str, int, int]]:
        for goal, more in self._network.goals_from.get(stop, ()):
            yield goal, cost + more, self._network.traffic_ahead(goal, places) - brings

    def _goals(self) -> Iterator[Goal]:
        """The goals that can be reached; of one that is not proven, that may be."""
        open_ways: dict[str, list[tuple[int, int]]] = {goal: [] for goal in self._network.goals}
        for stop, (least, brings, places) in self._waiting_at().items():
            for goal, cost, traffic in self._ahead_of(stop, least, brings, places):
                if not self._is_closed(goal, cost, traffic):
                    open_ways[goal].append((cost, traffic))
        for goal, ways in open_ways.items():
            ends = [(route.cost, -route.brings) for route in self._found[goal]] + ways
            if ends:
                routes = tuple(map(self._route, self._found[goal]))
                least = min(cost for cost, _ in ends)
                most = max(traffic for _, traffic in ends)
                yield Goal(goal, routes, least, most, proven=not ways)

    def _waiting_at(self) -> dict[str, tuple[int, int, int]]:
        """By stop, of all ways there that were not extended: the least cost, the most that one brings, the places of all."""
        found: dict[str, tuple[int, int, int]] = {}
        for label in self._waiting:
            cost, brings, places = found.get(label.stops[-1], (label.cost, label.brings, label.places))
            found[label.stops[-1]] = (min(cost, label.cost), min(brings, label.brings), places & label.places)
        return found

    def _route(self, label: Label) -> DirectRoute:
        stops = [self._network.stops[name] for name in label.stops]
        segments = [self._network.segments[name] for name in label.segments]
        return DirectRoute(label.stops, label.segments, hexes_of(stops, segments), label.cost, -label.brings)


def _longer(label: Label, lead: Lead) -> Label:
    return Label(
        label.cost + lead.cost,
        label.brings - lead.traffic,
        label.length + 1,
        (*label.stops, lead.stop),
        (*label.segments, lead.segment),
        label.places | lead.places,
        label.used | lead.used,
    )
