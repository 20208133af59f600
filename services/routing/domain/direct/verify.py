"""Whether an answer for direct routes is right, written simply and independent of the search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.routing.domain.direct.answer import DirectRoute, Goal
from services.routing.domain.problem import RouteProblem, Segment, Stop, Train
from services.routing.domain.shape import Known, RunFault, hexes_of, shape_fault, terminal_at
from services.routing.domain.solution import RouteSolution

# Where there are no more ways over towns than this, with no more track and resources together, an answer is compared with all of
# them.
WAYS_COMPARED, PIECES_COMPARED = 500, 10_000

_NO_TRAIN = Train("", "normal", 0)


def verify_direct(problem: RouteProblem, solution: RouteSolution) -> RunFault | None:
    """The first thing wrong in `solution`, or None: the legality, cost and traffic of every route, that none dominates another,
    the bounds, and what is covered; and that no route is missing, where all can be listed quickly."""
    known = Known(problem)
    for goal in solution.goals:
        fault = _goal_fault(problem, known, goal)
        if fault is not None:
            return fault
    names = [goal.stop for goal in solution.goals]
    if names != sorted(set(names)):
        return RunFault("value_wrong", "", f"the goals {names} are not in order, each once")
    if solution.proven and not all(goal.proven for goal in solution.goals):
        return RunFault("bound_wrong", "", "an answer is proven only if all its goals are")
    return _covered_fault(problem, solution) or _missing_fault(problem, known, solution)


def evaluate_direct(
    problem: RouteProblem, stops: Sequence[str], segments: Sequence[str]
) -> DirectRoute | RunFault:
    """The cost and traffic of a way, or the first rule it breaks."""
    return _judged(problem, Known(problem), stops, segments)


def _judged(
    problem: RouteProblem, known: Known, stop_ids: Sequence[str], segment_ids: Sequence[str]
) -> DirectRoute | RunFault:
    for name in stop_ids:
        if name not in known.stops:
            return RunFault("unknown_stop", "", f"there is no stop {name!r}")
    for name in segment_ids:
        if name not in known.segments:
            return RunFault("unknown_segment", "", f"there is no track {name!r}")
    stops = [known.stops[name] for name in stop_ids]
    segments = [known.segments[name] for name in segment_ids]
    fault = shape_fault(known, _NO_TRAIN, stops, segments) or _way_fault(problem, stops, segments)
    if fault is not None:
        return fault
    return DirectRoute(
        tuple(stop_ids),
        tuple(segment_ids),
        hexes_of(stops, segments),
        cost=sum(segment.cost for segment in segments),
        traffic=sum(stop.revenue for stop in stops[1:]),
    )


def _way_fault(problem: RouteProblem, stops: list[Stop], segments: list[Segment]) -> RunFault | None:
    if stops[0].id not in problem.token_stops:
        return RunFault("route_no_token", "", f"there is no token of the company in {stops[0].id!r}")
    for stop, before, after in zip(stops[1:-1], segments, segments[1:], strict=False):
        if stop.kind != "town":
            return RunFault("route_passes_city", "", f"the route passes {stop.kind} {stop.id!r}")
        if terminal_at(before, stop) or terminal_at(after, stop):
            message = f"the route passes {stop.id!r} by track that ends there"
            return RunFault("route_passes_terminal_track", "", message)
    if _is_goal(problem, stops[-1]):
        return None
    message = f"no token can be placed in {stops[-1].id!r}, and it is not asked for"
    return RunFault("goal_without_space", "", message)


def _is_goal(problem: RouteProblem, stop: Stop) -> bool:
    if stop.id in problem.parameters.goals:
        return True
    return stop.kind in ("city", "mine") and "" in stop.slots and stop.id not in problem.token_stops


def _goal_fault(problem: RouteProblem, known: Known, goal: Goal) -> RunFault | None:
    for route in goal.routes:
        judged = _judged(problem, known, route.stops, route.segments)
        if isinstance(judged, RunFault):
            return judged
        if judged != route or route.stops[-1] != goal.stop:
            return RunFault("value_wrong", "", f"the route to {goal.stop!r} is {judged}, not {route}")
    for cheaper, dearer in zip(goal.routes, goal.routes[1:], strict=False):
        if not (cheaper.cost < dearer.cost and cheaper.traffic < dearer.traffic):
            return RunFault(
                "route_dominated", "", f"of two routes to {goal.stop!r} one is no better: {dearer}"
            )
    costs = [route.cost for route in goal.routes]
    traffic = [route.traffic for route in goal.routes]
    if goal.proven:
        fits = bool(goal.routes) and (goal.least_cost, goal.most_traffic) == (costs[0], traffic[-1])
    else:
        fits = goal.least_cost <= min(costs, default=goal.least_cost)
        fits = fits and goal.most_traffic >= max(traffic, default=goal.most_traffic)
    return None if fits else RunFault("bound_wrong", "", f"the bounds of {goal.stop!r} do not fit its routes")


def _covered_fault(problem: RouteProblem, solution: RouteSolution) -> RunFault | None:
    """All of the traffic is covered, or every train covers all that it can."""
    parameters = problem.parameters
    most = {train.id: train.reach for train in problem.trains}
    if problem.trains and parameters.coverage_beside:
        most[""] = parameters.coverage_beside
    total = sum(each.traffic for each in solution.covered)
    fits = [each.train for each in solution.covered] == list(most)
    fits = fits and all(0 <= each.traffic <= most[each.train] for each in solution.covered)
    fits = fits and total == min(parameters.traffic, sum(most.values()))
    fits = fits and (solution.revenue, solution.upper_bound, solution.treasury_income) == (total, total, 0)
    if fits and not solution.runs:
        return None
    return RunFault("value_wrong", "", f"the trains do not cover {solution.covered}")


def _missing_fault(problem: RouteProblem, known: Known, solution: RouteSolution) -> RunFault | None:
    if not solution.proven:
        return None
    known_routes = {goal.stop: goal.routes for goal in solution.goals}
    for stops, segments in _Ways(problem, known).all():
        route = _judged(problem, known, stops, segments)
        if isinstance(route, RunFault):
            continue
        others = known_routes.get(route.stops[-1], ())
        if not any(other.cost <= route.cost and other.traffic >= route.traffic for other in others):
            return RunFault("route_missing", "", f"no route of the answer is as good as {route}")
    return None


class _Ways:
    """Lists ways over towns; none where there are too many."""

    def __init__(self, problem: RouteProblem, known: Known) -> None:
        self._starts = problem.token_stops
        self._stops = known.stops
        self._segments = known.segments
        self._at: dict[str, list[tuple[str, str]]] = {}
        for segment in problem.segments:
            self._at.setdefault(segment.a, []).append((segment.id, segment.b))
            self._at.setdefault(segment.b, []).append((segment.id, segment.a))

    def all(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Stops and segments of every way to another stop."""
        found, pieces = [], 0
        for start in self._starts:
            for way in self._from((start,), ()):
                found.append(way)
                pieces += sum(1 + len(self._segments[name].resources) for name in way[1])
                if len(found) > WAYS_COMPARED or pieces > PIECES_COMPARED:
                    return []
        return found

    def _from(
        self, stops: tuple[str, ...], segments: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        for segment, stop in self._at.get(stops[-1], ()):
            if stop in stops:
                continue
            longer = (*stops, stop), (*segments, segment)
            yield longer
            if self._stops[stop].kind == "town":
                yield from self._from(*longer)
