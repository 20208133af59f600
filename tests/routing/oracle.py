"""The slow truth: every route of every train by plain search, every combination of them by trial.

Written from the rules alone and sharing no code with the solver or the verifier.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.routing.domain.problem import RouteProblem, Segment, Stop, Train

Money = tuple[int, int]
Way = tuple[frozenset[str], Money]


def best_money(problem: RouteProblem) -> Money:
    """What is maximised and then what decides ties, for the best set of runs."""
    ways = [[*set(_ways(problem, train)), (frozenset[str](), (0, 0))] for train in problem.trains]
    return max(_totals(ways, frozenset(), (0, 0)), key=lambda money: _rank(problem, money))


def _rank(problem: RouteProblem, money: Money) -> Money:
    revenue, income = money
    return (revenue + income, revenue) if problem.parameters.compare_treasury_income else (revenue, income)


def _totals(ways: list[list[Way]], used: frozenset[str], money: Money) -> Iterator[Money]:
    if not ways:
        yield money
        return
    for track, gain in ways[0]:
        if not track & used:
            yield from _totals(ways[1:], used | track, (money[0] + gain[0], money[1] + gain[1]))


def _ways(problem: RouteProblem, train: Train) -> Iterator[Way]:
    for stop in problem.stops:
        yield from _extend(problem, train, [stop], [], frozenset())


def _extend(
    problem: RouteProblem, train: Train, stops: list[Stop], segments: list[Segment], used: frozenset[str]
) -> Iterator[Way]:
    if len(stops) >= 2 and _is_legal(problem, train, stops, segments):
        revenue = sum(stop.revenue for stop in stops if stop.kind != "mine")
        yield used, (revenue, sum(stop.revenue for stop in stops if stop.kind == "mine"))
    by_id = {stop.id: stop for stop in problem.stops}
    for segment in problem.segments:
        pieces = frozenset(segment.resources) | {f"piece of track {segment.id}"}
        for here, there in ((segment.a, segment.b), (segment.b, segment.a)):
            following = by_id[there]
            if here != stops[-1].id or following.place in {stop.place for stop in stops} or pieces & used:
                continue
            yield from _extend(problem, train, [*stops, following], [*segments, segment], used | pieces)


def _is_legal(problem: RouteProblem, train: Train, stops: list[Stop], segments: list[Segment]) -> bool:
    if not {stop.id for stop in stops} & set(problem.token_stops):
        return False
    mines = [stop for stop in stops if stop.kind == "mine"]
    if len(mines) != (1 if train.kind == "goods" else 0):
        return False
    for before, stop, after in zip(segments, stops[1:-1], segments[1:], strict=False):
        full = len(stop.slots) > 0 and "" not in stop.slots and stop.id not in problem.token_stops
        at_terminal = any(
            (part.a == stop.id and part.terminal_a) or (part.b == stop.id and part.terminal_b)
            for part in (before, after)
        )
        if stop.kind in ("mine", "offboard") or full or at_terminal:
            return False
    uncounted = {"mine", "town"} if train.kind == "goods" else set()
    return train.reach == 0 or sum(stop.kind not in uncounted for stop in stops) <= train.reach
