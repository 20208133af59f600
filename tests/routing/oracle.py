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


@dataclass(frozen=True, slots=True)
class Chain:
    """Stops and the pieces of track between them, each joining its neighbours."""

    stops: tuple[Stop, ...]
    segments: tuple[Segment, ...]


def best_money(problem: RouteProblem) -> Money:
    """Revenue and treasury income of the best set of runs, by what is maximised and then what decides ties."""
    chains = list(chains_of(problem))
    locked = {run.train: run for run in problem.options.locked_runs}
    ways: list[dict[Pieces, Money]] = []
    for train in problem.trains:
        if train.id in locked:
            ways.append(_richest_ways(problem, train, [locked_chain(problem, locked[train.id])]))
        else:
            ways.append({frozenset(): (0, 0), **_richest_ways(problem, train, chains)})
    return _best_together(problem, ways)


def chains_of(problem: RouteProblem) -> Iterator[Chain]:
    """Every chain of at least two stops all of whose parts but the last step come to no place or piece twice."""
    by_id = {stop.id: stop for stop in problem.stops}
    steps: dict[str, list[tuple[Segment, Stop]]] = {stop.id: [] for stop in problem.stops}
    for segment in problem.segments:
        steps[segment.a].append((segment, by_id[segment.b]))
        if segment.a != segment.b:
            steps[segment.b].append((segment, by_id[segment.a]))
    for stop in problem.stops:
        yield from _extended(steps, Chain((stop,), ()))


def _extended(steps: dict[str, list[tuple[Segment, Stop]]], chain: Chain) -> Iterator[Chain]:
    if not _is_clean(chain):
        return
    for segment, stop in steps[chain.stops[-1].id]:
        longer = Chain((*chain.stops, stop), (*chain.segments, segment))
        yield longer
        yield from _extended(steps, longer)


def locked_chain(problem: RouteProblem, locked: LockedRun) -> Chain:
    """The chain of a settled run."""
    stops = {stop.id: stop for stop in problem.stops}
    segments = {segment.id: segment for segment in problem.segments}
    return Chain(
        tuple(stops[name] for name in locked.stops), tuple(segments[name] for name in locked.segments)
    )


def earnings(problem: RouteProblem, train: Train, chain: Chain) -> Money | None:
    """Revenue and treasury income of `train` on `chain`, None where it may not run there."""
    if not _is_route(problem, train, chain):
        return None
    mines = [stop for stop in chain.stops if stop.kind == "mine"]
    revenues = [
        sum(_worth(stop, train) for stop in yielding if stop.kind != "mine")
        for yielding in _choices(train, chain.stops)
        if _is_within_reach(train, chain, yielding)
    ]
    return (max(revenues), sum(_worth(mine, train) for mine in mines)) if revenues else None


def is_legal_way(problem: RouteProblem, train: Train, chain: Chain) -> bool:
    """Whether `train` may run on `chain`, whatever it counts."""
    return _is_route(problem, train, chain) and any(
        _is_within_reach(train, chain, yielding) for yielding in _choices(train, chain.stops)
    )


def _is_route(problem: RouteProblem, train: Train, chain: Chain) -> bool:
    if not (_is_clean(chain) and _touches_token(problem, chain) and _passes_freely(problem, chain)):
        return False
    return sum(stop.kind == "mine" for stop in chain.stops) == (train.kind == "goods")


def _is_clean(chain: Chain) -> bool:
    places = {stop.place for stop in chain.stops}
    pieces = [piece for segment in chain.segments for piece in pieces_of(segment)]
    return len(places) == len(chain.stops) and len(set(pieces)) == len(pieces)


def pieces_of(segment: Segment) -> Pieces:
    """What a segment uses up."""
    return frozenset({("track", segment.id), *(("resource", name) for name in segment.resources)})


def _touches_token(problem: RouteProblem, chain: Chain) -> bool:
    return any(stop.id in problem.token_stops for stop in chain.stops)


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


def _richest_ways(problem: RouteProblem, train: Train, chains: list[Chain]) -> dict[Pieces, Money]:
    """The most that `train` can earn on each set of pieces."""
    ways: dict[Pieces, Money] = {}
    for chain in chains:
        money = earnings(problem, train, chain)
        if money is not None:
            pieces = frozenset(piece for segment in chain.segments for piece in pieces_of(segment))
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
