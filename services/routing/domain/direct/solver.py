"""All direct routes of a company that no other one dominates, proven, or those found with a bound when the search was cut
short; and how much traffic its trains cover."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.direct.answer import DirectRoute, Goal
from services.routing.domain.direct.covering import covered_by
from services.routing.domain.direct.network import DirectNetwork
from services.routing.domain.direct.ways import Ways
from services.routing.domain.problem import RouteProblem
from services.routing.domain.shape import hexes_of
from services.routing.domain.solution import RouteSolution

# Ways that are extended at most: some seconds, and as much memory as one question may take.
NODE_BUDGET = 200_000


def solve_direct(problem: RouteProblem, should_stop: Callable[[], bool]) -> RouteSolution:
    """The answer for a valid problem of the family."""
    budget = Budget(min(problem.options.node_budget or NODE_BUDGET, NODE_BUDGET), should_stop)
    goals, is_complete = _search(problem, budget)
    covered = covered_by(problem)
    traffic = sum(each.traffic for each in covered)
    return RouteSolution(
        runs=(),
        revenue=traffic,
        treasury_income=0,
        proven=is_complete and all(goal.proven for goal in goals),
        upper_bound=traffic,
        nodes_explored=budget.steps,
        goals=goals,
        covered=covered,
    )


def _search(problem: RouteProblem, budget: Budget) -> tuple[tuple[Goal, ...], bool]:
    """The goals, and whether no other one can be reached."""
    try:
        network = DirectNetwork(problem, budget)
    except BudgetSpent:
        return (), False
    return DirectSearch(network, budget).run(), True


class DirectSearch:
    """Extends ways over towns, the cheapest first, and drops those that can become nothing better than what is known."""

    def __init__(self, network: DirectNetwork, budget: Budget) -> None:
        self._network = network
        self._budget = budget
        self._ways = Ways()
        # By cost, then the one that gathered most, then the one found first.
        self._waiting: list[tuple[int, int, int]] = []
        # By stop how many ways wait there, and the most that any way gathered that ever waited.
        self._waiting_at: Counter[str] = Counter()
        self._most_gathered = 0
        # By stop, then by places and use the costs of ways and what they gathered: one large dict would take long to grow.
        self._known: dict[str, dict[tuple[int, int], tuple[tuple[int, int], ...]]] = {}
        # By goal the ways that no other one dominates, by rising cost.
        self._found: dict[str, list[int]] = {goal: [] for goal in network.goals}

    def run(self) -> tuple[Goal, ...]:
        """The goals with their routes."""
        for start in self._network.starts:
            self._wait(self._ways.begin(start, self._network.place_bit(start)))
        try:
            while self._waiting:
                self._budget.spend(1)
                way = heapq.heappop(self._waiting)[-1]
                self._waiting_at[self._ways.stop[way]] -= 1
                self._extend(way)
        except BudgetSpent:
            pass
        return tuple(self._goals())

    def _wait(self, way: int) -> None:
        gathered = self._ways.gathered[way]
        heapq.heappush(self._waiting, (self._ways.cost[way], -gathered, way))
        self._waiting_at[self._ways.stop[way]] += 1
        self._most_gathered = max(self._most_gathered, gathered)

    def _extend(self, way: int) -> None:
        if all(self._is_matched(goal, cost, traffic) for goal, cost, traffic in self._ahead(way)):
            return
        ways = self._ways
        for lead in self._network.leads.get(ways.stop[way], ()):
            if ways.places[way] & lead.places or ways.used[way] & lead.used:
                continue
            longer = ways.extend(way, lead)
            if lead.stop in self._found:
                self._arrive(lead.stop, longer)
            elif not self._is_known(longer):
                self._wait(longer)

    def _arrive(self, goal: str, way: int) -> None:
        """Keep the way unless another one costs no more and brings no less; of equal ones the first is kept."""
        cost, traffic = self._ways.cost[way], self._ways.gathered[way]
        if self._is_matched(goal, cost, traffic):
            return
        kept = [each for each in self._found[goal] if not self._is_worse(each, cost, traffic)]
        self._found[goal] = sorted([*kept, way], key=lambda each: self._ways.cost[each])

    def _is_worse(self, way: int, cost: int, traffic: int) -> bool:
        return cost <= self._ways.cost[way] and traffic >= self._ways.gathered[way]

    def _is_known(self, way: int) -> bool:
        """Whether another way to this stop over the same places costs no more and gathered no less; else it is noted."""
        ways = self._ways
        known_here = self._known.setdefault(ways.stop[way], {})
        key = (ways.places[way], ways.used[way])
        known = known_here.get(key, ())
        if any(cost <= ways.cost[way] and gathered >= ways.gathered[way] for cost, gathered in known):
            return True
        known_here[key] = (*known, (ways.cost[way], ways.gathered[way]))
        return False

    def _is_matched(self, goal: str, cost: int, traffic: int) -> bool:
        """Whether a known route to the goal costs no more than this and brings no less."""
        ways = self._ways
        return any(ways.cost[each] <= cost and ways.gathered[each] >= traffic for each in self._found[goal])

    def _ahead(self, way: int) -> Iterator[tuple[str, int, int]]:
        """The goals to which one may come along this way: the least that costs, the most it brings."""
        network, ways = self._network, self._ways
        for goal, more in network.goals_from.get(ways.stop[way], ()):
            traffic = ways.gathered[way] + network.traffic_ahead(goal, ways.places[way])
            yield goal, ways.cost[way] + more, traffic

    def _goals(self) -> Iterator[Goal]:
        """The goals that can be reached; of one that is not proven, that may be."""
        open_ends = self._open_ends()
        for goal, found in self._found.items():
            ends = [(self._ways.cost[way], self._ways.gathered[way]) for way in found]
            if goal in open_ends:
                ends.append(open_ends[goal])
            if ends:
                least = min(cost for cost, _ in ends)
                most = max(traffic for _, traffic in ends)
                routes = tuple(map(self._route, found))
                yield Goal(goal, routes, least, most, proven=goal not in open_ends)

    def _open_ends(self) -> dict[str, tuple[int, int]]:
        """By goal, where ways that still wait may become a route that is not matched: the least it costs, the most it brings."""
        stops = [stop for stop, count in self._waiting_at.items() if count]
        found = {}
        for goal, costs in self._network.costs_to.items():
            ahead = [costs[stop] for stop in stops if stop in costs and stop != goal]
            if not ahead:
                continue
            # They wait in the order of cost, so none costs less than the first of all.
            least = self._waiting[0][0] + min(ahead)
            most = self._most_gathered + self._network.traffic_ahead(goal, 0)
            if not self._is_matched(goal, least, most):
                found[goal] = (least, most)
        return found

    def _route(self, way: int) -> DirectRoute:
        stops, segments = self._ways.travelled(way)
        hexes = hexes_of(
            [self._network.stops[name] for name in stops],
            [self._network.segments[name] for name in segments],
        )
        return DirectRoute(stops, segments, hexes, self._ways.cost[way], self._ways.gathered[way])
