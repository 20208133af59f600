"""The slow truth: every route of every train by plain search, every combination of them by trial.

Written from the words of the contract alone and sharing no code with the solver or the verifier. What may be chosen
on a route (towns passed, stops counted) is found by trying every choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from services.routing.domain.problem import LockedRun, RouteProblem, Segment, Stop, Train

Money = tuple[int, int]
Pieces = frozenset[tuple[str, str]]
Steps = dict[str, list[tuple[Segment, Pieces, Stop]]]
"""By stop the track that leads away from it, what that uses up, and where it leads."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Stops and the pieces of track between them, each joining its neighbours."""

    stops: tuple[Stop, ...]
    segments: tuple[Segment, ...]


def best_money(problem: RouteProblem) -> Money:
    """Revenue and treasury income of the best set of runs, by what is maximised and then what decides ties."""
    routes = list(routes_of(problem))
    locked = {run.train: run for run in problem.options.locked_runs}
    ways: list[dict[Pieces, Money]] = []
    for train in problem.trains:
        if train.id in locked:
            chain = locked_chain(problem, locked[train.id])
            ways.append(_richest_ways(problem, train, [(chain, pieces_of(*chain.segments))]))
        else:
            ways.append({frozenset(): (0, 0), **_richest_ways(problem, train, routes)})
    return _best_together(problem, ways)


def chains_of(problem: RouteProblem) -> Iterator[Chain]:
    """Every chain of at least two stops all of whose parts but the last step come to no place or piece twice."""
    return (chain for chain, _ in _chains(problem))


def routes_of(problem: RouteProblem) -> Iterator[tuple[Chain, Pieces]]:
    """Every chain, from one of its ends, that some train may run on, and the pieces that it uses up."""
    for chain, pieces in _chains(problem):
        is_first = chain.stops[0].id < chain.stops[-1].id
        if pieces is not None and is_first and _is_open(problem, chain):
            yield chain, pieces


def _chains(problem: RouteProblem) -> Iterator[tuple[Chain, Pieces | None]]:
    """All chains with their pieces, none where the last step comes to a place or piece twice."""
    by_id = {stop.id: stop for stop in problem.stops}
    steps: Steps = {stop.id: [] for stop in problem.stops}
    for segment in problem.segments:
        pieces = pieces_of(segment)
        steps[segment.a].append((segment, pieces, by_id[segment.b]))
        if segment.a != segment.b:
            steps[segment.b].append((segment, pieces, by_id[segment.a]))
    for stop in problem.stops:
        yield from _extended(steps, Chain((stop,), ()), frozenset((stop.place,)), frozenset())


def _extended(
    steps: Steps, chain: Chain, places: frozenset[str], used: Pieces
) -> Iterator[tuple[Chain, Pieces | None]]:
    for segment, pieces, stop in steps[chain.stops[-1].id]:
        longer = Chain((*chain.stops, stop), (*chain.segments, segment))
        if stop.place in places or not used.isdisjoint(pieces):
            yield longer, None
        else:
            yield longer, used | pieces
            yield from _extended(steps, longer, places | {stop.place}, used | pieces)


def locked_chain(problem: RouteProblem, locked: LockedRun) -> Chain:
    """The chain of a settled run."""
    stops = {stop.id: stop for stop in problem.stops}
    segments = {segment.id: segment for segment in problem.segments}
    return Chain(
        tuple(stops[name] for name in locked.stops), tuple(segments[name] for name in locked.segments)
    )


def earnings(problem: RouteProblem, train: Train, chain: Chain) -> Money | None:
    """Revenue and treasury income of `train` on `chain`, None where it may not run there."""
    if not (_is_clean(chain) and _is_open(problem, chain)):
        return None
    return _money_on(train, chain)


def _money_on(train: Train, route: Chain) -> Money | None:
    """What `train` earns on a chain that some train may run on."""
    mines = [stop for stop in route.stops if stop.kind == "mine"]
    if len(mines) != (train.kind == "goods"):
        return None
    revenues = [
        sum(_worth(stop, train) for stop in yielding if stop.kind != "mine")
        for yielding in _choices(train, route.stops)
        if _is_within_reach(train, route, yielding)
    ]
    return (max(revenues), sum(_worth(mine, train) for mine in mines)) if revenues else None


def may_take(train: Train, route: Chain) -> bool:
    """Whether `train` may run on a chain that some train may run on, whatever it counts."""
    mines = sum(stop.kind == "mine" for stop in route.stops)
    return mines == (train.kind == "goods") and any(
        _is_within_reach(train, route, yielding) for yielding in _choices(train, route.stops)
    )


def _is_clean(chain: Chain) -> bool:
    places = {stop.place for stop in chain.stops}
    pieces = [piece for segment in chain.segments for piece in pieces_of(segment)]
    return len(places) == len(chain.stops) and len(set(pieces)) == len(pieces)


def pieces_of(*segments: Segment) -> Pieces:
    """What segments use up."""
    resources = (("resource", name) for segment in segments for name in segment.resources)
    return frozenset((*(("track", segment.id) for segment in segments), *resources))


def _is_open(problem: RouteProblem, chain: Chain) -> bool:
    """Whether the company's trains find a token on the chain and nothing that stops them before its end."""
    return any(stop.id in problem.token_stops for stop in chain.stops) and _passes_freely(problem, chain)


def _passes_freely(problem: RouteProblem, chain: Chain) -> bool:
    """Whether every stop that is no end of the chain lets a train through."""
    for number in range(1, len(chain.stops) - 1):
        stop = chain.stops[number]
        full = len(stop.slots) > 0 and "" not in stop.slots and stop.id not in problem.token_stops
        dead_end = any(
            (segment.a == stop.id and segment.terminal_a) or (segment.b == stop.id and segment.terminal_b)
            for segment in chain.segments[number - 1 : number + 1]
        )
        if stop.kind == "mine" or stop.kind == "offboard" or full or dead_end:
            return False
    return True


def _choices(train: Train, stops: tuple[Stop, ...]) -> Iterator[tuple[Stop, ...]]:
    """Every set of stops that may be the ones that yield, if reach allows it."""
    if train.counts:
        for size in range(min(train.counts, len(stops)) + 1):
            yield from combinations(stops, size)
    elif train.towns == "skip":
        inner_towns = [stop.id for stop in stops[1:-1] if stop.kind == "town"]
        for size in range(len(inner_towns) + 1):
            for passed in combinations(inner_towns, size):
                yield tuple(stop for stop in stops if stop.id not in passed)
    else:
        yield stops


def _is_within_reach(train: Train, chain: Chain, yielding: tuple[Stop, ...]) -> bool:
    if train.towns == "extra" and sum(stop.kind == "town" for stop in chain.stops) > train.town_reach:
        return False
    if train.reach == 0:
        return True
    if train.measure == "hexes":
        return sum(_hex_sides(segment) for segment in chain.segments) <= train.reach
    visited = yielding if train.towns == "skip" else chain.stops
    free = {"mine", "town"} if train.towns in ("free", "extra") else {"mine"}
    return sum(stop.kind not in free for stop in visited) <= train.reach


def _hex_sides(segment: Segment) -> int:
    if segment.length == 0 and segment.hexes:
        return len(segment.hexes) - 1
    return segment.length


def _worth(stop: Stop, train: Train) -> int:
    return stop.tariffs.get(train.tariff, stop.revenue)


def _richest_ways(
    problem: RouteProblem, train: Train, routes: list[tuple[Chain, Pieces]]
) -> dict[Pieces, Money]:
    """The most that `train` can earn on each set of pieces."""
    ways: dict[Pieces, Money] = {}
    for route, pieces in routes:
        money = _money_on(train, route)
        if money is not None:
            ways[pieces] = max(ways.get(pieces, money), money, key=lambda each: _rank(problem, each))
    return ways


def _rank(problem: RouteProblem, money: Money) -> Money:
    revenue, income = money
    return (revenue + income, revenue) if problem.parameters.compare_treasury_income else (revenue, income)


def _best_together(problem: RouteProblem, ways: list[dict[Pieces, Money]]) -> Money:
    """Every combination of one way per train; a branch ends where even the best of each train left is too little."""
    ranked = [
        sorted(
            ((_rank(problem, money), money, pieces) for pieces, money in each.items()), key=lambda way: way[0]
        )[::-1]
        for each in ways
    ]
    best: list[Money] = []

    def descend(number: int, used: Pieces, money: Money) -> None:
        if number == len(ranked):
            if not best or _rank(problem, money) > _rank(problem, best[0]):
                best[:] = [money]
            return
        for _, gain, pieces in ranked[number]:
            total = (money[0] + gain[0], money[1] + gain[1])
            most = [total, *(each[0][1] for each in ranked[number + 1 :])]
            ceiling = (sum(each[0] for each in most), sum(each[1] for each in most))
            if best and _rank(problem, ceiling) <= _rank(problem, best[0]):
                return
            if not pieces & used:
                descend(number + 1, used | pieces, total)

    descend(0, frozenset(), (0, 0))
    assert best, "the locked runs share track"
    return best[0]
