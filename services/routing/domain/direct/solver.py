"""All direct routes of a company that no other one dominates, proven, or those found with a bound when the search was cut
short; and how much traffic its trains cover."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator

from services.routing.domain.budget import Budget, BudgetSpent
from services.routing.domain.direct.answer import DirectRoute, Goal
from services.routing.domain.direct.covering import covered_by
from services.routing.domain.direct.network import DirectNetwork, Lead
from services.routing.domain.direct.ways import NONE, Ways
from services.routing.domain.problem import RouteProblem
from services.routing.domain.shape import hexes_of
from services.routing.domain.solution import RouteSolution

# Ways that are looked at, at most: some seconds, and as much memory as one question may take.
NODE_BUDGET = 200_000
# A way that has taken more of places and resources than such a row of bits takes as much memory as several.
BITS_PER_STEP = 4_096


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
        search = DirectSearch(DirectNetwork(problem, budget), budget)
    except BudgetSpent:
        return (), False
    return search.run(), True


class DirectSearch:
    """Extends ways over towns, the cheapest first, and drops those that can become nothing better than what is known.

    Of the ways that a way can be extended to only the next one waits: of all of them few are ever looked at, and what is
    stored has to be freed when the search ends."""

    def __init__(self, network: DirectNetwork, budget: Budget) -> None:
        """Raises `BudgetSpent` when the caller wants an end before every start is looked at."""
        self._network = network
        self._budget = budget
        self._ways = Ways()
        # Cost, what was gathered (less than nothing), way and number of the lead that extends it: by cost, then the one that
        # gathered most, then the one found first.
        self._waiting: list[tuple[int, int, int, int]] = []
        # By stop how many ways wait there to be extended.
        self._waiting_at: Counter[str] = Counter()
        # By stop, then by what it has taken the last way found: one large dict would take long to grow.
        self._known: dict[str, dict[int, int]] = {}
        # By goal the ways that no other one dominates, by rising cost.
        self._found: dict[str, list[int]] = {goal: [] for goal in network.goals}
        for start in network.starts:
            budget.spend(0)
            self._extend(self._ways.begin(start, network.place_bit(start)))

    def run(self) -> tuple[Goal, ...]:
        """The goals with their routes."""
        try:
            while self._waiting:
                self._budget.spend(1)
                self._extend_next()
        except BudgetSpent:
            pass
        return tuple(self._goals())

    def _extend(self, way: int) -> None:
        """Take the way to the goals beside it; it waits to be extended over towns."""
        if all(self._is_matched(goal, cost, traffic) for goal, cost, traffic in self._ahead(way)):
            return
        stop = self._ways.stop[way]
        for lead in self._network.leads.get(stop, ()):
            if lead.stop in self._found and self._is_open(way, lead):
                self._arrive(way, lead)
        self._waiting_at[stop] += 1
        self._wait(way, 0)

    def _wait(self, way: int, first: int) -> None:
        """Wait for the first of the leads from this number on by which the way can be extended."""
        ways, stop = self._ways, self._ways.stop[way]
        leads = self._network.leads.get(stop, ())
        for number in range(first, len(leads)):
            lead = leads[number]
            if lead.stop not in self._found and self._is_open(way, lead):
                gathered = ways.gathered[way] + lead.traffic
                heapq.heappush(self._waiting, (ways.cost[way] + lead.cost, -gathered, way, number))
                return
        self._waiting_at[stop] -= 1

    def _extend_next(self) -> None:
        _, _, way, number = heapq.heappop(self._waiting)
        lead = self._network.leads[self._ways.stop[way]][number]
        known = self._known.setdefault(lead.stop, {})
        taken = self._ways.taken[way] | lead.taken
        like = known.get(taken, NONE)
        if not self._is_matched_by_one_like(like, way, lead):
            self._budget.spend(taken.bit_length() // BITS_PER_STEP)
            known[taken] = longer = self._ways.extend(way, lead, like)
            self._extend(longer)
        self._wait(way, number + 1)

    def _is_open(self, way: int, lead: Lead) -> bool:
        return not self._ways.taken[way] & lead.taken

    def _arrive(self, way: int, lead: Lead) -> None:
        """Keep the way to this goal unless another one costs no more and brings no less; of equal ones the first is kept."""
        ways, goal = self._ways, lead.stop
        cost, traffic = ways.cost[way] + lead.cost, ways.gathered[way] + lead.traffic
        if self._is_matched(goal, cost, traffic):
            return
        kept = [each for each in self._found[goal] if not self._is_worse(each, cost, traffic)]
        self._found[goal] = sorted([*kept, ways.extend(way, lead)], key=lambda each: ways.cost[each])

    def _is_worse(self, way: int, cost: int, traffic: int) -> bool:
        return cost <= self._ways.cost[way] and traffic >= self._ways.gathered[way]

    def _is_matched_by_one_like(self, like: int, way: int, lead: Lead) -> bool:
        """Whether a way that takes the same as this one, so extended, costs no more and gathered no less."""
        ways = self._ways
        cost, gathered = ways.cost[way] + lead.cost, ways.gathered[way] + lead.traffic
        while like != NONE and not (ways.cost[like] <= cost and ways.gathered[like] >= gathered):
            like = ways.like[like]
        return like != NONE

    def _is_matched(self, goal: str, cost: int, traffic: int) -> bool:
        """Whether a known route to the goal costs no more than this and brings no less."""
        ways = self._ways
        return any(ways.cost[each] <= cost and ways.gathered[each] >= traffic for each in self._found[goal])

    def _ahead(self, way: int) -> Iterator[tuple[str, int, int]]:
        """The goals to which one may come along this way: the least that costs, the most it brings."""
        network, ways = self._network, self._ways
        for goal, more in network.goals_from.get(ways.stop[way], ()):
            traffic = ways.gathered[way] + network.traffic_ahead(goal, ways.taken[way])
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
        stops = {
            lead.stop
            for stop, count in self._waiting_at.items()
            if count
            for lead in self._network.leads.get(stop, ())
        }
        found = {}
        for goal, costs in self._network.costs_to.items():
            ahead = [costs[stop] for stop in stops if stop in costs and stop != goal]
            if not ahead:
                continue
            # They wait in the order of cost when they are extended, so none then costs less than the first of all.
            least = self._waiting[0][0] + min(ahead)
            most = self._network.traffic_ahead(goal, 0)
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
