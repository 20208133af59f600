"""The slow truth about direct routes: every order of every set of towns, over every choice of track between them.

Written from docs/routes-json.md alone and sharing no code with the search or the verifier.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations, product

from services.routing.domain.problem import RouteProblem, Segment, Stop

CostAndTraffic = tuple[int, int]


def best_direct(problem: RouteProblem) -> dict[str, list[CostAndTraffic]]:
    """By goal the cost and traffic of every route that no other one dominates, by rising cost."""
    found: dict[str, list[CostAndTraffic]] = {}
    starts = [stop for stop in problem.stops if stop.id in problem.token_stops]
    for goal in problem.stops:
        if not is_goal(problem, goal):
            continue
        routes = {each for start in starts if start.id != goal.id for each in _routes(problem, start, goal)}
        if routes:
            found[goal.id] = sorted(
                each for each in routes if not any(dominates(other, each) for other in routes)
            )
    return found


def is_goal(problem: RouteProblem, stop: Stop) -> bool:
    """Whether routes to this stop are asked for."""
    can_be_placed = stop.kind != "town" and "" in stop.slots and stop.id not in problem.token_stops
    return can_be_placed or stop.id in problem.parameters.goals


def dominates(one: CostAndTraffic, other: CostAndTraffic) -> bool:
    """Whether a route that costs and brings `one` makes another of `other` superfluous."""
    return one != other and one[0] <= other[0] and one[1] >= other[1]


def _routes(problem: RouteProblem, start: Stop, goal: Stop) -> Iterator[CostAndTraffic]:
    towns = [stop for stop in problem.stops if stop.kind == "town"]
    for count in range(len(towns) + 1):
        for passed in permutations(towns, count):
            stops = (start, *passed, goal)
            if len({stop.place for stop in stops}) == len(stops):
                yield from _over(problem, stops)


def _over(problem: RouteProblem, stops: tuple[Stop, ...]) -> Iterator[CostAndTraffic]:
    """What it costs and brings to go over these stops, by every choice of track."""
    between = [
        [each for each in problem.segments if {each.a, each.b} == {one.id, other.id}]
        for one, other in pairwise(stops)
    ]
    for segments in product(*between):
        used = [name for each in segments for name in {*each.resources, f"segment {each.id}"}]
        if len(set(used)) == len(used) and not _passes_an_end(stops, segments):
            yield sum(each.cost for each in segments), sum(stop.revenue for stop in stops[1:])


def _passes_an_end(stops: tuple[Stop, ...], segments: tuple[Segment, ...]) -> bool:
    ends = [(each, each.a) for each in segments if each.terminal_a]
    ends += [(each, each.b) for each in segments if each.terminal_b]
    return any(name == stop.id for _, name in ends for stop in stops[1:-1])
